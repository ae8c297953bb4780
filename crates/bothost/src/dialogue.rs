//! The dialogue of the referee with its bots, and who listens.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::Side;

/// The kind of a line: who says it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// From the referee to the bot.
    ToBot,
    /// From the bot to the referee.
    FromBot,
    /// From the bot to the referee, without its end: the bot was ended before.
    Unfinished,
    /// From the bot to its standard error: a piece of any length, not a line.
    Stderr,
}

/// Receives every line between the referee and its bots.
pub trait DialogueListener: fmt::Debug {
    /// Receives `line`, without its line end, said this long `after` the bots were started.
    ///
    /// # Errors
    /// If it cannot be written down, which ends the game.
    fn on_line(
        &mut self,
        side: Side,
        kind: LineKind,
        line: &[u8],
        after: Duration,
    ) -> io::Result<()>;

    /// Whether what a bot has logged has to be received before the reply that came after it, also
    /// from a bot that has logged nothing so far. That costs some time a reply.
    fn needs_order(&self) -> bool {
        true
    }

    /// Ends the dialogue: both bots have ended.
    ///
    /// # Errors
    /// If a line could not be written down.
    fn finish(&mut self) -> io::Result<()>;
}

/// Several listeners receive each line in their order.
impl DialogueListener for Vec<Box<dyn DialogueListener>> {
    fn needs_order(&self) -> bool {
        self.iter().any(|listener| listener.needs_order())
    }

    fn on_line(
        &mut self,
        side: Side,
        kind: LineKind,
        line: &[u8],
        after: Duration,
    ) -> io::Result<()> {
        self.iter_mut()
            .try_for_each(|listener| listener.on_line(side, kind, line, after))
    }

    fn finish(&mut self) -> io::Result<()> {
        // All of them, though one may fail.
        self.iter_mut()
            .map(|listener| listener.finish())
            .fold(Ok(()), Result::and)
    }
}

/// The dialogue of a pair of bots, and who listens.
#[derive(Debug)]
pub(super) struct Dialogue {
    listener: Option<Box<dyn DialogueListener>>,
    began: Instant,
}

impl Dialogue {
    /// Begins a dialogue now.
    pub(super) fn new(listener: Option<Box<dyn DialogueListener>>) -> Dialogue {
        Dialogue {
            listener,
            began: Instant::now(),
        }
    }

    pub(super) fn on_line(&mut self, side: Side, kind: LineKind, line: &[u8]) -> io::Result<()> {
        match &mut self.listener {
            Some(listener) => listener.on_line(side, kind, line, self.began.elapsed()),
            None => Ok(()),
        }
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.listener.iter_mut().try_for_each(|it| it.finish())
    }
}
