//! Why a record cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use bothost::text;

/// Why a record cannot be read or written; what, where, and how to mend it.
#[derive(Debug, Error)]
pub(crate) enum RecordError {
    /// There is something already where a new record should be.
    #[error(
        "{} exists; --resume continues the contest in it, another --out starts a new one",
        shown(.0)
    )]
    Exists(PathBuf),
    /// Another referee writes it.
    #[error("another referee is writing {}; wait until it has ended, or choose another --out", shown(.0))]
    Locked(PathBuf),
    /// It does not begin as records of contests do.
    #[error("{} is not a record of a contest: its first line is not a header", shown(.0))]
    NoHeader(PathBuf),
    /// It is of another contest.
    #[error(
        "{} is of another contest; what differs: {}. Choose another file, or ask for the same contest",
        shown(.path), .differences.join("; ")
    )]
    OtherContest {
        /// The file.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// A line of it makes no sense.
    #[error("{}, line {line}: {what}", shown(.path))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// It could not be written. What it had before is still there.
    #[error(
        "{}: {error}; every series up to here is safe in it. Make room, then continue with --resume",
        shown(.path)
    )]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// The operating system does not let it be used.
    #[error("{}: {error}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
}

impl RecordError {
    /// Returns whether the wrong file was named, rather than the machine failed.
    pub(crate) fn is_of_file(&self) -> bool {
        match self {
            RecordError::Exists(_)
            | RecordError::Locked(_)
            | RecordError::NoHeader(_)
            | RecordError::OtherContest { .. }
            | RecordError::Line { .. } => true,
            RecordError::NotWritten { .. } | RecordError::Io { .. } => false,
        }
    }

    /// Returns an error of the operating system about the file at `path`.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> RecordError {
        let path = path.to_owned();
        move |error| RecordError::Io { path, error }
    }
}

fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}
