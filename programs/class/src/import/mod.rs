//! The import of the submissions that a learning platform gives a teacher to download, into the
//! folders of the students.

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
use crate::archive::{self, Limits};
use crate::checks::PerBot;
use crate::class::make_folder;
use crate::error::TaskError;
use crate::project::entries;
use crate::scratch::Scratch;
use crate::{Class, ClassError, Student, shown_time};
use kits::quoted;

/// Files of one download that differ by no more have the time of the download: it says nothing of
/// when they were handed in.
const TIME_OF_DOWNLOAD: SignedDuration = SignedDuration::from_mins(15);

/// The files and bytes of a download that are unpacked, at least: those of one student are not to
/// keep back all others.
const MOST_FILES: usize = 200_000;
const MOST_BYTES: u64 = 8 << 30;

/// The result of an import.
#[derive(Debug, Default)]
pub struct Imported {
    /// The new submissions, in the order of time.
    pub new: Vec<Arrived>,
    /// The number of submissions that were there already.
    pub known: usize,
    /// The entries that went to no student, with the reasons.
    pub strangers: Vec<String>,
    /// The submissions in which the machine failed. The next import takes these again.
    pub failed: PerBot<()>,
    /// The number of the new ones that do not say when they were handed in.
    pub undated: usize,
}

/// A submission that is new.
#[derive(Debug)]
pub struct Arrived {
    /// The student.
    pub id: String,
    /// The time when it was handed in.
    pub at: Timestamp,
    /// Whether that is too late to count.
    pub is_late: bool,
}

/// A hand-in whose owner is known.
struct Owned<'r> {
    owner: Owner<'r>,
    at: Timestamp,
    is_dated: bool,
    /// Whether the teacher says when it was handed in.
    is_given: bool,
    hand_in: HandIn,
}

impl Class {
    /// Puts what is in `downloads`, files or folders as Canvas, Moodle and Gradescope make them,
    /// into the folders of the students, as handed in at `at`, or when the download says. What is
    /// there already stays as it is.
    ///
    /// # Errors
    /// If a download cannot be unpacked, or something cannot be written.
    pub fn import(
        &self,
        downloads: &[PathBuf],
        at: Option<Timestamp>,
    ) -> Result<Imported, ClassError> {
        let scratch = Scratch::new(self, "import", true)?;
        let owners = Owners::new(&self.roster);
        let mut imported = Imported::default();
        let mut owned = Vec::new();
        for (number, source) in downloads.iter().enumerate() {
            let root = scratch.path().join(format!("{number}"));
            let mut of_download = Vec::new();
            for hand_in in self.read_download(source, &root, &owners)? {
                match self.owners_of(&hand_in, &owners) {
                    Ok(_) if hand_in.parts.is_empty() => {
                        let called = quoted(&hand_in.called);
                        let what = format!("{called}: the download has no files of it");
                        imported.strangers.push(what);
                    }
                    Ok(found) => {
                        of_download.extend(found.into_iter().map(|one| (one, hand_in.clone())));
                    }
                    Err(why) => {
                        imported
                            .strangers
                            .push(format!("{}: {why}", quoted(&hand_in.called)));
                    }
                }
            }
            let times = of_download.iter().filter(|(_, one)| one.may_be_dated);
            let times: Vec<Timestamp> = times.filter_map(|(_, one)| one.written).collect();
            let span = times.iter().max().zip(times.iter().min());
            let is_dated =
                span.is_some_and(|(last, first)| last.duration_since(*first) > TIME_OF_DOWNLOAD);
            for (owner, hand_in) in of_download {
                let is_given = at.is_some();
                let (at, is_dated) = self.time_of(owner.student, &hand_in, at, is_dated);
                owned.push(Owned {
                    owner,
                    at,
                    is_dated,
                    is_given,
                    hand_in,
                });
            }
        }
        owned.sort_by_key(|one| (one.at, one.hand_in.written));
        for one in &owned {
            // An error in one does not keep the others back.
            if let Err(error) = self.put_owned(one, &scratch, &mut imported) {
                let called = format!("{} of {}", quoted(&one.hand_in.called), one.owner.id);
                imported.failed.push((called, Err(error)));
            }
        }
        Ok(imported)
    }

    /// Returns what is in a download.
    fn read_download(
        &self,
        source: &Path,
        root: &Path,
        owners: &Owners<'_>,
    ) -> Result<Vec<HandIn>, ClassError> {
        let about = |what: &dyn std::fmt::Display| {
            ClassError::misuse(format!("{}: {what}", source.display()))
        };
        let people = self
            .roster
            .students()
            .map(|student| student.members.len())
            .sum::<usize>();
        // Of each file as much as of a submission; of all of them what fits on a disk.
        let Limits { files, bytes } = Limits::SUBMISSION;
        let limits = Limits {
            files: files.saturating_mul(people).max(MOST_FILES),
            bytes: bytes.saturating_mul(people as u64).max(MOST_BYTES),
        };
        // Another file may be meant.
        fs::metadata(source).map_err(|error| about(&error))?;
        let left_out = archive::unpack_download(source, root, limits, bytes)
            .map_err(|error| TaskError::from(error).of_teacher(source))?;
        for why in left_out {
            self.note(&format!("{}: left out: {why}", source.display()));
        }
        download::read(root, &|name| owners.find(&[name.to_owned()]).is_ok())?
            .map_err(|why| about(&why))
    }

    /// Returns the students who handed something in together: one of each team.
    fn owners_of<'r>(
        &self,
        hand_in: &HandIn,
        owners: &Owners<'r>,
    ) -> Result<Vec<Owner<'r>>, String> {
        let mut found: BTreeMap<&str, Owner<'r>> = BTreeMap::new();
        let mut why = String::new();
        if hand_in.people.is_empty() {
            return Err("the download does not say whose it is".to_owned());
        }
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
        if !why.is_empty() {
            self.note(&format!("{}: {why}", quoted(&hand_in.called)));
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

    /// Returns when something was handed in, and whether the download says so. What does not counts
    /// as handed in at the last moment, unless the platform says that it came too late.
    fn time_of(
        &self,
        student: &Student,
        hand_in: &HandIn,
        given: Option<Timestamp>,
        is_dated: bool,
    ) -> (Timestamp, bool) {
        // Names of submissions have whole seconds.
        let whole = |at: Timestamp| Timestamp::from_second(at.as_second()).unwrap_or(at);
        if let Some(at) = given.or(hand_in.at) {
            return (whole(at), true);
        }
        let written = whole(hand_in.written.unwrap_or_else(Timestamp::now));
        let Some(deadline) = self.deadline_of(student) else {
            return (written, true);
        };
        // A student with more time is late for the platform only, as far as anybody knows.
        if hand_in.is_late && student.until.is_none() {
            let first = self.last_moment(student).map_or(written, |last| {
                last.checked_add(Span::new().seconds(1)).unwrap_or(last)
            });
            return (written.max(first), true);
        }
        let is_dated = is_dated && hand_in.may_be_dated && hand_in.written.is_some();
        if is_dated {
            (written, true)
        } else {
            (written.min(deadline), written <= deadline)
        }
    }

    fn put_owned(
        &self,
        one: &Owned<'_>,
        scratch: &Scratch,
        imported: &mut Imported,
    ) -> Result<(), ClassError> {
        let Owned {
            owner,
            is_dated,
            is_given,
            hand_in,
            ..
        } = one;
        let folder = self.folder.submissions().join(owner.id);
        make_folder(&folder)?;
        let part = scratch.path().join("hand-in");
        if part.exists() {
            fs::remove_dir_all(&part)?;
        }
        let content = gather(hand_in, &part)?;
        let there = self.handed_in(owner.student)?.submissions;
        let newest = there.last().map(|newest| newest.path.clone());
        let last = self.last_moment(owner.student);
        let is_late = |at: Timestamp| last.is_some_and(|last| at > last);
        let mut old = None;
        for before in &there {
            // The same download again, or nothing new in the next one. What goes back to an earlier
            // version is new.
            let is_it = Some(&before.path) == newest.as_ref()
                || before.at == one.at
                || written(&before.path)? == hand_in.written;
            if is_it && is_same(&before.path, &content)? {
                // Its time is known better now.
                if before.at != one.at && (*is_given || is_late(before.at) && !is_late(one.at)) {
                    old = Some(before.clone());
                    break;
                }
                imported.known += 1;
                return Ok(());
            }
        }
        let ending = if content.is_dir() {
            String::new()
        } else {
            let name = content
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            archive::ending_of(&name).to_owned()
        };
        // Of a team, no two at one time in any of its folders.
        let mut at = one.at;
        while there
            .iter()
            .any(|other| other.at == at && Some(other) != old.as_ref())
        {
            at = at
                .checked_add(Span::new().seconds(1))
                .map_err(ClassError::fault)?;
        }
        let path = folder.join(format!("{}{ending}", shown_time(at)));
        // Whole or not at all.
        let from = old.map_or(content, |old| old.path);
        fs::rename(from, &path).map_err(ClassError::about(&path))?;
        imported.undated += usize::from(!is_dated);
        imported.new.push(Arrived {
            id: owner.id.to_owned(),
            at,
            is_late: is_late(at),
        });
        Ok(())
    }
}

/// Copies what was handed in to `whole`, a path in which nothing is. Returns the folder, or the
/// archive if that is all.
fn gather(hand_in: &HandIn, whole: &Path) -> io::Result<PathBuf> {
    fs::create_dir(whole)?;
    for (number, (path, own)) in hand_in.parts.iter().enumerate() {
        if path.is_dir() {
            // Files that were handed in in two ways stay apart.
            let is_alone = hand_in.parts.len() == 1;
            let into = if is_alone {
                whole.to_owned()
            } else {
                whole.join(format!("part{number}"))
            };
            copy(path, &into)?;
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let own = whole.join(if own.is_empty() { &name } else { own.as_str() });
        // Two files that the student gave one name keep those of the platform.
        copy_file(
            path,
            &if own.exists() {
                whole.join(&*name)
            } else {
                own
            },
        )?;
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
    fs::create_dir_all(to)?;
    for path in entries(from)? {
        let into = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &into)?;
        } else {
            copy_file(&path, &into)?;
        }
    }
    Ok(())
}

/// Copies a file, with its time.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    fs::File::options()
        .write(true)
        .open(to)?
        .set_modified(fs::metadata(from)?.modified()?)
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
    let one = entries(one)?;
    let two = entries(two)?;
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
