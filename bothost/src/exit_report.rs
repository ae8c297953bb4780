//! How a bot leaves that is asked to, seen more closely than games need it.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::bot_pair::QUIT;
use super::inbox::Next;
use super::{AskError, BotPair, Question, Side, Spoken};

/// How long the referee sleeps at most, where nothing wakes it when a process ends.
const TICK: Duration = Duration::from_millis(20);

/// How many lines of a bot that continues to talk are kept. After that its output is closed.
const LINES_KEPT: usize = 100;

/// How a bot is asked to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveBy {
    /// By `quit`; its input stays open.
    Quit,
    /// By the end of its input, without a word.
    EndOfInput,
}

/// What a bot did that was asked to leave.
#[derive(Clone, Debug, Default)]
pub struct ExitReport {
    /// How it left and how long that took; `None` if it was still there when its time was over.
    pub left: Option<(ExitStatus, Duration)>,
    /// Its unread lines without comments: the first hundred of them.
    pub lines: Vec<Vec<u8>>,
    /// The processes that it left behind, by name, where that was asked for and can be known.
    pub behind: Option<Vec<String>>,
}

impl BotPair {
    /// Asks the bot on `side`, who is alone, to leave; reads what it still says until it does, for `patience`, and
    /// ends what is left.
    ///
    /// # Errors
    /// If the user stops the referee, or the operating system fails; the bot is killed all the same.
    pub fn leave(
        mut self,
        side: Side,
        leave_by: LeaveBy,
        patience: Duration,
    ) -> Result<ExitReport, AskError> {
        if leave_by == LeaveBy::Quit {
            self.tell(side, &QUIT)?;
        }
        let began = Instant::now();
        let mut parting = ExitReport::default();
        let mut closed = leave_by == LeaveBy::Quit;
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
            let mut wait = Question::asked_now(side, &QUIT, Some(left.min(TICK)));
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
