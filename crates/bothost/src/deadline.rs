//! A request under its deadline: how much time is left, what it costs on the clock, and who is to
//! blame when it is over.

use std::io;
use std::time::{Duration, Instant};

use thiserror::Error;
use wire::game::Stopped;
use wire::{Clock, EndedBy, Ending, Side};

use super::ponder::Looks;
use super::{Fault, WasmRunner, pin};

/// Time by which the referee may notice a deadline late and still blame the bot. On an idle machine
/// it wakes up at most about a millisecond late; a tenth of a second means that the machine was
/// overloaded, suspended or stopped, and that the bot may not have run either.
const TOLERATED_LATENESS: Duration = Duration::from_millis(100);

/// The longest wait for a bot under a limit. A referee that is stopped (Ctrl-Z, a frozen container)
/// wakes up from its wait late by the time of the stop, and at most one wait of this length of the
/// stop counts against the bot.
pub(super) const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// The reason why a question has no answer.
#[derive(Debug, Error)]
pub enum AskError {
    /// The bot is at fault.
    #[error("{0}")]
    Fault(Fault),
    /// The user asked the referee to stop.
    #[error("interrupted")]
    Interrupted,
    /// The machine was too busy, was stopped or ran out of memory: how it is known that the bot may
    /// not be to blame.
    #[error("{0}")]
    MachineLate(String),
    /// The referee is at fault, or its machine.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl AskError {
    /// Returns the consequence for a game in which the player on `side` gave no answer.
    #[must_use]
    pub fn of(self, side: Side) -> Stopped {
        match self {
            AskError::Fault(fault) => {
                Ending::lost_by(side, fault.ended_by(), fault.to_string()).into()
            }
            AskError::MachineLate(what) => Ending::void(None, EndedBy::MachineLate, what).into(),
            AskError::Interrupted => Ending::interrupted().into(),
            AskError::Io(error) => Stopped::Failed(error),
        }
    }
}

impl From<Fault> for AskError {
    fn from(fault: Fault) -> AskError {
        AskError::Fault(fault)
    }
}

/// A clock, and the time that is left on it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunningClock {
    pub(super) clock: Clock,
    /// Of a game's clock: the time for the rest of the game.
    left: Duration,
}

impl RunningClock {
    pub(super) fn new(clock: Clock) -> RunningClock {
        let left = match clock {
            Clock::Game { total, .. } => total,
            Clock::Wall(_) | Clock::Fuel { .. } | Clock::None => Duration::ZERO,
        };
        RunningClock { clock, left }
    }

    /// The real time in which the next reply has to come.
    pub(super) fn limit(&self) -> Option<Duration> {
        match self.clock {
            Clock::Wall(limit) => Some(limit),
            Clock::Game { .. } => Some(self.left),
            // The host of a module ends it before. A host that does not hangs, which is no fault of
            // the module.
            Clock::Fuel { millions } => Some(2 * WasmRunner::wall_limit(millions)),
            Clock::None => None,
        }
    }

    /// The time that is left for the whole game, where it has a clock.
    pub(super) fn time_left(&self) -> Option<Duration> {
        matches!(self.clock, Clock::Game { .. }).then_some(self.left)
    }

    /// Takes the time of a reply from a game's clock, and adds the increment.
    pub(super) fn charge(&mut self, used: Duration) {
        if let Clock::Game { increment, .. } = self.clock {
            self.left = self.left.saturating_sub(used).saturating_add(increment);
        }
    }

    /// Takes the increment of the last reply back, since that reply does not count.
    pub(super) fn take_back_increment(&mut self) {
        if let Clock::Game { increment, .. } = self.clock {
            self.left = self.left.saturating_sub(increment);
        }
    }
}

/// A request that a bot has been sent and has to answer.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub(super) side: Side,
    pub(super) asked: Instant,
    pub(super) limit: Option<Duration>,
    /// The time added to the limit because the referee itself was late.
    credit: Duration,
    /// The time in which the referee was stopped during its waits for the bot.
    stopped: Duration,
    /// The part of that time before the deadline was moved.
    stopped_before: Duration,
    /// The end of the current wait for the bot, since the question was asked; `None` between waits.
    wait_ends: Option<Duration>,
    /// The number of comments before the reply.
    pub(super) comments: u32,
    /// The number of bytes of the lines that were taken since it was asked, with their line ends.
    pub(super) said: usize,
    /// Whether the pipe has been read before the first wait.
    pub(super) was_read: bool,
    /// The time that the referee had waited for a core before its last wait for the bot; `None` if
    /// no game's clock is charged.
    pub(super) delay_before: Option<Duration>,
    /// The deadline has passed and the pipe was read one last time.
    pub(super) last_look: bool,
    /// The lateness after the deadline.
    late: Duration,
    /// The times at which the referee looks at the other bot.
    pub(super) looks: Looks,
    /// The time that it was lent when its deadline was moved.
    lent_before: Duration,
}

impl Question {
    /// A question to the bot on `side` that is asked at this moment.
    pub(super) fn asked_now(side: Side, limit: Option<Duration>) -> Question {
        Question {
            side,
            asked: Instant::now(),
            limit,
            credit: Duration::ZERO,
            stopped: Duration::ZERO,
            stopped_before: Duration::ZERO,
            wait_ends: None,
            comments: 0,
            said: 0,
            was_read: false,
            delay_before: None,
            last_look: false,
            late: Duration::ZERO,
            looks: Looks::new(limit, false),
            lent_before: Duration::ZERO,
        }
    }

    /// The time until the deadline, `elapsed` after the question was asked; `None` without a limit.
    pub(super) fn time_left(&self, elapsed: Duration) -> Option<Duration> {
        // Instants are monotonic: a change of the wall clock neither gives nor takes time. On Linux
        // they stand still while the machine is suspended.
        Some(self.extended_limit()?.saturating_sub(elapsed))
    }

    /// The limit with what was added to it.
    fn extended_limit(&self) -> Option<Duration> {
        Some(self.limit? + self.time_added())
    }

    /// Notes that a wait of at most `left` begins, `elapsed` after the question was asked.
    pub(super) fn begin_wait(&mut self, elapsed: Duration, left: Option<Duration>) {
        self.wait_ends = left.map(|left| elapsed + left);
    }

    /// Notes that the wait, if there was one, has ended by `elapsed` after the question was asked. If
    /// the referee was stopped meanwhile, the excess counts neither against the limit nor on the
    /// clock.
    pub(super) fn end_wait(&mut self, elapsed: Duration) {
        let Some(planned) = self.wait_ends.take() else {
            return;
        };
        let excess = elapsed.saturating_sub(planned);
        if excess > TOLERATED_LATENESS {
            self.stopped += excess;
            // The wait for a core is a part of the excess.
            self.delay_before = self.delay_before.map(|_| pin::delay());
        }
    }

    /// The same question with its deadline at this time from now, and no second chance if that is
    /// noticed late.
    pub(super) fn until(mut self, left: Duration) -> Question {
        self.limit = Some(self.asked.elapsed() + left);
        self.stopped_before = self.stopped;
        self.lent_before = self.looks.lent;
        self.credit = Duration::from_nanos(1);
        self.last_look = false;
        self
    }

    /// Adds a time in which the bot could not run, since its opponent did.
    pub(super) fn give_back(&mut self, time: Duration) {
        self.looks.lent += time;
        if self.time_left(self.asked.elapsed()) != Some(Duration::ZERO) {
            self.last_look = false;
        }
    }

    /// The time that the bot has taken, without the time in which it or the referee could not run.
    /// The call also ends the wait.
    pub(super) fn time_taken(&mut self) -> Duration {
        let elapsed = self.asked.elapsed();
        self.end_wait(elapsed);
        elapsed.saturating_sub(self.looks.lent + self.stopped)
    }

    /// The time by which the deadline was moved: because the machine was late, because the referee
    /// was stopped, and because the bot could not run while its opponent did.
    fn time_added(&self) -> Duration {
        let lent = self.looks.lent.saturating_sub(self.lent_before);
        self.credit + self.stopped.saturating_sub(self.stopped_before) + lent
    }

    /// The time that a game's clock is charged.
    pub(super) fn time_charged(&self) -> Duration {
        self.asked.elapsed().saturating_sub(self.time_added())
    }

    /// The deadline has passed: notes how late that is noticed, before one last look for a reply.
    pub(super) fn look_once_more(&mut self) {
        // Noted now, before the last read: how long that read takes does not excuse the bot.
        let limit = self.extended_limit().unwrap_or(Duration::MAX);
        self.late = self.asked.elapsed().saturating_sub(limit);
        self.last_look = true;
    }

    /// Judges whose lateness it is, after the last look has found no reply. If it is the machine's,
    /// the time begins again.
    pub(super) fn judge(&mut self) -> Lateness {
        let lateness = judge_lateness(self.late, self.credit);
        if lateness == Lateness::Credited {
            // The bot may have been stopped for as long as the referee was, and how much it got to
            // compute is unknown. So it gets its whole limit again, from this moment on.
            self.credit = self.asked.elapsed();
            self.stopped_before = self.stopped;
            self.lent_before = self.looks.lent;
            self.last_look = false;
        }
        lateness
    }
}

/// The cause of a passed deadline: the bot or the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lateness {
    /// The bot's.
    OfBot,
    /// The machine's: the bot gets its whole time again.
    Credited,
    /// Unknown: the machine was late again, by this much.
    Unknown(Duration),
}

/// Judges a deadline that the referee noticed `late`, after it has credited the bot with `credit`.
/// The referee waits for its bots and for nothing else, so it is late only if its machine is.
fn judge_lateness(late: Duration, credit: Duration) -> Lateness {
    // One credit a question. With more, a machine that is always late would let a bot think for
    // ever; with the second lateness nothing is known about the bot, so the game is void and
    // neither bot loses it.
    match (late > TOLERATED_LATENESS, credit.is_zero()) {
        (false, _) => Lateness::OfBot,
        (true, true) => Lateness::Credited,
        (true, false) => Lateness::Unknown(late),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn lateness_of_the_machine_is_credited_once() {
        let ms = Duration::from_millis;
        assert_eq!(judge_lateness(ms(0), ms(0)), Lateness::OfBot);
        assert_eq!(judge_lateness(ms(100), ms(0)), Lateness::OfBot);
        assert_eq!(judge_lateness(ms(700), ms(0)), Lateness::Credited);
        // After a credit the deadline is judged again.
        assert_eq!(judge_lateness(ms(1), ms(700)), Lateness::OfBot);
        assert_eq!(judge_lateness(ms(300), ms(700)), Lateness::Unknown(ms(300)));
    }

    #[test]
    fn a_credit_is_the_whole_limit_again() {
        let minutes = |number: u64| Duration::from_secs(60 * number);
        let mut question = Question::asked_now(Side::One, Some(minutes(2)));
        // As if the referee had not run for ten minutes.
        question.asked -= minutes(10);
        question.look_once_more();
        assert_eq!(question.judge(), Lateness::Credited);
        let left = question.time_left(question.asked.elapsed()).unwrap();
        assert!(minutes(1) < left && left <= minutes(2), "{left:?}");
        assert!(question.time_charged() < minutes(1));
    }

    #[test]
    fn time_of_a_stopped_referee_counts_against_no_bot() {
        let mut question = Question::asked_now(Side::One, Some(4 * SECOND));
        question.asked -= 7 * SECOND;
        question.begin_wait(Duration::ZERO, Some(LONGEST_WAIT));
        question.end_wait(LONGEST_WAIT + TOLERATED_LATENESS);
        assert!(question.time_charged() > 6 * SECOND);
        question.begin_wait(Duration::ZERO, Some(LONGEST_WAIT));
        question.end_wait(LONGEST_WAIT + 6 * SECOND);
        // A wait ends once.
        question.end_wait(9 * SECOND);
        assert!(question.time_charged() < 2 * SECOND);
        assert!(question.time_taken() < 2 * SECOND);
        let left = question.time_left(question.asked.elapsed()).unwrap();
        assert!(2 * SECOND < left && left <= 3 * SECOND, "{left:?}");
    }

    #[test]
    fn a_games_clock_runs_down_reply_by_reply() {
        let mut clock = RunningClock::new(Clock::Game {
            total: 60 * SECOND,
            increment: Duration::ZERO,
        });
        clock.charge(59 * SECOND);
        assert_eq!(clock.limit(), Some(SECOND));
        clock.charge(61 * SECOND);
        assert_eq!(clock.time_left(), Some(Duration::ZERO));
    }

    #[test]
    fn each_reply_adds_the_increment() {
        let mut clock = RunningClock::new(Clock::Game {
            total: 2 * SECOND,
            increment: SECOND,
        });
        for left in [3, 2, 1, 1] {
            clock.charge((clock.limit().unwrap() + SECOND).saturating_sub(left * SECOND));
            assert_eq!(clock.time_left(), Some(left * SECOND));
        }
    }

    #[test]
    fn refused_replies_add_no_increment() {
        let mut clock = RunningClock::new(Clock::Game {
            total: 2 * SECOND,
            increment: SECOND,
        });
        for _ in 0..20 {
            clock.charge(Duration::ZERO);
            clock.take_back_increment();
        }
        assert_eq!(clock.time_left(), Some(2 * SECOND));
        clock.charge(SECOND / 2);
        assert_eq!(clock.time_left(), Some(5 * SECOND / 2));
    }

    #[test]
    fn a_clock_for_each_reply_is_not_used_up() {
        let mut clock = RunningClock::new(Clock::Wall(SECOND));
        clock.charge(59 * SECOND);
        assert_eq!((clock.limit(), clock.time_left()), (Some(SECOND), None));
    }
}
