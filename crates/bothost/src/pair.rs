//! Two bots that play against each other: from a request to its answer, or to the verdict on a bot that gives none.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wire::line::MAX_LINE;
use wire::{Answer, BySide, Clock, Side, text};

use super::bot::BotProcess;
use super::deadline::{AskError, Lateness, Question, RunningClock};
use super::inbox::{MOST_SAID, Next};
use super::ponder::Ponder;
use super::system::{Streams, Waiter};
use super::{BotProgram, Fault, Interrupt, Launch, Spoken, StartError, Waited, Wiretap, pin};

/// The request to leave.
pub(super) const QUIT: &str = "quit";

/// The time that a bot that has failed may take to log the reason and leave. Short, because the game is decided and the
/// other bot of the series waits for it.
const GRACE_AFTER_FAULT: Duration = Duration::from_millis(100);

/// The time that a bot that has closed its output may take to exit. After that it counts as alive with a closed output,
/// which is another fault. A second is long because on a busy machine the exit of a process, or of its supervisor,
/// takes its time.
const PATIENCE_WITH_EXIT: Duration = Duration::from_secs(1);

/// Time by which the referee may hear a Ctrl-C later than a bot on the terminal: it reaches both, each in its own time.
const PATIENCE_WITH_CTRL_C: Duration = Duration::from_millis(100);

/// What was odd about a bot and no fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Whether it answered a request before it was made. A flag and no count: how many early lines the referee
    /// finds depends on timing, and a record should not.
    pub early: bool,
    /// Whether it ended its output in the middle of a line.
    pub no_line_feed: bool,
    /// The processor time it has used, if that is far more than the time it was asked in allows.
    pub computed_unasked: Option<Duration>,
    /// The processor time it has used while it was not asked until it was stopped, if it was.
    pub stopped_after: Option<Duration>,
    /// Whether its supervisor took too long to end what it has started, and was killed: processes of it may be left.
    /// Known after its end only.
    pub not_all_ended: bool,
    /// The files of it that could not be removed, and why. Known after its end only.
    pub remains: Option<String>,
}

/// Two bots that play against each other, or one by itself, and the referee's side of their pipes. The standard error
/// of both is read whenever one of them is waited for, so that neither can get stuck there.
#[derive(Debug)]
pub struct BotPair {
    /// By side; there is no second if a bot is alone.
    pub(super) bots: Vec<BotProcess>,
    waiter: Waiter,
    clocks: BySide<RunningClock>,
    ponder: Ponder,
    pub(super) interrupt: Arc<Interrupt>,
    wiretap: Option<Box<dyn Wiretap>>,
    /// The end of a line that is sent to a bot.
    line_end: fn(&[u8]) -> &'static str,
    /// The time that a bot may take to quit.
    grace: Duration,
    started: Instant,
    /// The total time each bot has taken to answer.
    waited: BySide<Duration>,
    oddities: BySide<Oddities>,
    /// The comments of each bot since they were taken last, with a line feed behind each.
    comments: BySide<Vec<u8>>,
    /// Whether a reply is likely to be there before the referee waits for it.
    reads_first: bool,
    /// Whether each bot is told `ask` before a request: one that does not know the game cannot tell requests from other lines.
    needs_ask: BySide<bool>,
}

impl BotPair {
    /// Starts both programs. `wiretap` hears everything that is said.
    ///
    /// # Errors
    /// If one cannot be started; the other is ended then.
    pub fn start(
        programs: BySide<&BotProgram>,
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<BotPair, (Side, StartError)> {
        BotPair::of(&[programs.one, programs.two], launch, interrupt, wiretap)
    }

    /// Starts one program by itself, on the side [`Side::One`]. The other side stays empty.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn alone(
        program: &BotProgram,
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<BotPair, StartError> {
        BotPair::of(&[program], launch, interrupt, wiretap).map_err(|(_, error)| error)
    }

    fn of(
        programs: &[&BotProgram],
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<BotPair, (Side, StartError)> {
        // Bots inherit the core of the thread that starts them, so this thread goes first. Where that is refused, all
        // run wherever the system puts them.
        let _ = launch.pinned && pin::to_this_core();
        let waiter = Waiter::new(&interrupt);
        // If the second program fails to start, `collect` drops the first bot, which kills it.
        let bots = Side::BOTH.into_iter().zip(programs).map(|(side, program)| {
            BotProcess::start(program, launch, &waiter).map_err(|error| (side, error))
        });
        Ok(BotPair {
            bots: bots.collect::<Result<_, _>>()?,
            waiter,
            clocks: BySide::default(),
            ponder: Ponder::new(launch.ponder),
            interrupt,
            line_end: |_| "\n",
            grace: launch.grace,
            started: Instant::now(),
            waited: BySide::default(),
            oddities: BySide::default(),
            comments: BySide::default(),
            reads_first: launch.pinned
                && wiretap
                    .as_ref()
                    .is_none_or(|wiretap| !wiretap.needs_order())
                && pin::are_slices_kept(),
            wiretap,
            needs_ask: BySide::default(),
        })
    }

    /// Sets whether the bot is told `ask` before each request, since it does not know the game.
    pub fn set_needs_ask(&mut self, side: Side, needs_ask: bool) {
        self.needs_ask[side] = needs_ask;
    }

    /// Returns the first line that the bot has said without being asked, or the beginning of that line. Comments do not count.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn unasked_line(&mut self, side: Side) -> io::Result<Option<&[u8]>> {
        let bot = &mut self.bots[side.index()];
        bot.receive()?;
        let text = bot.inbox.partial();
        if text.is_empty() {
            return Ok(None);
        }
        let mut lines = text
            .strip_suffix(b"\n")
            .unwrap_or(text)
            .split(|byte| *byte == b'\n');
        Ok(lines.find(|line| !line.starts_with(b"#")))
    }

    /// Whether the bot has ended its output in the middle of a line, which counted as a whole one.
    #[must_use]
    pub fn has_torn_line(&self, side: Side) -> bool {
        self.oddities[side].no_line_feed
    }

    /// The number of the bot's process, or of its supervisor.
    #[must_use]
    pub fn process(&self, side: Side) -> u32 {
        self.bots[side.index()].process.id()
    }

    /// What was odd about the bot so far.
    #[must_use]
    pub fn oddities(&self, side: Side) -> Oddities {
        // Twice the time it was asked in, for bots with a second thread, and a second for starting an interpreter. The
        // point is to show a bot that thinks in its opponent's time, not to measure one.
        let much = 2 * self.waited[side] + Duration::from_secs(1);
        let computed = self.computed(side).filter(|computed| *computed > much);
        // Fuel bounds what a module computes, and warnings would depend on the machine.
        let counts = !matches!(self.clocks[side].clock, Clock::Fuel { .. });
        Oddities {
            computed_unasked: computed.filter(|_| counts && !self.ponder.is_allowed),
            stopped_after: self.ponder.stopped_after[side].filter(|_| counts),
            ..self.oddities[side].clone()
        }
    }

    /// The processor time the bot has used so far; `None` where that is unknown.
    #[must_use]
    pub fn computed(&self, side: Side) -> Option<Duration> {
        self.bots[side.index()].process.computed()
    }

    /// Starts these clocks, for what is asked from now on: once a game. Without them nothing has a limit.
    pub fn set_clocks(&mut self, clocks: BySide<Clock>) {
        self.clocks = clocks.map(RunningClock::new);
    }

    /// The time that the bot has for the rest of the game, if it has a clock for the whole game.
    #[must_use]
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        self.clocks[side].time_left()
    }

    /// Takes the comments that the bot has said before its replies since they were taken last: lines that begin with `#`,
    /// each with a line feed behind it. Of more than 64 KiB the first are kept.
    #[must_use]
    pub fn take_comments(&mut self, side: Side) -> Vec<u8> {
        std::mem::take(&mut self.comments[side])
    }

    /// Ends each line that is sent from now on with what `line_end` returns for it, instead of a line feed.
    pub fn end_lines_with(&mut self, line_end: fn(&[u8]) -> &'static str) {
        self.line_end = line_end;
    }

    /// Tells the bot a line that it does not answer. It travels together with the next question.
    ///
    /// # Errors
    /// If the wiretap cannot write it down.
    pub fn tell(&mut self, side: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        let outbox = &mut self.bots[side.index()].outbox;
        // The line is formatted straight into the outbox and the wiretap gets a slice of it: no allocation
        // for a line that is sent some hundred times a game.
        let start = outbox.len();
        outbox.write_fmt(line)?;
        let end = outbox.len();
        outbox.extend_from_slice((self.line_end)(&outbox[start..]).as_bytes());
        match &mut self.wiretap {
            Some(wiretap) => wiretap.hear(
                side,
                Spoken::ToBot,
                &outbox[start..end],
                self.started.elapsed(),
            ),
            None => Ok(()),
        }
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
        if self.needs_ask[side] {
            self.tell(side, format_args!("ask"))?;
        }
        let start = self.bots[side.index()].outbox.len();
        self.tell(side, line)?;
        self.ponder.begin_request(&mut self.bots, side);
        let bot = &mut self.bots[side.index()];
        let mut words = bot.outbox[start..].split(u8::is_ascii_whitespace);
        bot.request.clear();
        bot.request
            .push_str(str::from_utf8(words.next().unwrap_or_default()).unwrap_or_default());
        // Before the clock starts. What a bot has said before it was asked counts, first in, first out, so that the
        // verdict does not depend on timing; but there is a limit.
        if bot.inbox.has_line() {
            // The lines that wait may be all the bot says, or the first of a flood that has filled the pipe
            // as well. Reading on fills the buffer if there is more, and a full buffer is the proof. Without
            // this a bot that prints for ever would play on, as every question would find an answer waiting.
            bot.receive()?;
            if bot.inbox.is_full() {
                return Err(Fault::Flood.into());
            }
            self.oddities[side].early |= bot.inbox.has_reply();
        }
        // The clock starts before the write, so the time of a full pipe counts against the bot that does not
        // read it.
        let mut question = Question::asked_now(side, self.clocks[side].limit());
        question.delay_before = self.clocks[side].time_left().map(|_| pin::delay());
        bot.send()?;
        // `send` wrote what the pipe takes (64 KiB on Linux). What is left is queued here; without a limit, a
        // bot that never reads would grow this buffer by a few lines a turn for the length of a series.
        if bot.outbox.len() > MOST_SAID {
            return Err(Fault::NotReading {
                request: bot.request.clone(),
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
            let waiting = bot.inbox.len();
            let next = match bot.inbox.take_line() {
                // After the end of the output nothing can complete the line, so it counts as one if it came in time.
                // Many bots end with a print that has no newline.
                Next::Incomplete if bot.output_closed && !bot.inbox.partial().is_empty() => {
                    self.oddities[side].no_line_feed = true;
                    bot.inbox.take_unfinished_line()
                }
                next @ (Next::Line(_) | Next::TooLong(_) | Next::Incomplete) => next,
            };
            match next {
                Next::Line(line) => {
                    // Taken when the line is found, before the wiretap writes to a file: the bot does not pay
                    // for the log.
                    let time = question.time_taken();
                    let said = bot.inbox.get(line.clone());
                    if let Some(wiretap) = &mut self.wiretap {
                        wiretap.hear(side, Spoken::FromBot, said, self.started.elapsed())?;
                    }
                    let is_comment = said.starts_with(b"#");
                    let said_before = question.said;
                    question.said += waiting - bot.inbox.len();
                    // To the byte, and whatever pieces it came in: what was said before the reply is the same
                    // however the scheduler has cut it.
                    let counted = if is_comment {
                        question.said
                    } else {
                        said_before
                    };
                    if counted > MOST_SAID {
                        return Err(Fault::Flood.into());
                    }
                    if is_comment {
                        question.comments = question.comments.saturating_add(1);
                        // Not every caller takes them.
                        let kept = &mut self.comments[side];
                        if kept.len() + line.len() < MOST_SAID {
                            kept.extend_from_slice(bot.inbox.get(line));
                            kept.push(b'\n');
                        }
                        continue;
                    }
                    // Comments answer nothing. Silence until a limit, or until the bot ends, is counted where that is found.
                    self.waited[side] += time;
                    // A reply that waited for the referee to get a core was there earlier.
                    if let Some(before) = question.delay_before {
                        let late = pin::delay().saturating_sub(before);
                        let used = question.time_charged().saturating_sub(late);
                        self.clocks[side].charge(used);
                    }
                    self.ponder.end_request(side);
                    let line = self.bots[side.index()].inbox.get(line);
                    return Ok(Answer { line, time });
                }
                Next::TooLong(line) => {
                    let beginning = text::excerpt(bot.inbox.get(line));
                    return Err(Fault::LineTooLong(beginning).into());
                }
                Next::Incomplete => {}
            }
            // A comment that has no end yet. An unfinished reply is bounded by the length of a line.
            let unfinished = bot.inbox.partial();
            if unfinished.starts_with(b"#") && question.said + unfinished.len() > MOST_SAID {
                return Err(Fault::Flood.into());
            }
            if bot.output_closed {
                // Before the deadline is looked at: how the bot ended says more than that it is late.
                return Err(self.silenced(question)?);
            }
            if self.reads_first && !question.was_read && self.may_read_first(question) {
                question.was_read = true;
                let bot = &mut self.bots[side.index()];
                // What a bot that logs has said there was said before its reply.
                if !bot.log.is_empty() {
                    self.drain_stderr(side)?;
                }
                let bot = &mut self.bots[side.index()];
                if bot.receive()? > 0 || bot.output_closed {
                    continue;
                }
            }
            let elapsed = question.asked.elapsed();
            if question.time_left(elapsed) == Some(Duration::ZERO) {
                // A reply may have come between the last wait and this moment, or while this process did not
                // run. It counts if it is in the pipe now, so the pipe is read one last time before the bot
                // is judged.
                if !question.last_look {
                    question.look_once_more();
                    self.bots[side.index()].receive()?;
                    // The time that its opponent has used since the last look may postpone the deadline.
                    if self
                        .ponder
                        .time_until_look(&self.bots, question, elapsed)
                        .is_some()
                    {
                        self.ponder.look_at_other(&mut self.bots, question);
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
            // From here on: a bot that keeps the referee awake with comments must not think in that time for nothing.
            question.delay_before = question.delay_before.map(|_| pin::delay());
            self.wait(question, elapsed)?;
        }
    }

    /// Whether the pipe may be read before the wait: not if something else is to be seen first.
    fn may_read_first(&self, question: &Question) -> bool {
        let elapsed = Duration::ZERO;
        let until_look = self.ponder.time_until_look(&self.bots, question, elapsed);
        until_look != Some(Duration::ZERO) && !self.interrupt.is_noted()
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
        let until_look = self.ponder.time_until_look(&self.bots, question, elapsed);
        // The earlier of the two, where there are two.
        let left = until_look.into_iter().chain(left).min();
        let mut bots = self.bots.iter();
        let (one, two) = (bots.next(), bots.next());
        let (asked, other) = match side {
            Side::One => (one, two),
            Side::Two => (two, one),
        };
        let asked = asked.expect("only a bot that was started is asked");
        let other = other.map(|other| &other.streams);
        let asked = (&asked.streams, !asked.outbox.is_empty());
        let ready = self.waiter.wait(side, asked, other, left)?;
        if until_look == Some(Duration::ZERO) {
            self.ponder.look_at_other(&mut self.bots, question);
        }
        // Before anything is read: the terminal sends Ctrl-C to every process in the foreground, so it also ends the
        // process of a human player. Judged first, that exit would be a forfeit.
        if self.interrupt.is_noted() {
            return Err(AskError::Interrupted);
        }
        // Both are read, whichever bot is asked. A bot that writes more to standard error than its pipe holds
        // would otherwise block there, and lose by timeout in its opponent's turn or its own.
        if ready.stderr {
            for side in Side::BOTH.into_iter().take(self.bots.len()) {
                self.drain_stderr(side)?;
            }
        }
        let bot = &mut self.bots[side.index()];
        if ready.writable {
            bot.send()?;
        }
        // The exit and the last bytes are reported together, so a process that has ended may still have a
        // reply in the pipe. Only an empty read after the exit ends the output. Waiting for the end of file
        // instead could take for ever: a child of the bot may hold the pipe open.
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
        let side = question.side;
        let clock = self.clocks[side].clock;
        if let Clock::Fuel { .. } = clock {
            let why = "the program that runs the bot neither replied nor ended it";
            return AskError::MachineLate(why.to_owned());
        }
        let elapsed = question.asked.elapsed();
        // Its earlier computing took place while it was asked, except for its start.
        let computed = self.computed(side).unwrap_or_default();
        let is_computing = 5 * computed.saturating_sub(self.waited[side]) >= 4 * elapsed;
        self.waited[side] += elapsed;
        let bot = &self.bots[side.index()];
        let (request, limit) = (bot.request.clone(), question.limit.unwrap_or_default());
        // The kinds of silence have different remedies, so a reason names which it was: input not read,
        // nothing written (often a stdout that is not flushed), comments only, or a line without its newline.
        let is_silent = bot.inbox.partial().is_empty() && question.comments == 0;
        let has_unread = !bot.outbox.is_empty() || bot.streams.unread() > 0;
        let waited = if bot.on_terminal {
            Waited::Person
        } else if is_silent && is_computing && !has_unread {
            Waited::Computing
        } else {
            Waited::of(bot.inbox.partial(), question.comments)
        };
        let fault = match clock {
            Clock::Game { total, increment } => Fault::OutOfTime {
                request,
                left: limit,
                total,
                increment,
                waited,
            },
            _ if is_silent && has_unread && !bot.on_terminal => Fault::NotReading {
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
        let side = question.side;
        let elapsed = question.asked.elapsed();
        self.waited[side] += elapsed;
        // At least a millisecond: end of file on the pipe comes a moment before the process can be waited
        // for. At most the time of the question: the verdict must not come much later than the deadline.
        let left = question.time_left(elapsed).unwrap_or(PATIENCE_WITH_EXIT);
        let patience = left.clamp(Duration::from_millis(1), PATIENCE_WITH_EXIT);
        let bot = &mut self.bots[side.index()];
        let status = bot.wait_for_its_end(patience)?;
        if status.is_some() && bot.on_terminal {
            // Ctrl-C ends it too, and may be heard here a moment later.
            self.interrupt.wait(Some(PATIENCE_WITH_CTRL_C))?;
        }
        self.drain_stderr(side)?;
        if status.is_some() {
            // The last words of a bot may still be on their way: the thread that reads standard error, where there is
            // one, may be behind. A child of the bot may hold the pipe open, so the wait is limited. Under a supervisor
            // it is short: the supervisor exits last, and its exit closes the pipe.
            let until = Instant::now() + PATIENCE_WITH_EXIT;
            while !self.bots[side.index()].stderr_closed && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
                self.drain_stderr(side)?;
            }
        }
        // As above: Ctrl-C may be why the process is gone.
        if self.interrupt.is_noted() {
            return Ok(AskError::Interrupted);
        }
        let bot = &mut self.bots[side.index()];
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
        let verdict = bot.hosts_verdict(question, self.clocks[side].clock);
        Ok(verdict.unwrap_or_else(|| {
            let last_words = bot.log.last_words();
            Fault::Exited { status, last_words }.into()
        }))
    }

    pub(super) fn drain_stderr(&mut self, side: Side) -> io::Result<()> {
        let after = self.started.elapsed();
        let mut heard = Ok(());
        self.bots[side.index()].drain_stderr(|piece| {
            if let (Some(wiretap), Ok(())) = (&mut self.wiretap, &heard) {
                heard = wiretap.hear(side, Spoken::Stderr, piece, after);
            }
        })?;
        heard
    }

    /// Lets the wiretap hear `line`.
    pub(super) fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8]) -> io::Result<()> {
        let after = self.started.elapsed();
        self.wiretap
            .as_mut()
            .map_or(Ok(()), |wiretap| wiretap.hear(side, spoken, line, after))
    }

    /// Lets the wiretap know that there is no more to hear.
    pub(super) fn finish_listening(&mut self) -> io::Result<()> {
        self.wiretap
            .as_mut()
            .map_or(Ok(()), |wiretap| wiretap.finish())
    }

    /// Ends both bots: tells one that has failed why, the other to quit, waits a little and kills what is
    /// left. `failed` has the reason for each bot that has failed. Returns what was odd about each, up to its end.
    ///
    /// # Errors
    /// If the operating system fails; the bots are killed all the same.
    pub fn end(mut self, failed: BySide<Option<&str>>) -> io::Result<BySide<Oddities>> {
        // Both are asked to quit before either is waited for, so their graces run at the same time.
        let now = Instant::now();
        let sides = Side::BOTH.into_iter().take(self.bots.len());
        let mut oddities = BySide::default();
        for side in sides.clone() {
            if let Some(reason) = failed[side] {
                let partial = self.bots[side.index()].inbox.partial();
                if !partial.is_empty() {
                    let partial = partial[..partial.len().min(MAX_LINE)].to_vec();
                    self.hear(side, Spoken::Unfinished, &partial)?;
                }
                self.tell(side, format_args!("error {reason}"))?;
            }
            self.tell(side, format_args!("{QUIT}"))?;
            self.ponder.begin_request(&mut self.bots, side);
            let bot = &mut self.bots[side.index()];
            bot.send()?;
            bot.streams.close_stdin();
        }
        // While they live: the processor time of one that has ended is not to be found any more.
        for side in sides.clone() {
            oddities[side] = self.oddities(side);
        }
        for side in sides {
            // A bot that has failed gets less time: it may be stuck, and there is no more to lose.
            let grace = failed[side].map_or(self.grace, |_| GRACE_AFTER_FAULT);
            let after = self.started.elapsed();
            let bot = &mut self.bots[side.index()];
            let all_ended = bot.end(now + grace, |piece| {
                if let Some(wiretap) = &mut self.wiretap {
                    // The game is decided, so a wiretap that cannot write these last words must not keep the bots
                    // alive.
                    let _ = wiretap.hear(side, Spoken::Stderr, piece, after);
                }
            })?;
            oddities[side].not_all_ended = !all_ended;
            oddities[side].remains = bot.remains();
        }
        self.finish_listening()?;
        Ok(oddities)
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
