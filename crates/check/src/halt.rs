//! The reasons why a step of a check breaks off.

use std::io;

use super::asked::Asked;
use super::report::Finding;
use arena::game::{EndedBy, Stopped};

/// The reason why a step breaks off.
#[derive(Debug)]
pub(super) enum Halt {
    /// The bot is at fault.
    Fault(Box<Fault>),
    /// The machine was too busy to tell.
    Busy(String),
    /// The whole check is over: it was interrupted, or the referee has failed.
    Over(Stopped),
}

/// A mistake of a bot in a dialogue.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) finding: Finding,
    /// The reason that it would have in a game.
    pub(super) ended_by: EndedBy,
    /// The request that it had to answer.
    pub(super) asked: Asked,
    /// Its seed in the game, if one was announced.
    pub(super) seed: Option<u32>,
    /// Whether the cause is known and not just the usual one.
    pub(super) certain: bool,
    /// Whether it said a line too many, so that its replies and the requests do not match any more.
    pub(super) out_of_step: bool,
    /// Whether the machine was too busy to tell its cause.
    pub(super) machine_was_busy: bool,
}

impl Fault {
    /// Whether both are what the same mistake of a bot may lead to: the same end at the same place.
    pub(super) fn is_as(&self, other: &Fault) -> bool {
        let signs = |fault: &Fault| (fault.ended_by, fault.asked, fault.out_of_step);
        signs(self) == signs(other)
    }

    /// Names the usual cause if the bot ended on a board of this size, and plays well on square ones.
    pub(super) fn blame_oblong(&mut self, [rows, cols]: [i32; 2]) {
        if rows != cols && matches!(self.ended_by, EndedBy::Exited | EndedBy::Crashed) {
            self.finding.cause = format!(
                "It goes well on a square board and not on this one of {rows}x{cols}: row and column are the wrong way round somewhere (the row comes first, in `game`, `attack` and `result`), or the size is taken to be 10x10."
            );
        }
    }

    /// Whether it said nothing until its time was over. To see that again takes as long again.
    pub(super) fn is_silence(&self) -> bool {
        matches!(
            self.ended_by,
            EndedBy::Timeout | EndedBy::OutOfTime | EndedBy::NotReading
        )
    }
}

impl Halt {
    /// Whether the machine was too busy to tell. Another try may.
    pub(super) fn is_of_busy_machine(&self) -> bool {
        match self {
            Halt::Fault(fault) => fault.machine_was_busy,
            Halt::Busy(_) => true,
            Halt::Over(_) => false,
        }
    }

    /// Whether the bot said that it cannot place its ships, where there is room. It may: such a game has no winner.
    pub(super) fn is_giving_up(&self) -> bool {
        matches!(self, Halt::Fault(fault) if fault.ended_by == EndedBy::CannotPlace)
    }
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::Over(Stopped::Failed(error))
    }
}
