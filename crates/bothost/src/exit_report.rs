//! The exit of a bot that is asked to leave, in more detail than games need it: for checking a bot.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::bot_pair::QUIT;
use super::inbox::Next;
use super::second_wait::Patience;
use super::supervisor_report::SupervisorReport;
use super::{AskError, BotPair, Question, Side, Spoken};

/// The longest sleep of the referee where the end of a process does not wake it.
const TICK: Duration = Duration::from_millis(20);

/// Number of lines that are kept of a bot that continues to talk. After that its output is closed, so that a bot which prints
/// for ever neither fills the memory nor keeps the referee.
const LINES_KEPT: usize = 100;

/// The way in which a bot is asked to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveBy {
    /// By `quit`; its input stays open, so that a bot which only waits for the end of its input is found.
    Quit,
    /// By the end of its input, without `quit`.
    EndOfInput,
}

/// A bot's behaviour after it was asked to leave.
#[derive(Clone, Debug, Default)]
pub struct ExitReport {
    /// Its exit status and the time that it took; `None` if it was still there when its time was over.
    pub left: Option<(ExitStatus, Duration)>,
    /// Its unread lines without comments: the first hundred of them.
    pub lines: Vec<Vec<u8>>,
    /// The processes that it left behind, by name; `None` if that was not asked for or is unknown.
    pub behind: Option<Vec<String>>,
    /// Whether the machine was too busy for a bot that is still there to be at fault.
    pub was_busy: bool,
}

impl BotPair {
    /// Asks the bot on `side`, which is alone, to leave. Reads what it still says until it does, for at most
    /// `patience`, and ends what is left. The time in which the referee itself waited for its turn does not count.
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
        let mut patience = Patience::new(patience);
        let mut parting = ExitReport::default();
        let mut closed = leave_by == LeaveBy::Quit;
        loop {
            let bot = &mut self.bots[side.index()];
            bot.send()?;
            // Closing with lines unsent would throw them away, and the bot would miss the end of its game.
            if !closed && !bot.has_unsent() {
                bot.close_input();
                closed = true;
            }
            let status = bot.wait(Duration::ZERO)?;
            let slice = patience.slice(TICK);
            let Some(slice) = slice.filter(|_| status.is_none()) else {
                // Its last words may still be in the pipe: the exit was found by asking for it, not by reading.
                bot.receive()?;
                self.keep_lines(side, &mut parting.lines)?;
                self.drain_stderr(side)?;
                parting.left = status.map(|status| (status, began.elapsed()));
                break;
            };
            // The wait needs a question for its deadline; no answer to this one is ever judged.
            let mut wait = Question::asked_now(side, &QUIT, Some(slice));
            let waits = Instant::now();
            self.wait(&mut wait, Duration::ZERO)?;
            patience.add(slice, waits.elapsed());
            self.keep_lines(side, &mut parting.lines)?;
        }
        let bot = &mut self.bots[side.index()];
        // The supervisor looks for them only after the bot has ended by itself, and reports them before it
        // exits.
        let left = parting.left.and_then(|_| {
            bot.reports().iter().find_map(|report| {
                if let SupervisorReport::LeftBehind(names) = report {
                    Some(names.clone())
                } else {
                    None
                }
            })
        });
        parting.behind = left;
        parting.was_busy = patience.was_busy();
        bot.end(Instant::now(), |_| {})?;
        self.finish_listening()?;
        Ok(parting)
    }

    /// Returns whether the bot has begun a line and not ended it.
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
                    line.truncate(wire::line::MAX_LINE);
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
