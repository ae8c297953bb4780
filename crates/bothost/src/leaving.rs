//! A second wait for a late reply, and the way in which a bot leaves: more than games need, for
//! checking a bot.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use wire::Side;
use wire::line::MAX_LINE;

use super::inbox::Next;
use super::pair::QUIT;
use super::{AskError, BotPair, LineKind, Question};

/// The referee looks at its clock after each of these. Short, so that many of them show how busy
/// the machine is.
const SLICE: Duration = Duration::from_millis(50);

/// The processor time that a bot may use in a second wait and still count as idle: runtimes collect
/// garbage.
const IDLE: Duration = Duration::from_millis(100);

/// The longest sleep of the referee where the end of a process does not wake it.
const TICK: Duration = Duration::from_millis(20);

/// Number of lines that are kept of a bot that continues to talk. After that its output is closed,
/// so that a bot which prints for ever neither fills the memory nor keeps the referee.
const LINES_KEPT: usize = 100;

/// The result of a second wait for a reply, which tells a slow bot from a silent one, and a busy
/// machine from both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondWait {
    /// The time from the request to the reply; `None` if it did not come.
    pub reply: Option<Duration>,
    /// Whether the bot computed, as far as the system says.
    pub computed: bool,
    /// Whether the machine was too busy for silence to show anything.
    pub was_busy: bool,
}

/// The way in which a bot is asked to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveBy {
    /// By `quit`; its input stays open, so that a bot which only waits for the end of its input is
    /// found.
    Quit,
    /// By the end of its input, without `quit`.
    EndOfInput,
}

/// A bot's behaviour after it was asked to leave.
#[derive(Clone, Debug, Default)]
pub struct ExitReport {
    /// Its exit status and the time that it took; `None` if it was still there when its time was
    /// over.
    pub left: Option<(ExitStatus, Duration)>,
    /// Its unread lines without comments: the first hundred of them.
    pub lines: Vec<Vec<u8>>,
    /// The processes that it left behind, by name; `None` if that was not asked for or is unknown.
    pub behind: Option<Vec<String>>,
    /// Whether the machine was too busy for a bot that is still there to be at fault.
    pub was_busy: bool,
}

/// A wait that counts only the time in which the referee got its turns.
#[derive(Debug)]
struct Patience {
    whole: Duration,
    left: Duration,
    late: Duration,
}

impl Patience {
    const fn new(whole: Duration) -> Patience {
        Patience {
            whole,
            left: whole,
            late: Duration::ZERO,
        }
    }

    /// How long to wait until the next look at the clock; `None` if the wait is over.
    fn slice(&self, longest: Duration) -> Option<Duration> {
        // Four times as long by the clock is the most: a check has to end on any machine.
        let is_over = self.left.is_zero() || self.late > 3 * self.whole;
        (!is_over).then(|| longest.min(self.left))
    }

    /// Counts a wait that was meant to last for `slice` and lasted for `took`.
    fn add(&mut self, slice: Duration, took: Duration) {
        self.left = self.left.saturating_sub(slice.min(took));
        self.late += took.saturating_sub(slice);
    }

    /// Whether the machine was late for a third of the wait or more. Then the bot may have had as
    /// little of it.
    fn was_busy(&self) -> bool {
        !self.late.is_zero() && 3 * self.late >= self.whole
    }
}

impl BotPair {
    /// Waits for the answer to a question whose deadline has passed, for another `patience`. The
    /// time in which the referee itself waited for its turn does not count.
    ///
    /// # Errors
    /// If the user stops the referee, or the operating system fails.
    pub fn wait_longer(
        &mut self,
        question: Question,
        patience: Duration,
    ) -> Result<SecondWait, AskError> {
        let index = question.side.index();
        let before = self.used(index);
        let mut patience = Patience::new(patience);
        let mut reply = None;
        while let Some(slice) = patience.slice(SLICE) {
            let began = Instant::now();
            match self.answer(&mut question.until(slice)) {
                Ok(answer) => {
                    reply = Some(answer.time);
                    break;
                }
                Err(AskError::Fault(_) | AskError::MachineLate(_)) => {
                    if self.bots[index].output_closed || self.has_begun_line(question.side) {
                        break;
                    }
                }
                Err(error @ (AskError::Interrupted | AskError::Io(_))) => return Err(error),
            }
            patience.add(slice, began.elapsed());
        }
        Ok(SecondWait {
            reply,
            computed: self.used(index).saturating_sub(before) > IDLE,
            was_busy: patience.was_busy(),
        })
    }

    /// The processor time that the bot and what it has started have used, as far as the system
    /// says.
    fn used(&self, index: usize) -> Duration {
        let usage = self.bots[index].process.usage();
        usage.map(|usage| usage.total()).unwrap_or_default()
    }

    /// Asks the bot on `side`, which is alone, to leave. Reads what it still says until it does,
    /// for at most `patience`, and ends what is left. The time in which the referee itself waited
    /// for its turn does not count.
    ///
    /// # Errors
    /// If the user stops the referee, or the operating system fails; the bot is killed all the
    /// same.
    pub fn leave(
        mut self,
        side: Side,
        leave_by: LeaveBy,
        patience: Duration,
    ) -> Result<ExitReport, AskError> {
        if leave_by == LeaveBy::Quit {
            self.tell(side, format_args!("{QUIT}"))?;
        }
        let began = Instant::now();
        let mut patience = Patience::new(patience);
        let mut report = ExitReport::default();
        let mut closed = leave_by == LeaveBy::Quit;
        loop {
            let bot = &mut self.bots[side.index()];
            bot.send()?;
            // Closing with lines unsent would throw them away, and the bot would miss the end of
            // its game.
            if !closed && bot.outbox.is_empty() {
                bot.streams.close_stdin();
                closed = true;
            }
            let status = bot.process.wait(Duration::ZERO)?;
            let slice = patience.slice(TICK).filter(|_| status.is_none());
            let Some(slice) = slice else {
                // Its last words may still be in the pipe: the exit was found by asking for it, not
                // by reading.
                bot.receive()?;
                self.keep_lines(side, &mut report.lines)?;
                self.bots[side.index()].drain_stderr(&mut self.dialogue)?;
                report.left = status.map(|status| (status, began.elapsed()));
                break;
            };
            // The wait needs a question for its deadline; no answer to this one is ever judged.
            let mut wait = Question::asked_now(side, Some(slice));
            self.wait(&mut wait, Duration::ZERO)?;
            patience.add(slice, wait.asked.elapsed());
            self.keep_lines(side, &mut report.lines)?;
        }
        report.was_busy = patience.was_busy();
        let bot = &mut self.bots[side.index()];
        // The supervisor looks for them only after the bot has ended by itself, and reports them
        // before it exits.
        if report.left.is_some() {
            let supervisor = bot.process.report();
            report.behind = supervisor.and_then(|report| report.left_behind.clone());
        }
        bot.end(Instant::now(), &mut self.dialogue)?;
        self.dialogue.finish()?;
        Ok(report)
    }

    /// Whether the bot has begun a line and not ended it.
    #[must_use]
    pub fn has_begun_line(&self, side: Side) -> bool {
        !self.bots[side.index()].inbox.partial().is_empty()
    }

    /// Takes all whole lines that the bot has said, and the last one if nothing can follow it.
    fn keep_lines(&mut self, side: Side, lines: &mut Vec<Vec<u8>>) -> io::Result<()> {
        let bot = &mut self.bots[side.index()];
        loop {
            let next = bot.take_line();
            let is_too_long = matches!(next, Next::TooLong(_));
            let (Next::Line(line) | Next::TooLong(line)) = next else {
                return Ok(());
            };
            let line = bot.inbox.get(line);
            let line = line[..line.len().min(MAX_LINE)].to_vec();
            let is_full = lines.len() >= LINES_KEPT;
            if is_too_long || is_full {
                bot.close_output();
                bot.inbox.clear();
            }
            if is_full {
                return Ok(());
            }
            self.dialogue.on_line(side, LineKind::FromBot, &line)?;
            if !line.starts_with(b"#") {
                lines.push(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// The whole time that a wait for `patience` takes if each look at the clock comes late by
    /// `late`.
    fn waited(patience: Duration, late: Duration) -> (Duration, Patience) {
        let mut patience = Patience::new(patience);
        let mut clock = Duration::ZERO;
        while let Some(slice) = patience.slice(50 * MS) {
            patience.add(slice, slice + late);
            clock += slice + late;
        }
        (clock, patience)
    }

    /// A bot that replied 100 ms after its limit of 5 s was once said not to flush, since the
    /// referee had no turn before its second wait of 5 s was over.
    #[test]
    fn a_busy_machine_gets_more_time() {
        let (clock, patience) = waited(5000 * MS, MS);
        assert!(clock == 5100 * MS && !patience.was_busy());
        let (clock, patience) = waited(5000 * MS, 50 * MS);
        assert!(clock == 10_000 * MS && patience.was_busy());
        // One turn that comes very late ends no wait by itself.
        let mut patience = Patience::new(5000 * MS);
        patience.add(50 * MS, 6000 * MS);
        assert!(patience.slice(50 * MS).is_some() && patience.was_busy());
    }

    #[test]
    fn a_wait_ends_on_any_machine() {
        let (clock, patience) = waited(5000 * MS, 1000 * MS);
        assert!(clock <= 21_000 * MS && patience.was_busy());
    }

    #[test]
    fn a_wait_that_ends_early_is_not_late() {
        let mut patience = Patience::new(100 * MS);
        patience.add(50 * MS, 10 * MS);
        assert_eq!(patience.slice(200 * MS), Some(90 * MS));
        assert!(!patience.was_busy());
    }
}
