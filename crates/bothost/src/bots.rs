//! A pair of processes as the two bots of a game, and what its faults mean for the game.

use std::fmt;
use std::io;

use wire::game::{Bots, Stopped, told};
use wire::{Answer, EndedBy, Ending, Side};

use super::{AskError, BotPair, Fault, is_crash};

impl Bots for BotPair {
    fn tell(&mut self, to: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        BotPair::tell(self, to, line)
    }

    fn ask(&mut self, of: Side, line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped> {
        if let Some(left) = self.time_left(of) {
            BotPair::tell(self, of, format_args!("clock {}", told(left)))?;
        }
        BotPair::ask(self, of, line).map_err(|error| error.of(of))
    }

    fn comments(&mut self, of: Side) -> Vec<u8> {
        self.take_comments(of)
    }
}

impl AskError {
    /// Returns what it means for a game that the player on `side` gave no answer.
    #[must_use]
    pub fn of(self, side: Side) -> Stopped {
        match self {
            AskError::Fault(fault) => {
                Ending::lost_by(side, EndedBy::from(&fault), fault.to_string()).into()
            }
            AskError::MachineLate(what) => Ending::void(None, EndedBy::MachineLate, what).into(),
            AskError::Interrupted => Ending::interrupted().into(),
            AskError::Io(error) => Stopped::Failed(error),
        }
    }
}

/// The reason of a game that ends by this fault.
impl From<&Fault> for EndedBy {
    fn from(fault: &Fault) -> EndedBy {
        match fault {
            Fault::Timeout { .. } => EndedBy::Timeout,
            Fault::OutOfTime { .. } => EndedBy::OutOfTime,
            Fault::NotReading { .. } => EndedBy::NotReading,
            Fault::LineTooLong(_) => EndedBy::LineTooLong,
            Fault::Flood => EndedBy::Flood,
            Fault::ClosedOutput { .. } => EndedBy::ClosedOutput,
            Fault::UsedTooMuch(_) => EndedBy::UsedTooMuch,
            Fault::NotStarted(_) => EndedBy::CouldNotStart,
            Fault::Trapped { .. } => EndedBy::Crashed,
            Fault::Exited { status, .. } if is_crash(*status) => EndedBy::Crashed,
            Fault::Exited { .. } => EndedBy::Exited,
        }
    }
}
