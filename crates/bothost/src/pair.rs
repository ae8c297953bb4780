//! Two bots that play against each other: from a request to its answer, or to the verdict on a bot
//! that gives none.

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use wire::game::{Bots, Stopped, told};
use wire::line::MAX_LINE;
use wire::{Answer, BySide, Clock, Side, text};

use super::bot::BotProcess;
use super::deadline::{AskError, LONGEST_WAIT, Lateness, Question, RunningClock};
use super::dialogue::Dialogue;
use super::inbox::{MOST_SAID, Next};
use super::last_words::last_words;
use super::system::{Streams, Waiter};
use super::{
    BotProgram, DialogueListener, Fault, Interrupt, Launch, LineKind, Oddities, StartError, Waited,
    pin, ponder,
};

/// The request to leave.
pub(super) const QUIT: &str = "quit";

/// The time that a bot that has failed may take to log the reason and leave. Short, because the
/// game is decided and the other bot of the series waits for it.
const GRACE_AFTER_FAULT: Duration = Duration::from_millis(100);

/// The time that a bot that has closed its output may take to exit. After that it counts as alive
/// with a closed output, which is another fault. A second is long because on a busy machine the
/// exit of a process, or of its supervisor, takes its time.
const PATIENCE_WITH_EXIT: Duration = Duration::from_secs(1);

/// The time in which a bot that has used too much memory is found out after the kernel has ended
/// its opponent: some looks of its supervisor.
const PATIENCE_WITH_OTHER: Duration = Duration::from_millis(300);

/// Time by which the referee may hear a Ctrl-C later than a bot on the terminal: it reaches both,
/// each in its own time.
const PATIENCE_WITH_CTRL_C: Duration = Duration::from_millis(100);

/// Two bots that play against each other, or one by itself, and the referee's side of their pipes.
/// The standard error of both is read whenever one of them is waited for, so that neither can get
/// stuck there.
#[derive(Debug)]
pub struct BotPair {
    /// By side; there is no second if a bot is alone.
    pub(super) bots: Vec<BotProcess>,
    pub(super) dialogue: Dialogue,
    waiter: Waiter,
    interrupt: Arc<Interrupt>,
    /// The end of a line that is sent to a bot.
    line_end: fn(&[u8]) -> &'static str,
    /// The time that a bot may take to quit.
    grace: Duration,
    /// Whether bots may compute while they are not asked.
    may_ponder: bool,
    /// Whether a reply is likely to be there before the referee waits for it.
    reads_first: bool,
}

impl BotPair {
    /// Starts both programs. `listener` hears everything that is said.
    ///
    /// # Errors
    /// If one cannot be started; the other is ended then.
    pub fn start(
        programs: BySide<&BotProgram>,
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        listener: Option<Box<dyn DialogueListener>>,
    ) -> Result<BotPair, (Side, StartError)> {
        BotPair::of(&[programs.one, programs.two], launch, interrupt, listener)
    }

    /// Starts one program by itself, on the side [`Side::One`]. The other side stays empty.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn alone(
        program: &BotProgram,
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        listener: Option<Box<dyn DialogueListener>>,
    ) -> Result<BotPair, StartError> {
        BotPair::of(&[program], launch, interrupt, listener).map_err(|(_, error)| error)
    }

    fn of(
        programs: &[&BotProgram],
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        listener: Option<Box<dyn DialogueListener>>,
    ) -> Result<BotPair, (Side, StartError)> {
        // Bots inherit the core of the thread that starts them, so this thread goes first. Where
        // that is refused, all run wherever the system puts them.
        let _ = launch.pinned && pin::to_this_core();
        let waiter = Waiter::new(&interrupt);
        let needs_order = listener.as_ref().is_some_and(|it| it.needs_order());
        // If the second program fails to start, `collect` drops the first bot, which kills it.
        let bots = Side::BOTH.into_iter().zip(programs).map(|(side, program)| {
            BotProcess::start(side, program, launch, &waiter).map_err(|error| (side, error))
        });
        Ok(BotPair {
            bots: bots.collect::<Result<_, _>>()?,
            dialogue: Dialogue::new(listener),
            waiter,
            interrupt,
            line_end: |_| "\n",
            grace: launch.grace,
            may_ponder: launch.ponder,
            reads_first: launch.pinned && !needs_order && pin::are_slices_kept(),
        })
    }

    /// Sets whether the bot is told `ask` before each request, since it does not know the game and
    /// cannot tell requests from other lines.
    pub fn set_needs_ask(&mut self, side: Side, needs_ask: bool) {
        self.bots[side.index()].needs_ask = needs_ask;
    }

    /// Returns the first line that the bot has said without being asked, or the beginning of that
    /// line. Comments do not count.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn unasked_line(&mut self, side: Side) -> io::Result<Option<&[u8]>> {
        let bot = &mut self.bots[side.index()];
        bot.receive()?;
        let mut lines = bot.inbox.partial().split_inclusive(|byte| *byte == b'\n');
        let line = lines.find(|line| !line.starts_with(b"#"));
        Ok(line.map(|line| line.strip_suffix(b"\n").unwrap_or(line)))
    }

    /// Whether the bot has ended its output in the middle of a line, which counted as a whole one.
    #[must_use]
    pub fn has_torn_line(&self, side: Side) -> bool {
        self.bots[side.index()].oddities.no_line_feed
    }

    /// The number of the bot's process, or of its supervisor.
    #[must_use]
    pub fn process(&self, side: Side) -> u32 {
        self.bots[side.index()].process.id()
    }

    /// The processor time the bot has used so far; `None` where that is unknown.
    #[must_use]
    pub fn computed(&self, side: Side) -> Option<Duration> {
        self.bots[side.index()].process.computed()
    }

    /// Starts these clocks, for what is asked from now on: once a game. Without them nothing has a
    /// limit.
    pub fn set_clocks(&mut self, clocks: BySide<Clock>) {
        for bot in &mut self.bots {
            bot.clock = RunningClock::new(clocks[bot.side]);
            bot.unasked = Duration::ZERO;
        }
    }

    /// The time that the bot has for the rest of the game, if it has a clock for the whole game.
    #[must_use]
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        self.bots[side.index()].clock.time_left()
    }

    /// Ends each line that is sent from now on with what `line_end` returns for it, instead of a
    /// line feed.
    pub fn end_lines_with(&mut self, line_end: fn(&[u8]) -> &'static str) {
        self.line_end = line_end;
    }

    /// Tells the bot a line that it does not answer. It travels together with the next question.
    ///
    /// # Errors
    /// If the listener cannot write it down.
    pub fn tell(&mut self, side: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        let outbox = &mut self.bots[side.index()].outbox;
        // The line is formatted straight into the outbox and the listener gets a slice of it: no
        // allocation for a line that is sent some hundred times a game.
        let start = outbox.len();
        outbox.write_fmt(line)?;
        let end = outbox.len();
        outbox.extend_from_slice((self.line_end)(&outbox[start..]).as_bytes());
        self.dialogue
            .on_line(side, LineKind::ToBot, &outbox[start..end])
    }

    /// Asks the bot something that it has to answer in its time, and waits for the answer.
    ///
    /// # Errors
    /// If the bot is at fault, if the referee is interrupted, or if its machine fails it.
    pub fn ask(&mut self, side: Side, line: fmt::Arguments<'_>) -> Result<Answer<'_>, AskError> {
        let mut question = self.put(side, line)?;
        self.answer(&mut question)
    }

    /// Asks the bot something without waiting for the answer. The clock runs from now on.
    ///
    /// # Errors
    /// As [`BotPair::ask`].
    pub fn put(&mut self, side: Side, line: fmt::Arguments<'_>) -> Result<Question, AskError> {
        if self.bots[side.index()].needs_ask {
            self.tell(side, format_args!("ask"))?;
        }
        let start = self.bots[side.index()].outbox.len();
        self.tell(side, line)?;
        let bot = &mut self.bots[side.index()];
        ponder::begin_request(bot);
        let mut words = bot.outbox[start..].split(u8::is_ascii_whitespace);
        let word = str::from_utf8(words.next().unwrap_or_default()).unwrap_or_default();
        word.clone_into(&mut bot.request);
        // Before the clock starts. What a bot has said before it was asked counts, first in, first
        // out, so that the verdict does not depend on timing; but there is a limit.
        if bot.inbox.has_line() {
            // The lines that wait may be all the bot says, or the first of a flood that has filled
            // the pipe as well. Reading on fills the buffer if there is more, and a full buffer is
            // the proof. Without this a bot that prints for ever would play on, as every question
            // would find an answer waiting.
            bot.receive()?;
            if bot.inbox.is_full() {
                return Err(Fault::Flood.into());
            }
            bot.oddities.early |= bot.inbox.has_reply();
        }
        // The clock starts before the write, so the time of a full pipe counts against the bot that
        // does not read it.
        let limit = bot.clock.limit();
        let look = ponder::look_before(&mut self.bots, side, self.may_ponder);
        let mut question = Question::asked_now(side, limit);
        if let Some(look) = look {
            ponder::begin_looks(&mut self.bots, &question, look);
        }
        let bot = &mut self.bots[side.index()];
        if bot.clock.time_left().is_some() {
            question.delay_before = Some(pin::delay());
            question.looks = ponder::Looks::new(limit, true);
        }
        bot.send()?;
        // `send` wrote what the pipe takes (64 KiB on Linux). What is left is queued here; without
        // a limit, a bot that never reads would grow this buffer by a few lines a turn for the
        // length of a series.
        if bot.outbox.len() > MOST_SAID {
            let request = bot.request.clone();
            return Err(Fault::NotReading {
                request,
                limit: None,
            }
            .into());
        }
        Ok(question)
    }

    /// Waits for the next line of the answer to `question`, other than comments. An answer of
    /// several lines is asked for several times, always under the question's own deadline.
    ///
    /// # Errors
    /// As [`BotPair::ask`].
    pub fn answer(&mut self, question: &mut Question) -> Result<Answer<'_>, AskError> {
        let index = question.side.index();
        let (line, time) = loop {
            if let Some(reply) = self.take_reply(question)? {
                break reply;
            }
            if self.bots[index].output_closed {
                // Before the deadline is looked at: how the bot ended says more than that it is
                // late.
                return Err(self.silenced(question)?);
            }
            if self.reads_first && !question.was_read && self.may_read_first(question) {
                question.was_read = true;
                let bot = &mut self.bots[index];
                // What a bot that logs has said there was said before its reply.
                if !bot.log.is_empty() {
                    bot.drain_stderr(&mut self.dialogue)?;
                }
                if bot.receive()? > 0 || bot.output_closed {
                    continue;
                }
            }
            let elapsed = question.asked.elapsed();
            question.end_wait(elapsed);
            if question.time_left(elapsed) == Some(Duration::ZERO) {
                // A reply may have come between the last wait and this moment, or while this
                // process did not run. It counts if it is in the pipe now, so the pipe is read one
                // last time before the bot is judged.
                if !question.last_look {
                    question.look_once_more();
                    self.bots[index].receive()?;
                    // The time that its opponent has used since the last look may postpone the
                    // deadline.
                    if ponder::time_until_look(&self.bots, question, elapsed).is_some() {
                        ponder::look_at_other(&mut self.bots, question, self.may_ponder);
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
            // From here on: a bot that keeps the referee awake with comments must not think in that
            // time for nothing.
            question.delay_before = question.delay_before.map(|_| pin::delay());
            self.wait(question, elapsed)?;
        };
        // A reply that waited for the referee to get a core was there earlier, and so it was before
        // the last look.
        let late = question
            .delay_before
            .map(|before| pin::delay().saturating_sub(before));
        let (lost, look) = ponder::look_at_reply(&mut self.bots, question);
        let time = time.saturating_sub(lost);
        let bot = &mut self.bots[index];
        // Comments answer nothing. Silence until a limit, or until the bot ends, is counted where
        // that is found.
        bot.waited += time;
        if let Some(late) = late {
            bot.clock
                .charge(question.time_charged().saturating_sub(late + look));
        }
        bot.pause.get_or_insert_default();
        let line = bot.inbox.get(line);
        Ok(Answer { line, time })
    }

    /// Takes the next line of the answer, with its time, and the comments before it, as far as they
    /// have come.
    fn take_reply(
        &mut self,
        question: &mut Question,
    ) -> Result<Option<(Range<usize>, Duration)>, AskError> {
        let bot = &mut self.bots[question.side.index()];
        loop {
            let waiting = bot.inbox.len();
            let line = match bot.take_line() {
                Next::Line(line) => line,
                Next::TooLong(line) => {
                    let beginning = text::excerpt(bot.inbox.get(line));
                    return Err(Fault::LineTooLong(beginning).into());
                }
                Next::Incomplete => break,
            };
            // Taken when the line is found, before the listener writes to a file: the bot does not
            // pay for the log.
            let time = question.time_taken();
            let text = bot.inbox.get(line.clone());
            self.dialogue.on_line(bot.side, LineKind::FromBot, text)?;
            let is_comment = text.starts_with(b"#");
            // To the byte, and whatever pieces it came in: what was said before the reply is the
            // same however the scheduler has cut it.
            let said_before = question.said;
            question.said += waiting - bot.inbox.len();
            if said_before > MOST_SAID || is_comment && question.said > MOST_SAID {
                return Err(Fault::Flood.into());
            }
            if !is_comment {
                return Ok(Some((line, time)));
            }
            question.comments = question.comments.saturating_add(1);
            // Not every caller takes them. Of more than 64 KiB the first are kept.
            if bot.comments.len() + text.len() < MOST_SAID {
                bot.comments.extend_from_slice(text);
                bot.comments.push(b'\n');
            }
        }
        // A comment that has no end yet. An unfinished reply is bounded by the length of a line.
        let unfinished = bot.inbox.partial();
        if unfinished.starts_with(b"#") && question.said + unfinished.len() > MOST_SAID {
            return Err(Fault::Flood.into());
        }
        Ok(None)
    }

    /// Whether the pipe may be read before the wait: not if something else is to be seen first.
    fn may_read_first(&self, question: &Question) -> bool {
        let until_look = ponder::time_until_look(&self.bots, question, Duration::ZERO);
        until_look != Some(Duration::ZERO) && !self.interrupt.is_noted()
    }

    /// Waits until something happens with one of the bots, at most until the deadline, and sees to
    /// it. `elapsed` is the time since the question was asked.
    pub(super) fn wait(
        &mut self,
        question: &mut Question,
        elapsed: Duration,
    ) -> Result<(), AskError> {
        // The time until an absolute deadline, recomputed for every wait. No byte of the bot and no
        // signal extends it, so a bot that drips a byte a second is late all the same.
        let side = question.side;
        let until_look = ponder::time_until_look(&self.bots, question, elapsed);
        let until_deadline = question
            .time_left(elapsed)
            .map(|left| left.min(LONGEST_WAIT));
        // The earlier of the two, where there are two.
        let left = until_look.into_iter().chain(until_deadline).min();
        let asked = &self.bots[side.index()];
        let asked = (&asked.streams, !asked.outbox.is_empty());
        let other = self.bots.get(side.other().index()).map(|it| &it.streams);
        question.begin_wait(elapsed, left);
        let ready = self.waiter.wait(side, asked, other, left)?;
        if until_look == Some(Duration::ZERO) {
            ponder::look_at_other(&mut self.bots, question, self.may_ponder);
        }
        // Before anything is read: the terminal sends Ctrl-C to every process in the foreground, so
        // it also ends the process of a human player. Judged first, that exit would be a forfeit.
        if self.interrupt.is_noted() {
            return Err(AskError::Interrupted);
        }
        // Both are read, whichever bot is asked. A bot that writes more to standard error than its
        // pipe holds would otherwise block there, and lose by timeout in its opponent's turn or its
        // own.
        if ready.stderr {
            for bot in &mut self.bots {
                bot.drain_stderr(&mut self.dialogue)?;
            }
        }
        let bot = &mut self.bots[side.index()];
        if ready.writable {
            bot.send()?;
        }
        // The exit and the last bytes are reported together, so a process that has ended may still
        // have a reply in the pipe. Only an empty read after the exit ends the output. Waiting for
        // the end of file instead could take for ever: a child of the bot may hold the pipe open.
        let ended = ready.ended || Streams::HIDE_EXIT && bot.is_long_over()?;
        if ready.readable || ended {
            let received = bot.receive()?;
            if ended && received == 0 {
                bot.close_output();
            }
        }
        Ok(())
    }

    /// The verdict on a bot whose time is over.
    fn timeout(&mut self, question: &Question) -> AskError {
        let bot = &mut self.bots[question.side.index()];
        let clock = bot.clock.clock;
        if let Clock::Fuel { .. } = clock {
            let why = "the program that runs the bot neither replied nor ended it";
            return AskError::MachineLate(why.to_owned());
        }
        let elapsed = question.asked.elapsed();
        // Its earlier computing took place while it was asked, except for its start.
        let computed = bot.process.computed().unwrap_or_default();
        let is_computing = 5 * computed.saturating_sub(bot.waited) >= 4 * elapsed;
        bot.waited += elapsed;
        let request = bot.request.clone();
        let limit = question.limit.unwrap_or_default();
        // The kinds of silence have different remedies, so a reason names which it was: input not
        // read, nothing written (often a stdout that is not flushed), comments only, or a line
        // without its newline.
        let mut waited = Waited::of(bot.inbox.partial(), question.comments);
        let has_unread = !bot.outbox.is_empty() || bot.streams.unread() > 0;
        let mut has_not_read = false;
        if bot.on_terminal {
            waited = Waited::Person;
        } else if let Waited::Silence(flushing) = &mut waited {
            has_not_read = has_unread;
            *flushing = bot.flushing;
            if is_computing && !has_unread {
                waited = Waited::Computing;
            }
        }
        let fault = match clock {
            Clock::Game { total, increment } => Fault::OutOfTime {
                request,
                left: limit,
                total,
                increment,
                waited,
            },
            _ if has_not_read => Fault::NotReading {
                request,
                limit: Some(limit),
            },
            Clock::Wall(_) | Clock::Fuel { .. } | Clock::None => Fault::Timeout {
                request,
                limit,
                waited,
            },
        };
        fault.into()
    }

    /// Why there is no answer from a bot that has closed its output.
    fn silenced(&mut self, question: &Question) -> io::Result<AskError> {
        let bot = &mut self.bots[question.side.index()];
        let elapsed = question.asked.elapsed();
        bot.waited += elapsed;
        // At least a millisecond: end of file on the pipe comes a moment before the process can be
        // waited for. At most the time of the question: the verdict must not come much later than
        // the deadline.
        let left = question.time_left(elapsed).unwrap_or(PATIENCE_WITH_EXIT);
        let patience = left.clamp(Duration::from_millis(1), PATIENCE_WITH_EXIT);
        let status = bot.wait_for_its_end(patience)?;
        if status.is_some() && bot.on_terminal {
            // Ctrl-C ends it too, and may be heard here a moment later.
            self.interrupt.wait(Some(PATIENCE_WITH_CTRL_C))?;
        }
        bot.drain_stderr(&mut self.dialogue)?;
        if status.is_some() {
            // The last words of a bot may still be on their way: the thread that reads standard
            // error, where there is one, may be behind. A child of the bot may hold the pipe open,
            // so the wait is limited.
            let until = Instant::now() + PATIENCE_WITH_EXIT;
            while !bot.stderr_closed && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
                bot.drain_stderr(&mut self.dialogue)?;
            }
        }
        // As above: Ctrl-C may be why the process is gone.
        if self.interrupt.is_noted() {
            return Ok(AskError::Interrupted);
        }
        let Some(status) = status else {
            let request = bot.request.clone();
            return Ok(Fault::ClosedOutput { request }.into());
        };
        match bot.used_too_much() {
            Ok(Some(what)) => return Ok(Fault::UsedTooMuch(what).into()),
            Ok(None) => {}
            Err(error) if error.is_of_machine() => {
                let what = format!("the start of a bot failed: {error}");
                return Ok(AskError::Io(io::Error::other(what)));
            }
            Err(error) => return Ok(Fault::NotStarted(error.to_string()).into()),
        }
        if bot.is_ended_for_memory() {
            return Ok(AskError::MachineLate(self.end_for_memory(question.side)?));
        }
        Ok(bot.hosts_verdict(question).unwrap_or_else(|| {
            let last_words = last_words(&bot.log);
            Fault::Exited { status, last_words }.into()
        }))
    }

    /// Why the kernel has ended the bot on `side`, which kept its limits: as a sentence.
    fn end_for_memory(&mut self, side: Side) -> io::Result<String> {
        let ended = format!(
            "the machine ran out of memory, and the kernel ended player {}, which kept its limits",
            side.index() + 1
        );
        let Some(other) = self.bots.get_mut(side.other().index()) else {
            return Ok(ended);
        };
        // Its supervisor may be about to end it, and to say why.
        other.wait_for_its_end(PATIENCE_WITH_OTHER)?;
        Ok(match other.used_too_much() {
            Ok(Some(excess)) => {
                let other = side.other().index() + 1;
                format!("{ended}; player {other} {excess}")
            }
            _ => ended,
        })
    }

    /// Ends both bots: tells one that has failed why, the other to quit, waits a little and kills
    /// what is left. `failed` has the reason for each bot that has failed. Returns the
    /// oddities of each, up to its end.
    ///
    /// # Errors
    /// If the operating system fails; the bots are killed all the same.
    pub fn end(mut self, failed: BySide<Option<&str>>) -> io::Result<BySide<Oddities>> {
        // Both are asked to quit before either is waited for, so their graces run at the same time.
        let now = Instant::now();
        let mut oddities = BySide::default();
        for side in Side::BOTH.into_iter().take(self.bots.len()) {
            if let Some(reason) = failed[side] {
                let partial = self.bots[side.index()].inbox.partial();
                if !partial.is_empty() {
                    let partial = &partial[..partial.len().min(MAX_LINE)];
                    self.dialogue.on_line(side, LineKind::Unfinished, partial)?;
                }
                self.tell(side, format_args!("error {reason}"))?;
            }
            self.tell(side, format_args!("{QUIT}"))?;
            let bot = &mut self.bots[side.index()];
            ponder::begin_request(bot);
            bot.send()?;
            bot.streams.close_stdin();
        }
        // While they live: the processor time of one that has ended is not to be found any more.
        for bot in &self.bots {
            oddities[bot.side] = bot.oddities(self.may_ponder);
        }
        for bot in &mut self.bots {
            // A bot that has failed gets less time: it may be stuck, and there is no more to lose.
            let grace = failed[bot.side].map_or(self.grace, |_| GRACE_AFTER_FAULT);
            let oddities = &mut oddities[bot.side];
            oddities.not_all_ended = !bot.end(now + grace, &mut self.dialogue)?;
            oddities.remains = bot.remains();
        }
        self.dialogue.finish()?;
        Ok(oddities)
    }
}

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

    fn refuse(&mut self, to: Side, reason: &str) -> io::Result<()> {
        self.bots[to.index()].clock.take_back_increment();
        BotPair::tell(self, to, format_args!("again {reason}"))
    }

    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.interrupt.flag())
    }

    fn comments(&mut self, of: Side) -> Vec<u8> {
        std::mem::take(&mut self.bots[of.index()].comments)
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
