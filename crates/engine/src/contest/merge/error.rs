//! The errors of a merge.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::record::{RecordError, remedy};
use bothost::text;
use league::schedule::PlanError;

/// The reason why records do not become one; what, where, and how to fix it.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file cannot be opened.
    #[error("{}: {error}", shown(.path))]
    NotOpened {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        error: io::Error,
    },
    /// A contest is still being played into it.
    #[error("another referee is writing {}; wait until it has ended", shown(.0))]
    BeingWritten(PathBuf),
    /// They are not of one contest.
    #[error(
        "{} is of another contest than {}; what differs, with the latter as here: {}",
        shown(.other), shown(.first), .differences.join("; ")
    )]
    OtherContest {
        /// The first record.
        first: PathBuf,
        /// The one that differs from it.
        other: PathBuf,
        /// The differences.
        differences: Vec<String>,
    },
    /// They are of contests of different lengths.
    #[error(
        "{} has {games_of_first} games of each encounter and {} has {games_of_other}; extend the shorter one with \
         --resume --games {}",
        shown(.first), shown(.other), .games_of_first.max(.games_of_other)
    )]
    OtherGames {
        /// The first record.
        first: PathBuf,
        /// Games of an encounter in it.
        games_of_first: u32,
        /// The one that differs from it.
        other: PathBuf,
        /// Games of an encounter in that.
        games_of_other: u32,
    },
    /// The header describes no contest.
    #[error("{}: {error}", shown(.path))]
    Plan {
        /// The record.
        path: PathBuf,
        /// The fault.
        error: PlanError,
    },
    /// A series is not one of the contest.
    #[error(
        "{}, line {line}: series {series} of this contest has other players or games than these",
        shown(.path)
    )]
    Foreign {
        /// The record.
        path: PathBuf,
        /// The line where the series begins, from 1.
        line: u64,
        /// The number that the series claims to have, from 1.
        series: usize,
    },
    /// A file is named twice.
    #[error("{} is named twice", shown(.0))]
    NamedTwice(PathBuf),
    /// Something is there twice.
    #[error("{0}; leave one of them out")]
    Doubled(String),
    /// Something is in none of the records.
    #[error("{0}; name the records that have them")]
    Missing(String),
    /// The one is also one of those.
    #[error("{} is one of the records to merge; choose another --out", shown(.0))]
    OutIsInput(PathBuf),
    /// There is something where the one should be.
    #[error("{} exists; choose another --out, or replace it with --force", shown(.0))]
    OutExists(PathBuf),
    /// The one could not be written, and is not there.
    #[error("{}: {error}; {}, then merge again", shown(.path), remedy(.error).to_lowercase())]
    NotWritten {
        /// The expected path.
        path: PathBuf,
        /// The operating system's message.
        error: io::Error,
    },
    /// One of the records is at fault.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The user stopped it.
    #[error("stopped before everything was merged; no file was written")]
    Interrupted,
}

impl MergeError {
    /// Returns the error of a record that could not be written, in the words for one that is not kept.
    pub(super) fn not_written(error: RecordError) -> MergeError {
        if let RecordError::NotWritten { path, error } = error {
            MergeError::NotWritten { path, error }
        } else {
            MergeError::Record(error)
        }
    }
}

/// Returns a path as messages show it.
pub(super) fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}
