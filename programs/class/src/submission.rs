//! The submissions of the students: `submissions/ID/TIMESTAMP`, each a folder or an archive.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use thiserror::Error;

use crate::ClassError;
use crate::archive;
use crate::project::entries;
use crate::time::{TimeError, time_in_name};

/// Something that a student has handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Submission {
    /// The time.
    pub at: Timestamp,
    /// The folder or the archive.
    pub path: PathBuf,
}

/// The reason why something in a student's folder is not a submission.
#[derive(Debug, Error)]
pub(crate) enum SubmissionError {
    /// Its name says no time.
    #[error("{path}: {error}; rename it, or put it in by referee class add")]
    Time {
        /// Its place.
        path: String,
        /// The fault in its name.
        error: TimeError,
    },
    /// It is a file of another kind.
    #[error("{0} {kinds}", kinds = archive::NO_KIND)]
    Kind(String),
    /// Two were handed in at the same time.
    #[error("{0} and {1} were handed in at the same time; rename one of them")]
    Same(String, String),
}

/// The contents of a student's folder.
#[derive(Debug, Default)]
pub(crate) struct HandedIn {
    /// The submissions, the oldest first.
    pub submissions: Vec<Submission>,
    /// The errors of entries that are not submissions. They do not keep the others from counting.
    pub problems: Vec<SubmissionError>,
}

impl HandedIn {
    /// Looks into the folders of a student or of the members of a team, which need not be there.
    ///
    /// # Errors
    /// If a folder cannot be read: nobody knows then what was handed in.
    pub(crate) fn read(folders: impl IntoIterator<Item = PathBuf>) -> Result<HandedIn, ClassError> {
        let mut found = HandedIn::default();
        for folder in folders {
            match entries(&folder) {
                Ok(paths) => paths.iter().for_each(|path| found.add(path)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(ClassError::about(&folder)(error)),
            }
        }
        found
            .submissions
            .sort_by(|one, other| (one.at, &one.path).cmp(&(other.at, &other.path)));
        for pair in found.submissions.windows(2) {
            if pair[0].at == pair[1].at {
                let [one, other] = [&pair[0], &pair[1]].map(|one| one.path.display().to_string());
                found.problems.push(SubmissionError::Same(one, other));
            }
        }
        Ok(found)
    }

    fn add(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // The entry was left by a tool, or is being copied by a tool that renames it when it is
        // whole.
        if name.starts_with('.') {
            return;
        }
        let shown = || path.display().to_string();
        let is_folder = path.is_dir();
        if !is_folder && !archive::is_archive(&name) {
            self.problems.push(SubmissionError::Kind(shown()));
            return;
        }
        let time = if is_folder {
            &*name
        } else {
            archive::without_ending(&name)
        };
        match time_in_name(time) {
            Ok(at) => self.submissions.push(Submission {
                at,
                path: path.to_owned(),
            }),
            Err(error) => self.problems.push(SubmissionError::Time {
                path: shown(),
                error,
            }),
        }
    }

    /// Returns the submission that counts: the newest that came no later than `last`.
    pub(crate) fn newest(&self, last: Option<Timestamp>) -> Option<&Submission> {
        self.submissions
            .iter()
            .rev()
            .find(|one| last.is_none_or(|last| one.at <= last))
    }

    /// Returns how many came too late.
    pub(crate) fn late(&self, last: Option<Timestamp>) -> usize {
        let newest = self.newest(last).map(|one| one.at);
        self.submissions
            .iter()
            .filter(|one| newest.is_none_or(|newest| one.at > newest))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_newest_before_the_deadline_counts() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "2026-12-01T10-00-00",
            ".2026-12-01T11-00-00",
            "old",
            "2026-12-02T00-01-01",
        ] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in [
            "2026-12-01T12-00-00.zip",
            "20261202_0001.tar.gz",
            "notes.txt",
        ] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = HandedIn::read([folder.path().to_owned()]).unwrap();
        let newest = |deadline: &str| {
            let newest = found.newest(Some(deadline.parse().unwrap()));
            newest.map(|one| one.path.file_name().unwrap().to_str().unwrap().to_owned())
        };
        for (deadline, name) in [
            ("2026-12-02T00:01:00Z", Some("20261202_0001.tar.gz")),
            ("2026-12-01T23:59:59Z", Some("2026-12-01T12-00-00.zip")),
            ("2026-12-01T09:00:00Z", None),
        ] {
            assert_eq!(newest(deadline).as_deref(), name);
        }
        let any = found.newest(None).unwrap();
        assert!(any.path.ends_with("2026-12-02T00-01-01"));
        let last = Some("2026-12-02T00:01:00Z".parse().unwrap());
        assert_eq!(found.late(last), 1);
        assert_eq!(found.late(None), 0);
        let mut problems: Vec<_> = found.problems.iter().map(ToString::to_string).collect();
        problems.sort();
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(
            problems[0].contains("notes.txt is not a folder or a .zip"),
            "{problems:?}"
        );
        assert!(
            problems[1].contains("\"old\" is not a time"),
            "{problems:?}"
        );
    }

    #[test]
    fn a_student_without_a_folder_has_handed_in_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let found = HandedIn::read([folder.path().join("ada")]).unwrap();
        assert!(found.submissions.is_empty() && found.problems.is_empty());
    }

    #[test]
    fn two_at_the_same_time_are_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("2026-12-01T10-00-00")).unwrap();
        fs::write(folder.path().join("2026-12-01T10-00-00.zip"), "").unwrap();
        let found = HandedIn::read([folder.path().to_owned()]).unwrap();
        assert_eq!(found.problems.len(), 1);
        assert!(found.problems[0].to_string().contains("at the same time"));
    }
}
