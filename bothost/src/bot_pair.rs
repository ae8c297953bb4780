//! Two bots that play against each other: what they are told and asked, and how they are ended.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use battleship::BySide;
use battleship::protocol::MAX_LINE;

use super::bot::Bot;
use super::inbox::{CAPACITY, Next};
use super::question::Lateness;
use super::stderr::SupervisorSays;
use super::wait::{Happened, Waiter};
use super::{
    Answer, AskError, Fault, Interrupt, Launch, Message, Program, Question, Side, Spoken,
    StartError, Waited, Wiretap, text,
};

/// What asks a bot to leave.
pub(super) const QUIT: &str = "quit";

/// How long a bot that has closed its output may take to exit. After that it counts as alive with a closed output,
/// which is another fault. A second is long because on a busy machine the exit of a process, or of its supervisor,
/// takes its time.
const PATIENCE_WITH_EXIT: Duration = Duration::from_secs(1);

/// How long a bot that has failed may take to log the reason and leave. Short, because the game is decided and the
/// other bot of the series waits for it.
const GRACE_AFTER_FAULT: Duration = Duration::from_millis(100);

/// How long a bot may take to quit, unless [`Launch::grace`] says otherwise.
pub const GRACE: Duration = Duration::from_millis(500);

/// What was irregular about a bot without being a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Irregularities {
    /// Whether it answered a request before it was made. A flag and no count: how many early lines the referee
    /// finds depends on timing, and a record should not.
    pub early: bool,
    /// Whether it ended its output in the middle of a line.
    pub no_line_feed: bool,
    /// The processor time it has used, if that is far more than the time it was asked in allows.
    pub computed_unasked: Option<Duration>,
}

/// Two bots that play against each other, or one by itself, and the referee's side of their pipes. The standard error
/// of both is read whenever one of them is waited for, so that neither can get stuck there.
#[derive(Debug)]
pub struct BotPair {
    /// By side; there is no second if a bot is alone.
    pub(super) bots: Vec<Bot>,
    waiter: Waiter,
    irregularities: BySide<Irregularities>,
    /// The end of the lines that are sent to bots.
    line_end: &'static str,
    /// What follows the last word of the lines that a later version of the protocol may extend.
    more_words: &'static str,
    /// Whether an early answer or a missing line feed is a fault.
    strict: bool,
    /// The total time each bot has taken to answer.
    waited: BySide<Duration>,
    /// How long a bot may take to quit.
    grace: Duration,
    /// Whether the bots run on the core of this thread, so that yielding it lets them answer.
    pinned: bool,
    started: Instant,
    interrupt: Arc<Interrupt>,
    wiretap: Option<Box<dyn Wiretap>>,
}

impl BotPair {
    /// Starts both programs.
    ///
    /// # Errors
    /// If one cannot be started; the other is ended then.
    pub fn start(
        programs: BySide<&Program>,
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
        program: &Program,
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<BotPair, StartError> {
        BotPair::of(&[program], launch, interrupt, wiretap).map_err(|(_, error)| error)
    }

    fn of(
        programs: &[&Program],
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<BotPair, (Side, StartError)> {
        let (waiter, wake) = Waiter::new(launch.threads);
        let start = |(side, program): (Side, &&Program)| {
            Bot::start(program, launch, wake.as_ref()).map_err(|error| (side, error))
        };
        // If the second program fails to start, `collect` drops the first bot, which kills it.
        let bots = Side::BOTH.into_iter().zip(programs).map(start).collect::<Result<_, _>>()?;
        Ok(BotPair {
            bots,
            waiter,
            irregularities: BySide::default(),
            line_end: "\n",
            more_words: "",
            waited: BySide::default(),
            strict: launch.strict,
            grace: launch.grace,
            pinned: launch.pinned,
            started: Instant::now(),
            interrupt,
            wiretap,
        })
    }

    /// Returns what was irregular about the bot so far.
    #[must_use]
    pub fn irregularities(&self, side: Side) -> Irregularities {
        let waited = self.waited[side];
        let computed = self.computed(side);
        // Twice the time it was asked in, for bots with a second thread, and a second for starting an interpreter. The
        // point is to show a bot that thinks in its opponent's time, not to measure one.
        let much = |computed: &Duration| *computed > 2 * waited + Duration::from_secs(1);
        Irregularities { computed_unasked: computed.filter(much), ..self.irregularities[side] }
    }

    /// Returns the processor time the bot has used so far; `None` where that is unknown.
    #[must_use]
    pub fn computed(&self, side: Side) -> Option<Duration> {
        self.bots[side.index()].cpu_time()
    }

    /// Tells the wiretap what the bots are called, which may be known only after their greeting.
    pub fn set_names(&mut self, names: &BySide<String>) {
        if let Some(wiretap) = &mut self.wiretap {
            wiretap.set_names(names);
        }
    }

    /// Ends lines to bots with a carriage return and a line feed from now on, as some systems do.
    pub fn end_lines_with_carriage_returns(&mut self) {
        self.line_end = "\r\n";
    }

    /// Lets these words follow the last one of every line that may have more in a later version of the protocol.
    pub fn say_more(&mut self, words: &'static str) {
        self.more_words = words;
    }

    /// Tells the bot something that it does not answer. It travels together with the next question.
    ///
    /// # Errors
    /// If the wiretap cannot write it down.
    pub fn tell(&mut self, side: Side, notice: &impl Message) -> io::Result<()> {
        let more = if notice.ends_with_text() { "" } else { self.more_words };
        self.tell_line(side, format_args!("{notice}{more}"))
    }

    /// Tells the bot a line of any words, as [`BotPair::tell`] does: bots ignore lines that they do not know.
    ///
    /// # Errors
    /// As [`BotPair::tell`].
    pub fn tell_line(&mut self, side: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        let outbox = self.bots[side.index()].outbox();
        // The line is formatted straight into the outbox and the wiretap gets a slice of it: no allocation
        // for a line that is sent some hundred times a game.
        let start = outbox.len();
        outbox.write_fmt(line)?;
        let end = outbox.len();
        outbox.extend_from_slice(self.line_end.as_bytes());
        let line = &outbox[start..end];
        match &mut self.wiretap {
            Some(wiretap) => wiretap.hear(side, Spoken::ToBot, line, self.started.elapsed()),
            None => Ok(()),
        }
    }

    /// Asks the bot something that it has to answer within `limit`, and waits for the answer.
    ///
    /// # Errors
    /// If the bot is at fault, if the referee is interrupted, or if its machine fails it.
    pub fn ask(
        &mut self,
        side: Side,
        request: &impl Message,
        limit: Option<Duration>,
    ) -> Result<Answer<'_>, AskError> {
        let mut question = self.put(side, request, limit)?;
        self.answer(&mut question)
    }

    /// Asks the bot something without waiting for the answer. The clock runs from now on.
    ///
    /// # Errors
    /// As [`BotPair::ask`].
    pub fn put(
        &mut self,
        side: Side,
        request: &impl Message,
        limit: Option<Duration>,
    ) -> Result<Question, AskError> {
        self.tell(side, request)?;
        let bot = &mut self.bots[side.index()];
        // Before the clock starts. What a bot has said before it was asked counts, first in, first out, so that the
        // verdict does not depend on timing; but there is a limit.
        if bot.inbox().has_line() {
            if bot.inbox().has_reply() {
                self.irregularities[side].early = true;
                if self.strict {
                    return Err(Fault::Early.into());
                }
            }
            bot.receive()?;
            // The lines that wait may be all the bot says, or the first of a flood that has filled the pipe
            // as well. Reading on fills the buffer if there is more, and a full buffer is the proof. Without
            // this a bot that prints for ever would play on, as every question would find an answer waiting.
            if bot.inbox().is_full() {
                return Err(Fault::Flood.into());
            }
        }
        // The clock starts before the write, so the time of a full pipe counts against the bot that does not
        // read it.
        let question = Question::asked_now(side, request, limit);
        bot.send()?;
        // `send` wrote what the pipe takes (64 KiB on Linux). What is left is queued here; without a limit, a
        // bot that never reads would grow this buffer by a few lines a turn for the length of a series.
        if bot.outbox_overflows() {
            return Err(Fault::NotReading { request: question.word, limit: None }.into());
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
            let next = match bot.inbox().take_line() {
                // After the end of the output nothing can complete the line, so it counts as one if it came in time.
                // Many bots end with a print that has no newline.
                Next::Incomplete
                    if bot.has_closed_output() && !bot.inbox().partial().is_empty() =>
                {
                    self.irregularities[side].no_line_feed = true;
                    if self.strict {
                        return Err(Fault::NoLineFeed.into());
                    }
                    bot.inbox().take_unfinished_line()
                }
                next @ (Next::Line(_) | Next::TooLong(_) | Next::Incomplete) => next,
            };
            match next {
                Next::Line(line) => {
                    // Taken when the line is found, before the wiretap writes to a file: the bot does not pay
                    // for the log.
                    let time = question.asked.elapsed();
                    if let Some(wiretap) = &mut self.wiretap {
                        let line = bot.inbox().get(line.clone());
                        wiretap.hear(side, Spoken::FromBot, line, self.started.elapsed())?;
                    }
                    if bot.inbox().get(line.clone()).starts_with(b"#") {
                        question.comments = question.comments.saturating_add(1);
                        if question.deadline_has_passed() {
                            return Err(self.timeout(question).into());
                        }
                        continue;
                    }
                    // Replies only: comments answer nothing, and a forfeit ends the bot, so neither needs to
                    // be counted.
                    self.waited[side] += time;
                    let line = self.bots[side.index()].inbox().get(line);
                    return Ok(Answer { line, time });
                }
                Next::TooLong(line) => {
                    let beginning = text::excerpt(bot.inbox().get(line));
                    return Err(Fault::LineTooLong(beginning).into());
                }
                Next::Incomplete => {}
            }
            // Comments and unfinished lines leave the loop here, so this bounds what one question can make
            // the referee read. The count starts anew with each question; a bot may say more than this in a
            // whole game.
            if question.received > CAPACITY {
                return Err(Fault::Flood.into());
            }
            if bot.has_closed_output() {
                // Before the deadline is looked at: how the bot ended says more than that it is late.
                return Err(self.silenced(question)?);
            }
            if question.deadline_has_passed() {
                // A reply may have come between the last poll and this moment, or while this process did not
                // run. It counts if it is in the pipe now, so the pipe is read one last time before the bot
                // is judged.
                if !question.last_look {
                    question.look_once_more();
                    question.received += bot.receive()?;
                    continue;
                }
                match question.judge() {
                    Lateness::OfBot => return Err(self.timeout(question).into()),
                    Lateness::Unknown(late) => return Err(AskError::MachineLate(late)),
                    Lateness::Credited => {}
                }
            }
            if self.pinned && !question.gave_way {
                // The bot shares this core. If nothing else runs on it, the scheduler runs the bot until it blocks on
                // its next read, and the reply is in the pipe when this returns: write, yield, read, and no poll.
                // That saves putting this thread to sleep and waking it, most of the cost of a round trip. If the
                // core is busy, the yield gives way to the other processes too and may take a time slice of some
                // milliseconds. So once a question only: a bot that did not answer at once is thinking.
                question.gave_way = true;
                std::thread::yield_now();
                // Through `receive` and not `wait`: one read that may find nothing costs less than a poll of
                // six pipes.
                question.received += self.bots[side.index()].receive()?;
                continue;
            }
            self.wait(question)?;
        }
    }

    /// Waits until something happens with one of the bots, at most until the deadline, and sees to it.
    pub(super) fn wait(&mut self, question: &mut Question) -> Result<(), AskError> {
        // What is left until an absolute deadline, computed anew for every wait. No byte of the bot and no
        // signal extends it, so a bot that drips a byte a second is late all the same.
        let (side, left) = (question.side, question.time_left());
        let mut bots = self.bots.iter_mut();
        let (one, two) = (bots.next(), bots.next());
        let (asked, other) = match side {
            Side::One => (one, two),
            Side::Two => (two, one),
        };
        let asked = asked.expect("only a bot that was started is asked");
        let happened = self.waiter.wait(asked, other, &self.interrupt, left)?;
        let Happened { writable, readable, ended, stderr, other_stderr } = happened;
        // Before anything is read: the terminal sends Ctrl-C to every process in the foreground, so it also ends the
        // process of a human player. Judged first, that exit would be a forfeit.
        if self.interrupt.is_noted() {
            return Err(AskError::Interrupted);
        }
        // Both are read, whichever bot is asked. A bot that writes more to standard error than its pipe holds
        // would otherwise block there, and lose by timeout in its opponent's turn or its own.
        if stderr {
            self.drain_stderr(side)?;
        }
        if other_stderr {
            self.drain_stderr(side.other())?;
        }
        let bot = &mut self.bots[side.index()];
        if writable {
            bot.send()?;
        }
        if readable || ended {
            let received = bot.receive()?;
            question.received += received;
            if ended && received == 0 {
                // The exit and the last bytes are reported together, so a process that has ended may still have a
                // reply in the pipe. Only an empty read after the exit ends the output. Waiting for the end of file
                // instead could take for ever: a child of the bot may hold the pipe open.
                bot.close_output();
            }
        }
        Ok(())
    }

    pub(super) fn drain_stderr(&mut self, side: Side) -> io::Result<()> {
        let (wiretap, after) = (&mut self.wiretap, self.started.elapsed());
        let mut heard = Ok(());
        self.bots[side.index()].drain_stderr(|piece| {
            if let (Some(wiretap), Ok(())) = (wiretap.as_mut(), &heard) {
                heard = wiretap.hear(side, Spoken::Stderr, piece, after);
            }
        })?;
        heard
    }

    /// Lets the wiretap hear `line`.
    pub(super) fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8]) -> io::Result<()> {
        let after = self.started.elapsed();
        self.wiretap.as_mut().map_or(Ok(()), |wiretap| wiretap.hear(side, spoken, line, after))
    }

    /// Lets the wiretap know that there is no more to hear.
    pub(super) fn finish_listening(&mut self) -> io::Result<()> {
        self.wiretap.as_mut().map_or(Ok(()), |wiretap| wiretap.finish())
    }

    fn timeout(&mut self, question: &Question) -> Fault {
        let bot = &mut self.bots[question.side.index()];
        let (request, limit) = (question.word, question.limit.unwrap_or_default());
        // The kinds of silence have different remedies, so a reason names which it was: input not read,
        // nothing written (often a stdout that is not flushed), comments only, or a line without its newline.
        let (unread, is_person) = (bot.has_unread_input(), bot.is_on_terminal());
        let waited = match (bot.inbox().partial(), question.comments) {
            _ if is_person => Waited::Person,
            (b"", 0) if unread => return Fault::NotReading { request, limit: Some(limit) },
            (b"", 0) => Waited::Silence,
            (b"", comments) => Waited::Comments(comments),
            (partial, _) => Waited::PartialLine(text::excerpt(partial)),
        };
        Fault::Timeout { request, limit, waited }
    }

    /// Lets the wiretap hear what a bot has begun to say and will not be let end.
    fn hear_unfinished(&mut self, side: Side) -> io::Result<()> {
        let partial = self.bots[side.index()].inbox().partial();
        match &mut self.wiretap {
            Some(wiretap) if !partial.is_empty() => {
                let partial = &partial[..partial.len().min(MAX_LINE)];
                wiretap.hear(side, Spoken::Unfinished, partial, self.started.elapsed())
            }
            _ => Ok(()),
        }
    }

    /// Returns why there is no answer from a bot that has closed its output.
    fn silenced(&mut self, question: &Question) -> io::Result<AskError> {
        let side = question.side;
        let left = question.time_left().unwrap_or(PATIENCE_WITH_EXIT);
        // At least a millisecond: end of file on the pipe comes a moment before the process can be waited
        // for. At most the time of the question: the verdict must not come much later than the deadline.
        let patience = left.clamp(Duration::from_millis(1), PATIENCE_WITH_EXIT);
        let status = self.bots[side.index()].wait(patience)?;
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
            None => Fault::ClosedOutput { request: question.word }.into(),
            Some(status) => {
                let log = self.bots[side.index()].log();
                match log.reason_of_supervisor(status) {
                    Some(SupervisorSays::NotStarted(reason)) => Fault::NotStarted(reason).into(),
                    Some(SupervisorSays::UsedTooMuch(what)) => Fault::UsedTooMuch(what).into(),
                    None => Fault::Exited { status, last_words: log.last_words() }.into(),
                }
            }
        })
    }

    /// Ends both bots: tells one that has failed why, the other to quit, waits a little and kills what is
    /// left. `failed` has the reason for each bot that has failed.
    ///
    /// # Errors
    /// If the operating system fails; the bots are killed all the same.
    pub fn end(mut self, failed: BySide<Option<&str>>) -> io::Result<()> {
        // Both are asked to quit before either is waited for, so their graces run at the same time.
        let now = Instant::now();
        let sides: Vec<_> = Side::BOTH.into_iter().take(self.bots.len()).collect();
        for &side in &sides {
            if let Some(reason) = failed[side] {
                self.hear_unfinished(side)?;
                self.tell_line(side, format_args!("error {reason}"))?;
            }
            self.tell(side, &QUIT)?;
            let bot = &mut self.bots[side.index()];
            bot.send()?;
            bot.close_input();
        }
        for side in sides {
            // A bot that has failed gets less time: it may be stuck, and there is no more to lose.
            let grace = failed[side].map_or(self.grace, |_| GRACE_AFTER_FAULT);
            let (wiretap, after) = (&mut self.wiretap, self.started.elapsed());
            self.bots[side.index()].end(now + grace, |piece| {
                if let Some(wiretap) = wiretap {
                    // The game is decided, so a wiretap that cannot write these last words must not keep the bots
                    // alive.
                    let _ = wiretap.hear(side, Spoken::Stderr, piece, after);
                }
            })?;
        }
        self.finish_listening()
    }
}
