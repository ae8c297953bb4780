use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use battleship::protocol::{MAX_LINE, Request};

use super::bot::Bot;
use super::inbox::{CAPACITY, Next};
use super::question::Lateness;
use super::stderr::SupervisorSays;
use super::wait::{Happened, Waiter};
use super::{
    Answer, AskError, Fault, Interrupt, Launch, Program, Question, Side, Spoken, StartError,
    Waited, Wiretap, text,
};

/// How long a bot that has closed its output may take to end; one that does not lives on.
const PATIENCE_WITH_EXIT: Duration = Duration::from_secs(1);

/// How long a bot that is told why it has failed may take to say so somewhere and leave.
const GRACE_AFTER_FAULT: Duration = Duration::from_millis(100);

/// How long a bot that is told to quit may take, unless something else is asked for.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// What was odd about a bot, though it is no fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Whether it was found to have answered a request before it was made. How often is a matter of timing.
    pub early: bool,
    /// Whether it ended its output in the middle of a line.
    pub no_line_feed: bool,
    /// How much it has computed, if that was far more than it could in the time in which it was asked.
    pub computed_unasked: Option<Duration>,
}

/// Two bots that play against each other, or one by itself, and the referee's side of their pipes. The standard error
/// of both is read whenever one of them is waited for, so that neither can get stuck there.
#[derive(Debug)]
pub struct Lane {
    /// By side; the second may be missing.
    pub(super) bots: Vec<Bot>,
    waiter: Waiter,
    oddities: [Oddities; 2],
    /// What ends the lines that bots are told.
    line_end: &'static str,
    /// What follows the last word of those lines that may have more.
    more_words: &'static str,
    /// Whether the first two of those are faults.
    strict: bool,
    /// How long each bot has been waited for, all in all.
    waited: [Duration; 2],
    /// How long a bot that is told to quit may take.
    grace: Duration,
    /// Whether giving way to a bot on the same core may be all the waiting that its reply needs.
    pinned: bool,
    started: Instant,
    interrupt: Arc<Interrupt>,
    wiretap: Option<Box<dyn Wiretap>>,
}

impl Lane {
    /// Starts both programs.
    ///
    /// # Errors
    /// If one cannot be started; the other is ended then.
    pub fn start(
        programs: [&Program; 2],
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<Lane, (Side, StartError)> {
        Lane::of(&programs, launch, interrupt, wiretap)
    }

    /// Starts one program by itself, on the side [`Side::One`]. Nobody is on the other.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn alone(
        program: &Program,
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<Lane, StartError> {
        Lane::of(&[program], launch, interrupt, wiretap).map_err(|(_, error)| error)
    }

    fn of(
        programs: &[&Program],
        launch: &Launch,
        interrupt: Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<Lane, (Side, StartError)> {
        let (waiter, wake) = Waiter::new(launch.threads);
        let start = |(side, program): (Side, &&Program)| {
            Bot::start(program, launch, wake.as_ref()).map_err(|error| (side, error))
        };
        let bots = Side::BOTH.into_iter().zip(programs).map(start).collect::<Result<_, _>>()?;
        Ok(Lane {
            bots,
            waiter,
            oddities: [Oddities::default(); 2],
            line_end: "\n",
            more_words: "",
            waited: [Duration::ZERO; 2],
            strict: launch.strict,
            grace: launch.grace,
            pinned: launch.pinned,
            started: Instant::now(),
            interrupt,
            wiretap,
        })
    }

    /// What was odd about the bot so far.
    #[must_use]
    pub fn oddities(&self, side: Side) -> Oddities {
        let waited = self.waited[side.index()];
        let computed = self.computed(side);
        // Generous, for starting up and for several threads.
        let much = |computed: &Duration| *computed > 2 * waited + Duration::from_secs(1);
        Oddities { computed_unasked: computed.filter(much), ..self.oddities[side.index()] }
    }

    /// How much the bot has computed so far, where that can be known.
    #[must_use]
    pub fn computed(&self, side: Side) -> Option<Duration> {
        self.bots[side.index()].cpu_time()
    }

    /// Tells the wiretap what the bots are called, which may be known only after their greeting.
    pub fn call_them(&mut self, names: &[String; 2]) {
        if let Some(wiretap) = &mut self.wiretap {
            wiretap.call_them(names);
        }
    }

    /// Ends the lines that bots are told from now on with a carriage return and a line feed, as some systems do.
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
    pub fn tell(&mut self, side: Side, notice: &Request) -> io::Result<()> {
        let more = if notice.ends_with_text() { "" } else { self.more_words };
        self.tell_line(side, format_args!("{notice}{more}"))
    }

    /// As [`Lane::tell`], any line: a bot has to bear with those that it does not know.
    ///
    /// # Errors
    /// As [`Lane::tell`].
    pub fn tell_line(&mut self, side: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        let outbox = self.bots[side.index()].outbox();
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
        request: &Request,
        limit: Option<Duration>,
    ) -> Result<Answer<'_>, AskError> {
        let mut question = self.put(side, request, limit)?;
        self.answer(&mut question)
    }

    /// Asks the bot something without waiting for the answer. The clock runs from now on.
    ///
    /// # Errors
    /// As [`Lane::ask`].
    pub fn put(
        &mut self,
        side: Side,
        request: &Request,
        limit: Option<Duration>,
    ) -> Result<Question, AskError> {
        self.tell(side, request)?;
        let bot = &mut self.bots[side.index()];
        // What a bot has said before it was asked counts, first in, first out; but there is a limit.
        if bot.inbox().has_line() {
            if bot.inbox().has_reply() {
                self.oddities[side.index()].early = true;
                if self.strict {
                    return Err(Fault::Early.into());
                }
            }
            bot.receive()?;
            if bot.inbox().is_full() {
                return Err(Fault::Flood.into());
            }
        }
        let question = Question::asked_now(side, request, limit);
        bot.send()?;
        if bot.outbox_overflows() {
            return Err(Fault::NotReading { request: question.word, limit: None }.into());
        }
        Ok(question)
    }

    /// Waits for the next line of the answer to `question`, other than comments. An answer of several lines is
    /// asked for several times, always under the question's own deadline.
    ///
    /// # Errors
    /// As [`Lane::ask`].
    pub fn answer(&mut self, question: &mut Question) -> Result<Answer<'_>, AskError> {
        let side = question.side;
        loop {
            let bot = &mut self.bots[side.index()];
            let next = match bot.inbox().take_line() {
                // Without a line end, but nothing more can come.
                Next::Incomplete
                    if bot.has_closed_output() && !bot.inbox().partial().is_empty() =>
                {
                    self.oddities[side.index()].no_line_feed = true;
                    if self.strict {
                        return Err(Fault::NoLineFeed.into());
                    }
                    bot.inbox().take_unfinished_line()
                }
                next @ (Next::Line(_) | Next::TooLong(_) | Next::Incomplete) => next,
            };
            match next {
                Next::Line(line) => {
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
                    self.waited[side.index()] += time;
                    let line = self.bots[side.index()].inbox().get(line);
                    return Ok(Answer { line, time });
                }
                Next::TooLong(line) => {
                    let beginning = text::excerpt(bot.inbox().get(line));
                    return Err(Fault::LineTooLong(beginning).into());
                }
                Next::Incomplete => {}
            }
            if question.received > CAPACITY {
                return Err(Fault::Flood.into());
            }
            if bot.has_closed_output() {
                return Err(self.silenced(question)?);
            }
            if question.deadline_has_passed() {
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
                // The bot shares this core and answers before this returns, most often; then nobody has to
                // be put to sleep and woken, which is most of what a round trip costs.
                question.gave_way = true;
                std::thread::yield_now();
                question.received += self.bots[side.index()].receive()?;
                continue;
            }
            self.wait(question)?;
        }
    }

    /// Waits until something happens on the lane, at most until the deadline, and sees to it.
    pub(super) fn wait(&mut self, question: &mut Question) -> Result<(), AskError> {
        let (side, left) = (question.side, question.time_left());
        let mut bots = self.bots.iter_mut();
        let (one, two) = (bots.next(), bots.next());
        let (asked, other) = match side {
            Side::One => (one, two),
            Side::Two => (two, one),
        };
        let asked = asked.expect("whoever is asked is there");
        let happened = self.waiter.wait(asked, other, &self.interrupt, left)?;
        let Happened { writable, readable, ended, stderr, other_stderr } = happened;
        // Whatever woke us: a Ctrl-C at the terminal ends a human player too, and is not its fault.
        if self.interrupt.is_noted() {
            return Err(AskError::Interrupted);
        }
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
                // A child of the bot may hold the pipe open, but the bot is gone.
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

    /// Why there is no answer from a bot that has closed its output.
    fn silenced(&mut self, question: &Question) -> io::Result<AskError> {
        let side = question.side;
        let left = question.time_left().unwrap_or(PATIENCE_WITH_EXIT);
        let patience = left.clamp(Duration::from_millis(1), PATIENCE_WITH_EXIT);
        let status = self.bots[side.index()].wait(patience)?;
        self.drain_stderr(side)?;
        if status.is_some() {
            // The thread that reads standard error, where there is one, may be behind on a busy machine, and the last
            // words of a bot are there. A child of the bot may keep it open, so this wait has an end.
            let until = Instant::now() + PATIENCE_WITH_EXIT;
            while !self.bots[side.index()].has_closed_stderr() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
                self.drain_stderr(side)?;
            }
        }
        Ok(match status {
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
    pub fn end(mut self, failed: [Option<&str>; 2]) -> io::Result<()> {
        let now = Instant::now();
        let sides: Vec<_> = Side::BOTH.into_iter().take(self.bots.len()).collect();
        for &side in &sides {
            if let Some(reason) = failed[side.index()] {
                self.hear_unfinished(side)?;
                self.tell(side, &Request::Error(reason.to_owned()))?;
            }
            self.tell(side, &Request::Quit)?;
            let bot = &mut self.bots[side.index()];
            bot.send()?;
            bot.close_input();
        }
        for side in sides {
            let grace = failed[side.index()].map_or(self.grace, |_| GRACE_AFTER_FAULT);
            let (wiretap, after) = (&mut self.wiretap, self.started.elapsed());
            self.bots[side.index()].end(now + grace, |piece| {
                if let Some(wiretap) = wiretap {
                    // The game is over; what is said in leaving decides nothing.
                    let _ = wiretap.hear(side, Spoken::Stderr, piece, after);
                }
            })?;
        }
        self.finish_listening()
    }
}
