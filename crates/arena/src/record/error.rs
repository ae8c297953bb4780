//! The reasons why a record cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::OutputError;
use super::gzip::ForeignFormat;
use crate::system::quoted_word;
use bothost::text;

/// The reason why a record cannot be read or written; what, where, and how to fix it.
#[derive(Debug, Error)]
pub enum RecordError {
    /// There is something already where a new record should be.
    #[error(
        "{} exists; --resume continues the contest in it, --force replaces it, another --out starts a new one",
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
        "{} is of another contest; what differs: {}. {advice}",
        shown(.path), .differences.join("; ")
    )]
    OtherContest {
        /// The file.
        path: PathBuf,
        /// The differences.
        differences: Vec<String>,
        /// The remedy for it, as a sentence without its full stop.
        advice: String,
    },
    /// It is of an earlier version.
    #[error(
        "{} has version {version} of the format: it is read, but neither continued nor merged. Begin the contest in another \
         file, or use version {referee} of the referee",
        shown(.path)
    )]
    Earlier {
        /// The file.
        path: PathBuf,
        /// The version of its header.
        version: u32,
        /// The version of the referee that wrote it last.
        referee: String,
    },
    /// It is not plain text, nor compressed by gzip.
    #[error(
        "{path} is {format}; make a plain file of it first: `{command} {word}`",
        path = shown(.path), format = .format.name, command = .format.command, word = quoted_word(&shown(.path))
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: ForeignFormat,
    },
    /// A line of it makes no sense.
    #[error("{}, line {line}: {what}", shown(.path))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The fault.
        what: String,
    },
    /// It was deleted, replaced or cut short while its contest was played.
    #[error(
        "{} was deleted, replaced, cut short or appended to during the contest; the games since then are not recorded",
        shown(.0)
    )]
    Gone(PathBuf),
    /// It could not be written. What it had before is still there.
    #[error(
        "{}: {error}; every series up to here is safe in it. {}, then continue with --resume",
        shown(.path), remedy(.error)
    )]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        error: io::Error,
    },
    /// It cannot be written to.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The operating system does not let it be used.
    #[error("{}: {error}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        error: io::Error,
    },
}

impl RecordError {
    /// Returns whether the wrong file was named, rather than the machine failed.
    #[must_use]
    pub fn is_of_file(&self) -> bool {
        match self {
            RecordError::Exists(_)
            | RecordError::Locked(_)
            | RecordError::NoHeader(_)
            | RecordError::OtherContest { .. }
            | RecordError::Earlier { .. }
            | RecordError::Foreign { .. }
            | RecordError::Line { .. } => true,
            RecordError::Output(error) => error.is_of_file(),
            RecordError::Gone(_) | RecordError::NotWritten { .. } | RecordError::Io { .. } => false,
        }
    }

    /// Returns the error about the file at `path`, whose text could not be read.
    #[must_use]
    pub fn unreadable(path: &Path, error: io::Error) -> RecordError {
        match error.downcast::<ForeignFormat>() {
            Ok(format) => RecordError::Foreign {
                path: path.to_owned(),
                format,
            },
            Err(error) => RecordError::io(path)(error),
        }
    }

    /// Returns an error of the operating system about the file at `path`.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> RecordError {
        let path = path.to_owned();
        move |error| RecordError::Io { path, error }
    }
}

/// Returns the advice on a file that could not be written for this reason.
#[must_use]
pub fn remedy(error: &io::Error) -> &'static str {
    if error.kind() == io::ErrorKind::FileTooLarge {
        "Raise the limit of file sizes (ulimit -f)"
    } else {
        "Make room"
    }
}

fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}
