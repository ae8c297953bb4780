//! The contents of the file that a learning platform makes of all submissions of an assignment.
//!
//! - Canvas: `lovelaceada_LATE_123_4567_bot.py`: the name with the surname first, the numbers of
//!   the person and of the file. Its times are those of the download.
//! - Moodle: `Ada Lovelace_123_assignsubmission_file_/bot.py`, or without a folder; for teams
//!   `Duo-Ada Lovelace_123_...`.
//! - Gradescope: `submission_123/bot.py`, and `submission_metadata.yml`, which says whose each is
//!   and when it was handed in.
//! - Else: a folder or an archive for each student, named as the roster has them.
//!
//! The forms of the names are those of Canvas's `ContentZipper` and of Moodle's
//! `assign::download_submissions`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use jiff::Timestamp;
use serde::Deserialize;

use crate::archive;
use crate::project::entries;
use crate::time::moment;

/// A submission of one student or team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HandIn {
    /// The names on the platform of each of those who handed it in, the surest first.
    pub(super) people: Vec<Vec<String>>,
    /// The time, if the platform tells it.
    pub(super) at: Option<Timestamp>,
    /// The newest time of its files.
    pub(super) written: Option<Timestamp>,
    /// Whether that can say when it was handed in. In what Canvas makes it never does.
    pub(super) may_be_dated: bool,
    /// Whether the platform says that it came too late.
    pub(super) is_late: bool,
    /// Its files and folders, and how the students called them; none in an entry without files.
    pub(super) parts: Vec<(PathBuf, String)>,
    /// Its name in the download.
    pub(super) called: String,
}

/// The file in which Gradescope says whose each submission is.
const METADATA: &str = "submission_metadata.yml";

/// The parts of a name that a platform gave a file or a folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlatformName {
    /// The platform's name of the student.
    pub(crate) owner: String,
    /// The number that it has given the student.
    pub(crate) number: String,
    /// Whether it says that it came too late.
    pub(crate) is_late: bool,
    /// Whether it is one of Canvas, and not of Moodle.
    pub(crate) is_canvas: bool,
    /// The student's name of the file; empty for a folder around everything.
    pub(crate) own: String,
}

impl PlatformName {
    /// Reads a name that Canvas or Moodle gave; `None` if it is none.
    pub(crate) fn parse(name: &str) -> Option<PlatformName> {
        let parts: Vec<&str> = name.split('_').collect();
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let pair = |place: &usize| (parts[*place], parts[place + 1]);
        let place = (1..parts.len().saturating_sub(2)).find(|place| {
            let (number, next) = pair(place);
            // Students number their files, too, but not so high.
            let is_canvas = number.len() > 1 && next.len() > 1 && is_number(next);
            is_number(number) && (is_canvas || next == "assignsubmission")
        })?;
        let is_moodle = pair(&place).1 == "assignsubmission";
        let is_late = !is_moodle && place > 1 && parts[place - 1] == "LATE";
        let owner = &parts[..place - usize::from(is_late)];
        Some(PlatformName {
            owner: owner.join(" "),
            number: parts[place].to_owned(),
            is_late,
            is_canvas: !is_moodle,
            own: parts[place + 2 + usize::from(is_moodle)..].join("_"),
        })
    }
}

/// Reads the unpacked download in `root`. `is_student` says whether the roster has a student of
/// this name.
///
/// # Errors
/// If a file cannot be read, or what Gradescope says of its submissions is damaged.
pub(super) fn read(
    root: &Path,
    is_student: &dyn Fn(&str) -> bool,
) -> io::Result<Result<Vec<HandIn>, String>> {
    let root = without_folders_around(root, is_student)?;
    let metadata = root.join(METADATA);
    let submissions = if metadata.is_file() {
        let text = fs::read(&metadata)?;
        match submissions_of(&String::from_utf8_lossy(&text)) {
            Ok(submissions) => submissions,
            Err(error) => return Ok(Err(format!("{METADATA}: {error}"))),
        }
    } else {
        BTreeMap::new()
    };
    // Canvas names each file of a student so.
    let mut found: BTreeMap<(String, String), HandIn> = BTreeMap::new();
    for path in entries(&root)? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name == METADATA {
            continue;
        }
        let written = written(&path)?;
        let submission = submissions.get(&name);
        let (key, mut hand_in) = match (submission, PlatformName::parse(&name)) {
            (Some(submission), _) => (
                (name.clone(), String::new()),
                submission.hand_in(&path, &name),
            ),
            (None, Some(named)) => (
                (named.owner.clone(), named.number.clone()),
                of_name(named, &path, &name),
            ),
            (None, None) => ((name.clone(), String::new()), of_student(&path, &name)),
        };
        hand_in.written = written;
        match found.get_mut(&key) {
            Some(before) => {
                before.parts.append(&mut hand_in.parts);
                before.written = before.written.max(hand_in.written);
                before.is_late |= hand_in.is_late;
            }
            None => {
                found.insert(key, hand_in);
            }
        }
    }
    let listed = submissions
        .iter()
        .filter(|(name, _)| !root.join(name).exists());
    let without_files = listed.map(|(name, one)| HandIn {
        parts: Vec::new(),
        ..one.hand_in(&root, name)
    });
    Ok(Ok(found.into_values().chain(without_files).collect()))
}

fn of_name(named: PlatformName, path: &Path, name: &str) -> HandIn {
    HandIn {
        people: vec![vec![named.number, named.owner]],
        at: None,
        written: None,
        may_be_dated: !named.is_canvas,
        is_late: named.is_late,
        parts: vec![(path.to_owned(), named.own)],
        called: name.to_owned(),
    }
}

fn of_student(path: &Path, name: &str) -> HandIn {
    let stem = if path.is_dir() {
        name
    } else if archive::is_archive(name) {
        archive::without_ending(name)
    } else {
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    };
    HandIn {
        people: vec![vec![stem.to_owned()]],
        at: None,
        written: None,
        may_be_dated: true,
        is_late: false,
        parts: vec![(path.to_owned(), name.to_owned())],
        called: name.to_owned(),
    }
}

/// A submission in Gradescope's metadata.
#[derive(Deserialize)]
struct Submission {
    #[serde(rename = ":submitters", default)]
    submitters: Vec<Submitter>,
    #[serde(rename = ":created_at", default)]
    created_at: Option<String>,
}

#[derive(Deserialize)]
struct Submitter {
    #[serde(rename = ":sid", default)]
    sid: Option<String>,
    #[serde(rename = ":email", default)]
    email: Option<String>,
    #[serde(rename = ":name", default)]
    name: Option<String>,
}

/// Reads what Gradescope says of all submissions, by their folders.
fn submissions_of(text: &str) -> Result<BTreeMap<String, Submission>, serde_saphyr::Error> {
    // A class has many tests and many earlier hand-ins in it: as much as is written there, but no
    // more by aliases.
    let most = text.len() + 1;
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: most,
            max_events: 3 * most,
            max_total_scalar_bytes: most,
            max_aliases: most,
            max_anchors: most,
            enforce_alias_anchor_ratio: false,
        },
    };
    serde_saphyr::from_str_with_options(text, options)
}

impl Submission {
    fn hand_in(&self, path: &Path, name: &str) -> HandIn {
        let people = self.submitters.iter().map(|one| {
            [&one.sid, &one.email, &one.name]
                .into_iter()
                .flatten()
                .cloned()
                .collect()
        });
        // As Ruby writes a time: 2026-12-01 23:47:37.000000000 Z
        let at = self.created_at.as_ref().and_then(|at| {
            let (time, zone) = at.trim().rsplit_once(' ')?;
            moment(&format!("{time}{zone}")).ok()
        });
        HandIn {
            people: people.collect(),
            at,
            written: None,
            may_be_dated: true,
            is_late: false,
            parts: vec![(path.to_owned(), String::new())],
            called: name.to_owned(),
        }
    }
}

/// Goes into folders around everything, as long as they are not what a student has handed in.
fn without_folders_around(root: &Path, is_student: &dyn Fn(&str) -> bool) -> io::Result<PathBuf> {
    let mut root = root.to_owned();
    loop {
        let [single] = &entries(&root)?[..] else {
            return Ok(root);
        };
        let name = single.file_name().unwrap_or_default().to_string_lossy();
        let is_own = !single.is_dir() || PlatformName::parse(&name).is_some() || is_student(&name);
        if is_own || !has_hand_ins(single)? {
            return Ok(root);
        }
        root.clone_from(single);
    }
}

/// Returns whether there may be hand-ins of several in a folder, and not just the files of one.
fn has_hand_ins(folder: &Path) -> io::Result<bool> {
    Ok(entries(folder)?.iter().any(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_of_platform = name == METADATA || PlatformName::parse(&name).is_some();
        path.is_dir() || is_of_platform || archive::is_archive(&name)
    }))
}

/// Zip files cannot say earlier times, and write this year if they know none.
const NO_TIME: Duration = Duration::from_secs(11 * 365 * 24 * 60 * 60);

/// Returns the newest time of the files at or below `path`.
pub(super) fn written(path: &Path) -> io::Result<Option<Timestamp>> {
    if path.is_dir() {
        let mut newest = None;
        for path in entries(path)? {
            newest = newest.max(written(&path)?);
        }
        return Ok(newest);
    }
    let since = fs::metadata(path)?
        .modified()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let seconds = i64::try_from(since.as_secs())
        .ok()
        .filter(|_| since > NO_TIME);
    Ok(seconds.and_then(|seconds| Timestamp::from_second(seconds).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That of a usual class has more than a parser of YAML reads by itself.
    #[test]
    fn the_metadata_of_a_large_class_are_read() {
        let tests = "  - 1\n".repeat(260_000);
        let text = format!("submission_1:\n  :submitters:\n  - :sid: '7'\n  :results:\n{tests}");
        let read = submissions_of(&text).unwrap();
        assert_eq!(read["submission_1"].submitters[0].sid.as_deref(), Some("7"));
    }

    #[test]
    fn names_of_platforms_are_read() {
        for (name, owner, number, is_late, own) in [
            (
                "lovelaceada_12345_678901_Player.cpp",
                "lovelaceada",
                "12345",
                false,
                "Player.cpp",
            ),
            (
                "lovelaceada_LATE_12345_678901_my_bot.py",
                "lovelaceada",
                "12345",
                true,
                "my_bot.py",
            ),
            (
                "Ada Lovelace_77_assignsubmission_file_",
                "Ada Lovelace",
                "77",
                false,
                "",
            ),
            (
                "Ada_Lovelace_77_assignsubmission_file_a_b.py",
                "Ada Lovelace",
                "77",
                false,
                "a_b.py",
            ),
        ] {
            let named = PlatformName::parse(name).unwrap();
            let owner = owner.to_owned();
            let number = number.to_owned();
            let own = own.to_owned();
            let is_canvas = !name.contains("assignsubmission");
            assert_eq!(
                named,
                PlatformName {
                    owner,
                    number,
                    is_late,
                    is_canvas,
                    own
                },
                "{name}"
            );
        }
        for name in [
            "",
            "bot.py",
            "a_1_2",
            "a_1_2_b",
            "12_34_bot.py",
            "a_12_bot.py",
            "_12_34",
        ] {
            assert_eq!(PlatformName::parse(name), None, "{name}");
        }
    }
}
