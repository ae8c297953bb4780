//! The reasons why a tool ends before its work is done.

use std::io;

use thiserror::Error;

use arena::game::Stop;
use arena::record::RecordError;

/// The reason why a tool ends before its work is done.
#[derive(Debug, Error)]
pub enum LabError {
    /// The user has to fix a word or a file: which, and how.
    #[error("{0}")]
    Misuse(String),
    /// A player fails: which, why, and what to do.
    #[error("{0}")]
    Fails(String),
    /// The bot does not pass; the output says why.
    #[error("the bot does not pass")]
    Rejected,
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// The referee or its machine fails.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Stop> for LabError {
    fn from(stop: Stop) -> LabError {
        match stop {
            Stop::Interrupted => LabError::Interrupted,
            Stop::Io(error) => error.into(),
        }
    }
}

impl From<RecordError> for LabError {
    fn from(error: RecordError) -> LabError {
        if error.is_of_file() {
            LabError::Misuse(error.to_string())
        } else {
            LabError::Io(io::Error::other(error))
        }
    }
}
