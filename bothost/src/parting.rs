//! How a bot leaves that is asked to, seen more closely than games need it.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use battleship::protocol::Request;

use super::inbox::Next;
use super::{AskError, BotPair, Question, Side, Spoken};

/// How long it is waited at most for something to happen, where nothing wakes the referee when a process ends.
const TICK: Duration = Duration::from_millis(20);

/// How many lines of a bot that goes on talking are kept. It is not listened to beyond that.
const LINES_KEPT: usize = 100;

/// How a bot is asked to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// By `quit`; its input stays open.
    Quit,
    /// By the end of its input, without a word.
    EndOfInput,
}

/// What a bot did that was asked to leave.
#[derive(Clone, Debug, Default)]
pub struct Parting {
    /// How it left and how long that took; nothing if it was still there when its time was over.
    pub left: Option<(ExitStatus, Duration)>,
    /// What it had said and nobody had read, comments left out: the first hundred lines of it.
    pub lines: Vec<Vec<u8>>,
    /// The processes that it left behind, by name, where that was asked for and can be known.
    pub behind: Option<Vec<String>>,
}

impl BotPair {
    /// Asks the bot on `side`, who is alone, to leave; reads what it still says until it does, for `patience`, and
    /// ends what is left.
    ///
    /// # Errors
    /// If somebody asks the referee to stop, or if its machine fails it; the bot is killed all the same.
    pub fn part(
        mut self,
        side: Side,
        farewell: Farewell,
        patience: Duration,
    ) -> Result<Parting, AskError> {
        if farewell == Farewell::Quit {
            self.tell(side, &Request::Quit)?;
        }
        let began = Instant::now();
        let mut parting = Parting::default();
        let mut closed = farewell == Farewell::Quit;
        loop {
            let bot = &mut self.bots[side.index()];
            bot.send()?;
            if !closed && !bot.has_unsent() {
                bot.close_input();
                closed = true;
            }
            let status = bot.wait(Duration::ZERO)?;
            let left = patience.saturating_sub(began.elapsed());
            if status.is_some() || left.is_zero() {
                // What it said last is in the pipe still.
                bot.receive()?;
                self.keep_lines(side, &mut parting.lines)?;
                self.drain_stderr(side)?;
                parting.left = status.map(|status| (status, began.elapsed()));
                break;
            }
            let mut wait = Question::asked_now(side, &Request::Quit, Some(left.min(TICK)));
            self.wait(&mut wait)?;
            self.keep_lines(side, &mut parting.lines)?;
        }
        let bot = &mut self.bots[side.index()];
        parting.behind = parting.left.and_then(|_| bot.log().left_behind());
        bot.end(Instant::now(), |_| {})?;
        self.finish_listening()?;
        Ok(parting)
    }

    /// Whether the bot has begun a line and not ended it.
    #[must_use]
    pub fn has_begun_line(&mut self, side: Side) -> bool {
        !self.bots[side.index()].inbox().partial().is_empty()
    }

    /// Takes all whole lines that the bot has said, and the last one if nothing can follow it.
    fn keep_lines(&mut self, side: Side, lines: &mut Vec<Vec<u8>>) -> io::Result<()> {
        loop {
            let bot = &mut self.bots[side.index()];
            let line = match bot.inbox().take_line() {
                Next::Incomplete if bot.has_closed_output() => bot.inbox().take_unfinished_line(),
                next @ (Next::Line(_) | Next::TooLong(_) | Next::Incomplete) => next,
            };
            let line = match line {
                Next::Incomplete => return Ok(()),
                Next::Line(line) => bot.inbox().get(line).to_vec(),
                Next::TooLong(line) => {
                    let mut line = bot.inbox().get(line).to_vec();
                    line.truncate(battleship::protocol::MAX_LINE);
                    bot.close_output();
                    bot.inbox().clear();
                    line
                }
            };
            if lines.len() >= LINES_KEPT {
                bot.close_output();
                bot.inbox().clear();
                return Ok(());
            }
            self.hear(side, Spoken::FromBot, &line)?;
            if !line.starts_with(b"#") {
                lines.push(line);
            }
        }
    }
}

impl Question {
    /// The same question, with so much more time for its answer.
    #[must_use]
    pub fn prolonged(mut self, by: Duration) -> Question {
        self.limit = self.limit.map(|limit| limit + by);
        self.last_look = false;
        self
    }
}
