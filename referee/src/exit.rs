//! Exit codes, and how a command ends when it does not do what it was asked for.

use std::io;

use thiserror::Error;

use arena::contest::{ContestError, MergeError, NotEnrolled};
use arena::game::Stop;
use arena::record::{OutputError, RecordError};
use lab::LabError;

/// Done; for a game, a player won. Also if the reader of the output closed it.
pub const DONE: u8 = 0;

/// The referee or its machine failed.
pub const FAULT: u8 = 1;

/// Wrong arguments, or a file that they name is wrong.
pub const MISUSE: u8 = 2;

/// A game without a winner.
pub const NO_WINNER: u8 = 3;

/// A player could not be started, failed its check, or did not reproduce a game.
pub const NOT_STARTED: u8 = 4;

/// The user stopped the referee.
pub const INTERRUPTED: u8 = 130;

/// The meanings of the exit codes of the referee's commands.
pub const EXIT_CODES: [(u8, &str); 6] = [
    (DONE, "Done. For a game: a player won."),
    (FAULT, "The referee or its machine failed."),
    (
        MISUSE,
        "Wrong arguments, or a file that they name is wrong.",
    ),
    (NO_WINNER, "A game without a winner."),
    (
        NOT_STARTED,
        "A player or a judge could not be started or failed its check, a judge failed in a contest, or a player did not repeat its game.",
    ),
    (INTERRUPTED, "Interrupted."),
];

/// The reason why a command ends with another exit code than [`DONE`]. The message is for standard
/// error.
#[derive(Debug, Error)]
pub enum Failure {
    /// The arguments, or a file that they name, are wrong: what, and how to fix it.
    #[error("{0}")]
    Misuse(String),
    /// A game had no winner; why.
    #[error("{0}")]
    NoWinner(String),
    /// A player could not be started or is unfit to play; why.
    #[error("{0}")]
    NotStarted(String),
    /// The user stopped the referee; what that leaves.
    #[error("{0}")]
    Interrupted(String),
    /// The command has printed everything; only its exit code is left.
    #[error("")]
    Reported(u8),
    /// The referee or its machine failed.
    #[error("{0:#}")]
    Fault(#[from] anyhow::Error),
}

impl Failure {
    /// Returns the failure of a user who typed or wrote something wrong.
    #[allow(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
    pub fn misuse(what: impl ToString) -> Failure {
        Failure::Misuse(what.to_string())
    }

    /// Returns the exit code.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            // The reader of the output has seen enough.
            Failure::Fault(error) if is_broken_pipe(error) => DONE,
            Failure::Fault(_) => FAULT,
            Failure::Misuse(_) => MISUSE,
            Failure::NoWinner(_) => NO_WINNER,
            Failure::NotStarted(_) => NOT_STARTED,
            Failure::Interrupted(_) => INTERRUPTED,
            Failure::Reported(code) => *code,
        }
    }

    /// Returns whether there is a message to print.
    #[must_use]
    pub fn has_message(&self) -> bool {
        match self {
            Failure::Reported(_) => false,
            Failure::Fault(error) => !is_broken_pipe(error),
            Failure::Misuse(_)
            | Failure::NoWinner(_)
            | Failure::NotStarted(_)
            | Failure::Interrupted(_) => true,
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Fault(error.into())
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        match stop {
            Stop::Interrupted => Failure::Reported(INTERRUPTED),
            Stop::Io(error) => error.into(),
        }
    }
}

impl From<NotEnrolled> for Failure {
    fn from(error: NotEnrolled) -> Failure {
        match error {
            NotEnrolled::Interrupted => Failure::Interrupted(error.to_string()),
            NotEnrolled::CannotContinue | NotEnrolled::TooFew(_) => {
                Failure::NotStarted(error.to_string())
            }
            NotEnrolled::Io(error) => error.into(),
        }
    }
}

/// A fault of a file that the user named is for the user to fix.
impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        if error.is_of_file() {
            Failure::misuse(error)
        } else {
            Failure::Fault(error.into())
        }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Failure {
        if error.is_of_file() {
            Failure::misuse(error)
        } else {
            Failure::Fault(error.into())
        }
    }
}

impl From<ContestError> for Failure {
    fn from(error: ContestError) -> Failure {
        match error {
            ContestError::Plan(_)
            | ContestError::FewerGames { .. }
            | ContestError::HasGrown { .. } => Failure::misuse(error),
            ContestError::Record(error) => error.into(),
            ContestError::JudgeFailed { .. } => Failure::NotStarted(error.to_string()),
            ContestError::Io(_) => Failure::Fault(error.into()),
        }
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Failure {
        match error {
            MergeError::Interrupted => Failure::Interrupted(error.to_string()),
            MergeError::NotWritten { .. } => Failure::Fault(error.into()),
            MergeError::Record(error) => error.into(),
            MergeError::Refused(_) | MergeError::Missing { .. } => Failure::misuse(error),
        }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Misuse(what) => Failure::Misuse(what),
            LabError::Fails(what) => Failure::NotStarted(what),
            LabError::Rejected => Failure::Reported(NOT_STARTED),
            LabError::Interrupted => Failure::Reported(INTERRUPTED),
            LabError::Io(error) => error.into(),
        }
    }
}
