//! The reasons why a step of a check breaks off.

use std::io;

use crate::report::Finding;
use arena::game::{EndedBy, Stopped};
use battleship::protocol::Request;

/// The reason why a step breaks off.
#[derive(Debug)]
pub(crate) enum StepError {
    /// The bot is at fault.
    Failure(Box<StepFailure>),
    /// The machine was too busy to tell.
    Busy(String),
    /// The whole check is over: it was interrupted, or the referee has failed.
    Stopped(Stopped),
}

/// A mistake of a bot in a dialogue.
#[derive(Debug)]
pub(crate) struct StepFailure {
    pub(crate) finding: Finding,
    /// The reason that a game would have ended by.
    pub(crate) ended_by: EndedBy,
    /// The request that the bot had to answer.
    pub(crate) request: Request,
    /// The bot's seed in the game, if one was announced.
    pub(crate) seed: Option<u32>,
    /// Whether the cause is known and not just the usual one.
    pub(crate) certain: bool,
    /// Whether the bot said a line too many, so that its replies and the requests do not match any
    /// more.
    pub(crate) out_of_step: bool,
    /// Whether the bot placed its ships illegally, but as on the usual board.
    pub(crate) places_as_usual: bool,
    /// Whether the machine was too busy to tell the cause.
    pub(crate) machine_was_busy: bool,
}

impl StepFailure {
    /// Returns whether the program ended by itself, as by an exception.
    pub(crate) fn is_end_of_program(&self) -> bool {
        matches!(self.ended_by, EndedBy::Exited | EndedBy::Crashed)
    }

    /// Names the usual cause of a bot that fails on boards of this size and plays well on square
    /// ones.
    pub(crate) fn blame_oblong(&mut self, [rows, cols]: [i32; 2]) {
        self.finding.cause = format!(
            "It goes well on a square board and not on this one of {rows}x{cols}: row and column are the wrong way round somewhere (the row comes first, in `game`, `attack` and `result`), or the size is taken to be 10x10."
        );
    }
}

impl StepError {
    /// Whether the machine was too busy to tell. Another try may.
    pub(crate) fn is_of_busy_machine(&self) -> bool {
        match self {
            StepError::Failure(failure) => failure.machine_was_busy,
            StepError::Busy(_) => true,
            StepError::Stopped(_) => false,
        }
    }

    /// Whether the bot said that it cannot place its ships, where they fit. It may: such a
    /// game has no winner.
    pub(crate) fn is_giving_up(&self) -> bool {
        matches!(self, StepError::Failure(failure) if failure.ended_by == EndedBy::CannotPlace)
    }
}

impl From<io::Error> for StepError {
    fn from(error: io::Error) -> StepError {
        StepError::Stopped(Stopped::Failed(error))
    }
}

/// Whether a bot whose game ended so said nothing until its time was over. To see that again takes
/// as long again.
pub(crate) fn is_silence(ended_by: EndedBy) -> bool {
    matches!(
        ended_by,
        EndedBy::Timeout | EndedBy::OutOfTime | EndedBy::NotReading
    )
}
