//! Asking a bot, waiting for its answer, and judging one that does not come.

use std::io;
use std::time::{Duration, Instant};

use super::inbox::{MOST_SAID, Next};
use super::question::Lateness;
use super::wait::Happened;
use super::{
    Answer, AskError, BotPair, Clock, Fault, Message, Question, Side, Spoken, Waited, text,
};

/// The time that a bot that has closed its output may take to exit. After that it counts as alive with a closed output,
/// which is another fault. A second is long because on a busy machine the exit of a process, or of its supervisor,
/// takes its time.
const PATIENCE_WITH_EXIT: Duration = Duration::from_secs(1);

/// Time by which the referee may hear a Ctrl-C later than a bot on the terminal: it reaches both, each in its own time.
const PATIENCE_WITH_CTRL_C: Duration = Duration::from_millis(100);

impl BotPair {
    /// Asks the bot something that it has to answer in its time, and waits for the answer.
    ///
    /// # Errors
    /// If the bot is at fault, if the referee is interrupted, or if its machine fails it.
    pub fn ask(&mut self, side: Side, request: &impl Message) -> Result<Answer<'_>, AskError> {
        let mut question = self.put(side, request)?;
        self.answer(&mut question)
    }

    /// Asks the bot something without waiting for the answer. The clock runs from now on.
    ///
    /// # Errors
    /// As [`BotPair::ask`].
    pub fn put(&mut self, side: Side, request: &impl Message) -> Result<Question, AskError> {
        self.tell(side, request)?;
        self.wake(side);
        let bot = &mut self.bots[side.index()];
        // Before the clock starts. What a bot has said before it was asked counts, first in, first out, so that the
        // verdict does not depend on timing; but there is a limit.
        if bot.inbox().has_line() {
            // The lines that wait may be all the bot says, or the first of a flood that has filled the pipe
            // as well. Reading on fills the buffer if there is more, and a full buffer is the proof. Without
            // this a bot that prints for ever would play on, as every question would find an answer waiting.
            bot.receive()?;
            if bot.inbox().is_full() {
                return Err(Fault::Flood.into());
            }
            if bot.inbox().has_reply() {
                self.irregularities[side].early = true;
            }
        }
        // The clock starts before the write, so the time of a full pipe counts against the bot that does not
        // read it.
        let question = Question::asked_now(side, request, self.clocks[side].limit());
        bot.send()?;
        // `send` wrote what the pipe takes (64 KiB on Linux). What is left is queued here; without a limit, a
        // bot that never reads would grow this buffer by a few lines a turn for the length of a series.
        if bot.outbox_overflows() {
            return Err(Fault::NotReading {
                request: question.word,
                limit: None,
            }
            .into());
        }
        Ok(question)
    }

    /// Waits for the next line of the answer to `question`, other than comments. An answer of several lines is
    /// asked for several times, always under the question's own deadline.
    ///
    /// # Errors
    /// As [`BotPair::ask`].
    pub fn answer(&mut self, question: &mut Question) -> Result<Answer<'_>, AskError> {
        let side = question.side;
        loop {
            let bot = &mut self.bots[side.index()];
            let waiting = bot.inbox().len();
            let next = match bot.inbox().take_line() {
                // After the end of the output nothing can complete the line, so it counts as one if it came in time.
                // Many bots end with a print that has no newline.
                Next::Incomplete
                    if bot.has_closed_output() && !bot.inbox().partial().is_empty() =>
                {
                    self.irregularities[side].no_line_feed = true;
                    bot.inbox().take_unfinished_line()
                }
                next @ (Next::Line(_) | Next::TooLong(_) | Next::Incomplete) => next,
            };
            match next {
                Next::Line(line) => {
                    // Taken when the line is found, before the wiretap writes to a file: the bot does not pay
                    // for the log.
                    let time = question.time_taken();
                    if let Some(wiretap) = &mut self.wiretap {
                        let line = bot.inbox().get(line.clone());
                        wiretap.hear(side, Spoken::FromBot, line, self.started.elapsed())?;
                    }
                    let said_before = question.said;
                    question.said += waiting - bot.inbox().len();
                    let is_comment = bot.inbox().get(line.clone()).starts_with(b"#");
                    // To the byte, and whatever pieces it came in: what was said before the reply is the same
                    // however the scheduler has cut it.
                    if (if is_comment {
                        question.said
                    } else {
                        said_before
                    }) > MOST_SAID
                    {
                        return Err(Fault::Flood.into());
                    }
                    if is_comment {
                        question.comments = question.comments.saturating_add(1);
                        keep_comment(&mut self.comments[side], bot.inbox().get(line));
                        continue;
                    }
                    // Comments answer nothing. Silence until a limit, or until the bot ends, is counted where that is found.
                    self.waited[side] += time;
                    self.clocks[side].charge(question.time_charged());
                    self.begin_pause(side);
                    let line = self.bots[side.index()].inbox().get(line);
                    return Ok(Answer { line, time });
                }
                Next::TooLong(line) => {
                    let beginning = text::excerpt(bot.inbox().get(line));
                    return Err(Fault::LineTooLong(beginning).into());
                }
                Next::Incomplete => {}
            }
            // A comment that has no end yet. An unfinished reply is bounded by the length of a line.
            let unfinished = bot.inbox().partial();
            if unfinished.starts_with(b"#") && question.said + unfinished.len() > MOST_SAID {
                return Err(Fault::Flood.into());
            }
            if bot.has_closed_output() {
                // Before the deadline is looked at: how the bot ended says more than that it is late.
                return Err(self.silenced(question)?);
            }
            let elapsed = question.asked.elapsed();
            if question.time_left(elapsed) == Some(Duration::ZERO) {
                // A reply may have come between the last poll and this moment, or while this process did not
                // run. It counts if it is in the pipe now, so the pipe is read one last time before the bot
                // is judged.
                if !question.last_look {
                    question.look_once_more();
                    bot.receive()?;
                    // The time that its opponent has used since the last look may postpone the deadline.
                    if self.time_until_look(question, elapsed).is_some() {
                        self.look_at_other(question);
                    }
                    continue;
                }
                match question.judge() {
                    Lateness::OfBot => return Err(self.timeout(question)),
                    Lateness::Unknown(late) => {
                        return Err(AskError::MachineLate(format!(
                            "the referee woke up {} ms late, so it cannot tell whether the bot was late",
                            late.as_millis()
                        )));
                    }
                    Lateness::Credited => {}
                }
            }
            self.wait(question, elapsed)?;
        }
    }

    /// Waits until something happens with one of the bots, at most until the deadline, and sees to it. `elapsed` is the
    /// time since the question was asked.
    pub(super) fn wait(
        &mut self,
        question: &mut Question,
        elapsed: Duration,
    ) -> Result<(), AskError> {
        // The time until an absolute deadline, recomputed for every wait. No byte of the bot and no signal extends it, so a bot
        // that drips a byte a second is late all the same.
        let (side, left) = (question.side, question.time_left(elapsed));
        let until_look = self.time_until_look(question, elapsed);
        // The earlier of the two, where there are two.
        let left = until_look.into_iter().chain(left).min();
        let mut bots = self.bots.iter_mut();
        let (one, two) = (bots.next(), bots.next());
        let (asked, other) = match side {
            Side::One => (one, two),
            Side::Two => (two, one),
        };
        let asked = asked.expect("only a bot that was started is asked");
        let happened = self
            .waiter
            .wait(side, asked, other, &self.interrupt, left)?;
        let Happened {
            writable,
            readable,
            ended,
            stderr,
        } = happened;
        if until_look == Some(Duration::ZERO) {
            self.look_at_other(question);
        }
        // Before anything is read: the terminal sends Ctrl-C to every process in the foreground, so it also ends the
        // process of a human player. Judged first, that exit would be a forfeit.
        if self.interrupt.is_noted() {
            return Err(AskError::Interrupted);
        }
        // Both are read, whichever bot is asked. A bot that writes more to standard error than its pipe holds
        // would otherwise block there, and lose by timeout in its opponent's turn or its own.
        if stderr.asked {
            self.drain_stderr(side)?;
        }
        if stderr.other {
            self.drain_stderr(side.other())?;
        }
        let bot = &mut self.bots[side.index()];
        if writable {
            bot.send()?;
        }
        if readable || ended {
            let received = bot.receive()?;
            if ended && received == 0 {
                // The exit and the last bytes are reported together, so a process that has ended may still have a
                // reply in the pipe. Only an empty read after the exit ends the output. Waiting for the end of file
                // instead could take for ever: a child of the bot may hold the pipe open.
                bot.close_output();
            }
        }
        Ok(())
    }

    fn timeout(&mut self, question: &Question) -> AskError {
        let clock = self.clocks[question.side].clock;
        if let Clock::Fuel { .. } = clock {
            let why = "the program that runs the bot neither replied nor ended it";
            return AskError::MachineLate(why.to_owned());
        }
        let elapsed = question.asked.elapsed();
        // Its earlier computing took place while it was asked, except for its start.
        let before = self.waited[question.side];
        let computed = self
            .computed(question.side)
            .unwrap_or_default()
            .saturating_sub(before);
        let is_computing = 5 * computed >= 4 * elapsed;
        self.waited[question.side] += elapsed;
        let bot = &mut self.bots[question.side.index()];
        let (request, limit) = (question.word, question.limit.unwrap_or_default());
        // The kinds of silence have different remedies, so a reason names which it was: input not read,
        // nothing written (often a stdout that is not flushed), comments only, or a line without its newline.
        let (unread, is_person) = (bot.has_unread_input(), bot.is_on_terminal());
        let waited = match (bot.inbox().partial(), question.comments) {
            _ if is_person => Waited::Person,
            (b"", 0) if unread && !matches!(clock, Clock::Game { .. }) => {
                return Fault::NotReading {
                    request,
                    limit: Some(limit),
                }
                .into();
            }
            (b"", 0) if is_computing => Waited::Computing,
            (partial, comments) => Waited::of(partial, comments),
        };
        let fault = match clock {
            Clock::Game { total, increment } => Fault::OutOfTime {
                request,
                left: limit,
                total,
                increment,
                waited,
            },
            Clock::Wall(_) | Clock::Fuel { .. } | Clock::None => Fault::Timeout {
                request,
                limit,
                waited,
            },
        };
        fault.into()
    }

    /// Returns why there is no answer from a bot that has closed its output.
    fn silenced(&mut self, question: &Question) -> io::Result<AskError> {
        let side = question.side;
        self.waited[side] += question.asked.elapsed();
        let left = question
            .time_left(question.asked.elapsed())
            .unwrap_or(PATIENCE_WITH_EXIT);
        // At least a millisecond: end of file on the pipe comes a moment before the process can be waited
        // for. At most the time of the question: the verdict must not come much later than the deadline.
        let patience = left.clamp(Duration::from_millis(1), PATIENCE_WITH_EXIT);
        let status = self.bots[side.index()].wait_for_its_end(patience)?;
        if status.is_some() && self.bots[side.index()].is_on_terminal() {
            // Ctrl-C ends it too, and may be heard here a moment later.
            self.interrupt.wait(Some(PATIENCE_WITH_CTRL_C))?;
        }
        self.drain_stderr(side)?;
        if status.is_some() {
            // The last words of a bot may still be on their way: the thread that reads standard error, where there is
            // one, may be behind. A child of the bot may hold the pipe open, so the wait is limited. Under a supervisor
            // it is short: the supervisor exits last, and its exit closes the pipe.
            let until = Instant::now() + PATIENCE_WITH_EXIT;
            while !self.bots[side.index()].has_closed_stderr() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
                self.drain_stderr(side)?;
            }
        }
        Ok(match status {
            // As above: Ctrl-C may be why the process is gone.
            _ if self.interrupt.is_noted() => AskError::Interrupted,
            None => Fault::ClosedOutput {
                request: question.word,
            }
            .into(),
            Some(status) => {
                let bot = &mut self.bots[side.index()];
                let why = match bot.used_too_much() {
                    Ok(what) => what.map(|what| Fault::UsedTooMuch(what).into()),
                    Err(error) if error.is_of_machine() => {
                        let what = format!("the start of a bot failed: {error}");
                        Some(AskError::Io(io::Error::other(what)))
                    }
                    Err(error) => Some(Fault::NotStarted(error.to_string()).into()),
                };
                let last_words = bot.log.last_words();
                let why = why.or_else(|| bot.hosts_verdict(question, self.clocks[side].clock));
                why.unwrap_or_else(|| Fault::Exited { status, last_words }.into())
            }
        })
    }
}

/// Adds a comment to those that are kept, unless they are many already: not every caller takes them.
fn keep_comment(kept: &mut Vec<u8>, comment: &[u8]) {
    if kept.len() + comment.len() < MOST_SAID {
        kept.extend_from_slice(comment);
        kept.push(b'\n');
    }
}
