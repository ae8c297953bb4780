//! Two bots that play against each other: what they are told and asked, and how they are ended.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wire::BySide;
use wire::line::MAX_LINE;

use super::bot::{Bot, Swept};
use super::clock::RunningClock;
use super::fair_core::FairCore;
use super::wait::Waiter;
use super::{Clock, Interrupt, Launch, Message, Program, Side, Spoken, StartError, Wiretap, pin};

/// The request to leave.
pub(super) const QUIT: &str = "quit";

/// The time that a bot that has failed may take to log the reason and leave. Short, because the game is decided and the
/// other bot of the series waits for it.
const GRACE_AFTER_FAULT: Duration = Duration::from_millis(100);

/// Irregularities of a bot that are not faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Irregularities {
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
    pub not_swept: bool,
    /// The files of it that could not be removed, and why. Known after its end only.
    pub remains: Option<String>,
}

/// Two bots that play against each other, or one by itself, and the referee's side of their pipes. The standard error
/// of both is read whenever one of them is waited for, so that neither can get stuck there.
#[derive(Debug)]
pub struct BotPair {
    /// By side; there is no second if a bot is alone.
    pub(super) bots: Vec<Bot>,
    pub(super) waiter: Waiter,
    pub(super) irregularities: BySide<Irregularities>,
    /// The end of the lines that are sent to bots.
    line_end: &'static str,
    /// The words behind the last word of the lines that a later version of the protocol may extend.
    more_words: &'static str,
    pub(super) clocks: BySide<RunningClock>,
    /// The total time each bot has taken to answer.
    pub(super) waited: BySide<Duration>,
    /// The time that a bot may take to quit.
    grace: Duration,
    /// Whether the bots may compute while they are not asked.
    pub(super) ponder: bool,
    pub(super) fair_core: FairCore,
    pub(super) started: Instant,
    pub(super) interrupt: Arc<Interrupt>,
    pub(super) wiretap: Option<Box<dyn Wiretap>>,
    /// The comments of each bot since they were taken last, with a line feed behind each.
    pub(super) comments: BySide<Vec<u8>>,
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
        // Bots inherit the core of the thread that starts them, so this thread goes first. Where that is refused, all
        // run wherever the system puts them.
        let _ = launch.pinned && pin::to_this_core();
        let (waiter, wake) = Waiter::new(launch.pipes);
        let start = |(side, program): (Side, &&Program)| {
            Bot::start(program, launch, wake.as_ref()).map_err(|error| (side, error))
        };
        // If the second program fails to start, `collect` drops the first bot, which kills it.
        let bots = Side::BOTH
            .into_iter()
            .zip(programs)
            .map(start)
            .collect::<Result<_, _>>()?;
        Ok(BotPair {
            bots,
            waiter,
            irregularities: BySide::default(),
            line_end: "\n",
            more_words: "",
            clocks: BySide::default(),
            waited: BySide::default(),
            grace: launch.grace,
            ponder: launch.ponder,
            fair_core: FairCore::default(),
            started: Instant::now(),
            interrupt,
            wiretap,
            comments: BySide::default(),
        })
    }

    /// Returns the number of the bot's process, or of its supervisor.
    #[must_use]
    pub fn process(&self, side: Side) -> u32 {
        self.bots[side.index()].process()
    }

    /// Returns what was irregular about the bot so far.
    #[must_use]
    pub fn irregularities(&self, side: Side) -> Irregularities {
        let waited = self.waited[side];
        let computed = self.computed(side);
        // Twice the time it was asked in, for bots with a second thread, and a second for starting an interpreter. The
        // point is to show a bot that thinks in its opponent's time, not to measure one.
        // Fuel bounds what a module computes, and warnings would depend on the machine.
        let counts = !matches!(self.clocks[side].clock, Clock::Fuel { .. });
        let much = |computed: &Duration| {
            counts && !self.ponder && *computed > 2 * waited + Duration::from_secs(1)
        };
        Irregularities {
            computed_unasked: computed.filter(much),
            stopped_after: self.fair_core.stopped_after[side].filter(|_| counts),
            ..self.irregularities[side].clone()
        }
    }

    /// Returns the processor time the bot has used so far; `None` where that is unknown.
    #[must_use]
    pub fn computed(&self, side: Side) -> Option<Duration> {
        self.bots[side.index()].cpu_time()
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
        let more = if notice.ends_with_text() {
            ""
        } else {
            self.more_words
        };
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

    /// Ends both bots: tells one that has failed why, the other to quit, waits a little and kills what is
    /// left. `failed` has the reason for each bot that has failed. Returns what was irregular about each, up to its end.
    ///
    /// # Errors
    /// If the operating system fails; the bots are killed all the same.
    pub fn end(mut self, failed: BySide<Option<&str>>) -> io::Result<BySide<Irregularities>> {
        // Both are asked to quit before either is waited for, so their graces run at the same time.
        let now = Instant::now();
        let sides: Vec<_> = Side::BOTH.into_iter().take(self.bots.len()).collect();
        for &side in &sides {
            if let Some(reason) = failed[side] {
                self.hear_unfinished(side)?;
                self.tell_line(side, format_args!("error {reason}"))?;
            }
            self.tell(side, &QUIT)?;
            self.wake(side);
            let bot = &mut self.bots[side.index()];
            bot.send()?;
            bot.close_input();
        }
        // While they live: the processor time of one that has ended is not to be found any more.
        let mut irregularities = BySide::default();
        for &side in &sides {
            irregularities[side] = self.irregularities(side);
        }
        for side in sides {
            // A bot that has failed gets less time: it may be stuck, and there is no more to lose.
            let grace = failed[side].map_or(self.grace, |_| GRACE_AFTER_FAULT);
            let (wiretap, after) = (&mut self.wiretap, self.started.elapsed());
            let swept = self.bots[side.index()].end(now + grace, |piece| {
                if let Some(wiretap) = wiretap {
                    // The game is decided, so a wiretap that cannot write these last words must not keep the bots
                    // alive.
                    let _ = wiretap.hear(side, Spoken::Stderr, piece, after);
                }
            })?;
            irregularities[side].not_swept = swept == Swept::Unknown;
            irregularities[side].remains = self.bots[side.index()].remains();
        }
        self.finish_listening()?;
        Ok(irregularities)
    }
}
