//! What a learning platform gives a teacher to download: put into the folders of the students.

mod download;
mod owners;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Span, Timestamp};

pub(crate) use self::download::PlatformName;
use self::download::{HandIn, written};
use self::owners::{Owner, Owners};
use crate::add::free;
use crate::archive::{self, Limits};
use crate::class::make_folder;
use crate::project::entries;
use crate::scratch::Scratch;
use crate::submission::HandedIn;
use crate::text::quoted;
use crate::{Class, ClassError, Student};

/// Files of one download that differ by no more have the time of the download: it says nothing of when they were handed in.
const TIME_OF_DOWNLOAD: SignedDuration = SignedDuration::from_mins(15);

/// What an import has done.
#[derive(Debug, Default)]
pub struct Imported {
    /// What is new, in the order of time.
    pub new: Vec<Arrived>,
    /// How many were there already.
    pub known: usize,
    /// What fits no student, and why.
    pub strangers: Vec<String>,
    /// How many of the new ones do not say when they were handed in.
    pub undated: usize,
}

/// A submission that is new.
#[derive(Debug)]
pub struct Arrived {
    /// The student.
    pub id: String,
    /// When it was handed in.
    pub at: Timestamp,
    /// Whether that is too late to count.
    pub is_late: bool,
}

/// A hand-in whose owner is known.
struct Owned<'r> {
    owner: Owner<'r>,
    at: Timestamp,
    is_dated: bool,
    hand_in: HandIn,
}

impl Class {
    /// Puts what is in `downloads`, files or folders as Canvas, Moodle and Gradescope make them, into the folders of the students, as
    /// handed in at `at`, or when the download says. What is there already stays as it is.
    ///
    /// # Errors
    /// If a download cannot be unpacked, or something cannot be written.
    pub fn import(
        &self,
        downloads: &[PathBuf],
        at: Option<Timestamp>,
    ) -> Result<Imported, ClassError> {
        let scratch = Scratch::new(self)?;
        let owners = Owners::new(&self.roster);
        let mut imported = Imported::default();
        let mut all = Vec::new();
        for (number, source) in downloads.iter().enumerate() {
            let root = scratch.path().join(format!("{number}"));
            for hand_in in self.read_download(source, &root, &owners)? {
                all.push(hand_in);
            }
        }
        let mut owned = Vec::new();
        for (hand_in, is_dated) in all {
            let found = self.owners_of(&hand_in, &owners);
            match found {
                Err(why) => imported.strangers.push(format!("{}: {why}", quoted(&hand_in.called))),
                Ok(found) => {
                    for owner in found {
                        let (at, is_dated) = self.time_of(owner.student, &hand_in, at, is_dated);
                        let hand_in = hand_in.clone();
                        owned.push(Owned { owner, at, is_dated, hand_in });
                    }
                }
            }
        }
        owned.sort_by_key(|one| (one.at, one.hand_in.written));
        for (number, one) in owned.iter().enumerate() {
            let whole = scratch.path().join(format!("whole{number}"));
            self.put_owned(one, &whole, &mut imported)?;
        }
        Ok(imported)
    }

    /// Returns what is in a download, and whether its files say when they were handed in.
    fn read_download(
        &self,
        source: &Path,
        root: &Path,
        owners: &Owners<'_>,
    ) -> Result<Vec<(HandIn, bool)>, ClassError> {
        let about = |what: &dyn std::fmt::Display| {
            ClassError::misuse(format!("{}: {what}", source.display()))
        };
        let build = &self.config.build;
        let people = self.roster.students().map(|student| student.members.len()).sum::<usize>();
        let limits = Limits {
            files: build.files.saturating_mul(people + 1),
            bytes: (u64::from(build.size) << 20).saturating_mul(people as u64 + 1),
        };
        let left_out =
            archive::unpack_download(source, root, limits).map_err(|error| about(&error))?;
        for why in left_out {
            self.note(&format!("{}: left out: {why}", source.display()));
        }
        let is_student = |name: &str| owners.find(&[name.to_owned()]).is_ok();
        let hand_ins = download::read(root, &is_student)?.map_err(|why| about(&why))?;
        let times = || hand_ins.iter().filter_map(|one| one.written);
        let span = times().max().zip(times().min()).map(|(last, first)| last.duration_since(first));
        let is_dated = span.is_some_and(|span| span > TIME_OF_DOWNLOAD);
        Ok(hand_ins.into_iter().map(|hand_in| (hand_in, is_dated)).collect())
    }

    /// Returns the students who handed something in together: one of each team.
    fn owners_of<'r>(
        &self,
        hand_in: &HandIn,
        owners: &Owners<'r>,
    ) -> Result<Vec<Owner<'r>>, String> {
        let mut found: BTreeMap<&str, Owner<'r>> = BTreeMap::new();
        let mut why = "the download does not say whose it is".to_owned();
        for person in &hand_in.people {
            match owners.find(person) {
                Ok(owner) => {
                    found.entry(&owner.student.id).or_insert(owner);
                }
                Err(error) => why = error,
            }
        }
        if found.is_empty() {
            return Err(why);
        }
        if found.len() > 1 {
            let ids: Vec<&str> = found.keys().copied().collect();
            self.note(&format!(
                "{} handed in together; give them the same team in {}",
                ids.join(" and "),
                self.folder.roster().display()
            ));
        }
        Ok(found.into_values().collect())
    }

    /// Returns when something was handed in, and whether the download says so. What does not counts as handed in at the last moment,
    /// unless the platform says that it came too late.
    fn time_of(
        &self,
        student: &Student,
        hand_in: &HandIn,
        given: Option<Timestamp>,
        is_dated: bool,
    ) -> (Timestamp, bool) {
        if let Some(at) = given.or(hand_in.at) {
            return (at, true);
        }
        let written = hand_in.written.unwrap_or_else(Timestamp::now);
        let Some(deadline) = self.deadline_of(student) else { return (written, true) };
        let after = |last: Timestamp| last.checked_add(Span::new().seconds(1)).unwrap_or(last);
        // Who got more time is late for the platform only, as far as anybody knows.
        if hand_in.is_late && student.until.is_none() {
            let first = self.last_moment(student).map_or(written, after);
            return (written.max(first), true);
        }
        if is_dated { (written, true) } else { (written.min(deadline), written <= deadline) }
    }

    fn put_owned(
        &self,
        one: &Owned<'_>,
        whole: &Path,
        imported: &mut Imported,
    ) -> Result<(), ClassError> {
        let Owned { owner, at, is_dated, hand_in } = one;
        let content = gather(hand_in, whole)?;
        let folder = self.folder.submissions().join(owner.id);
        let there = HandedIn::read([folder.clone()]).submissions;
        let newest = there.last().map(|newest| newest.path.clone());
        for before in &there {
            // The same download again, or nothing new in the next one. What goes back to an earlier version is new.
            let is_it = Some(&before.path) == newest.as_ref()
                || before.at == *at
                || written(&before.path)? == hand_in.written;
            if is_it && is_same(&before.path, &content)? {
                imported.known += 1;
                return Ok(());
            }
        }
        make_folder(&folder)?;
        let ending = if content.is_dir() {
            String::new()
        } else {
            let name = content.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name[archive::without_ending(&name).len()..].to_owned()
        };
        let (path, at) = free(&folder, *at, &ending);
        fs::rename(&content, &path)
            .map_err(|error| ClassError::fault(format!("{}: {error}", path.display())))?;
        imported.undated += usize::from(!is_dated);
        let is_late = self.last_moment(owner.student).is_some_and(|last| at > last);
        imported.new.push(Arrived { id: owner.id.to_owned(), at, is_late });
        Ok(())
    }
}

/// Copies what was handed in to `whole`, a path in which nothing is. Returns the folder, or the archive if that is all.
fn gather(hand_in: &HandIn, whole: &Path) -> io::Result<PathBuf> {
    fs::create_dir(whole)?;
    for (path, own) in &hand_in.parts {
        if path.is_dir() {
            copy(path, whole)?;
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let own = whole.join(if own.is_empty() { &name } else { own.as_str() });
        // Two files that the student gave one name keep those of the platform.
        copy_file(path, &if own.exists() { whole.join(&*name) } else { own })?;
    }
    match &entries(whole)?[..] {
        [single] if single.is_file() && archive::is_archive(&single.to_string_lossy()) => {
            Ok(single.clone())
        }
        _ => Ok(whole.to_owned()),
    }
}

/// Copies what is in the folder `from` into the folder `to`.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for path in entries(from)? {
        let into = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            fs::create_dir_all(&into)?;
            copy(&path, &into)?;
        } else {
            copy_file(&path, &into)?;
        }
    }
    Ok(())
}

/// Makes the file at `from` the one at `to`, too. A team's file goes into several folders, and all are on one file system.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    fs::File::options().write(true).open(to)?.set_modified(fs::metadata(from)?.modified()?)
}

/// Returns whether two files, or all files in two folders, have the same names and bytes.
fn is_same(one: &Path, two: &Path) -> io::Result<bool> {
    if one.is_dir() != two.is_dir() {
        return Ok(false);
    }
    if !one.is_dir() {
        let is_long = fs::metadata(one)?.len() == fs::metadata(two)?.len();
        return Ok(is_long && fs::read(one)? == fs::read(two)?);
    }
    let (one, two) = (entries(one)?, entries(two)?);
    if one.len() != two.len() {
        return Ok(false);
    }
    for (one, two) in one.iter().zip(&two) {
        if one.file_name() != two.file_name() || !is_same(one, two)? {
            return Ok(false);
        }
    }
    Ok(true)
}
