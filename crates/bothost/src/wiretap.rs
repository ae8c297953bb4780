//! Listening to everything that is said between the referee and its bots.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::Side;

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoken {
    /// From the referee to the bot.
    ToBot,
    /// From the bot to the referee.
    FromBot,
    /// From the bot to the referee, without its end: the bot was ended before.
    Unfinished,
    /// From the bot to its standard error: a piece of any length, not a line.
    Stderr,
}

/// Hears everything that is said between the referee and its bots.
pub trait Wiretap: fmt::Debug {
    /// Hears `line`, without its line end, said this long `after` the bots were started.
    ///
    /// # Errors
    /// If it cannot be written down, which ends the game.
    fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8], after: Duration) -> io::Result<()>;

    /// Whether what a bot has logged is to be heard before the reply that came after it, also from a bot that has logged nothing
    /// so far. That costs some time a reply.
    fn needs_order(&self) -> bool {
        true
    }

    /// Learns that both bots have ended: this was all.
    ///
    /// # Errors
    /// If something that was heard could not be written down.
    fn finish(&mut self) -> io::Result<()>;
}

/// Several hear everything, in this order.
impl Wiretap for Vec<Box<dyn Wiretap>> {
    fn needs_order(&self) -> bool {
        self.iter().any(|tap| tap.needs_order())
    }

    fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8], after: Duration) -> io::Result<()> {
        self.iter_mut()
            .try_for_each(|tap| tap.hear(side, spoken, line, after))
    }

    fn finish(&mut self) -> io::Result<()> {
        // All of them, though one may fail.
        self.iter_mut()
            .map(|tap| tap.finish())
            .fold(Ok(()), Result::and)
    }
}

/// The dialogue of a pair of bots, and who listens.
#[derive(Debug)]
pub(super) struct Dialogue {
    listener: Option<Box<dyn Wiretap>>,
    began: Instant,
}

impl Dialogue {
    /// Begins a dialogue now.
    pub(super) fn new(listener: Option<Box<dyn Wiretap>>) -> Dialogue {
        Dialogue {
            listener,
            began: Instant::now(),
        }
    }

    pub(super) fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8]) -> io::Result<()> {
        match &mut self.listener {
            Some(listener) => listener.hear(side, spoken, line, self.began.elapsed()),
            None => Ok(()),
        }
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.listener.iter_mut().try_for_each(|it| it.finish())
    }
}
