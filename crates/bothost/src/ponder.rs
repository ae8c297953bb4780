//! Pondering: a bot that computes while it is not asked is stopped until its next request, and the
//! clock of its opponent does not run while the opponent cannot.
//!
//! While the referee waits for a reply it looks, every few hundredths of a second and when a slow
//! reply comes, at the processor time of the other bot. A bot that has computed unasked before is
//! looked at before each request too. Without a supervisor the processor time is unknown, and no bot
//! is stopped.

use std::time::{Duration, Instant};

use wire::Side;

use super::Question;
use super::bot::BotProcess;
use super::system::Usage;

/// The time that the referee waits before it looks. What the other bot uses before is unknown.
const BEFORE_FIRST_LOOK: Duration = Duration::from_millis(20);

/// The same where the clock of a game is charged: it adds up what short replies lose.
const BEFORE_FIRST_LOOK_ON_CLOCK: Duration = Duration::from_millis(5);

/// The divisor of a limit that gives the time before the first look, if that is less.
const PART_OF_LIMIT: u32 = 8;

/// The time between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The same as long as the looks find nothing: a look costs the asked bot some of its core.
const BETWEEN_QUIET_LOOKS: Duration = Duration::from_millis(100);

/// The processor time that a bot may use in one pause before it is stopped. Runtimes collect
/// garbage and compile after a reply; thinking takes longer.
const ALLOWANCE: Duration = Duration::from_millis(100);

/// The processor time that a bot may use in all pauses of a game before it is stopped at once in
/// each of them.
const ALLOWANCE_OF_GAME: Duration = Duration::from_secs(1);

/// The resources that a stopped bot may use without being stopped again: what it did before the
/// signal reached it was not yet seen.
const REMNANT: Duration = Duration::from_millis(1);

/// The time between a bot's reply and its next request.
#[derive(Debug, Default)]
pub(super) struct Pause {
    /// The time that the bot has used in it, as far as it was looked at.
    used: Duration,
    is_stopped: bool,
    last: Option<Look>,
}

/// A look at what two bots have used.
#[derive(Debug)]
struct Look {
    at: Instant,
    /// The usage of the bot that is not asked.
    usage: Usage,
    /// The usage of its opponent.
    opponent: Option<Usage>,
}

/// The times at which the referee looks at the other bot during a question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    /// The time of the next look, since the question was asked.
    next: Duration,
    between: Duration,
    /// The time for which the clock of the question has not run.
    pub(super) lent: Duration,
}

impl Looks {
    /// Returns the looks during a question with this limit, which may be the rest of a game's clock.
    pub(super) fn new(limit: Option<Duration>, is_on_clock: bool) -> Looks {
        let usual = if is_on_clock {
            BEFORE_FIRST_LOOK_ON_CLOCK
        } else {
            BEFORE_FIRST_LOOK
        };
        let next = limit.map_or(usual, |limit| usual.min(limit / PART_OF_LIMIT));
        Looks {
            next,
            between: BETWEEN_LOOKS,
            lent: Duration::ZERO,
        }
    }
}

/// Begins a request to the bot. If it is stopped it continues before it is sent anything, so before
/// its clock starts.
pub(super) fn begin_request(bot: &mut BotProcess) {
    if bot.pause.take().is_some_and(|pause| pause.is_stopped) {
        bot.process.resume();
    }
}

/// How long the referee may wait for the answer to `question`, which was asked `elapsed` ago, until
/// it has to look at the other bot; `None` if it does not look.
pub(super) fn time_until_look(
    bots: &[BotProcess],
    question: &Question,
    elapsed: Duration,
) -> Option<Duration> {
    let other = bots.get(question.side.other().index())?;
    can_be_looked_at(other).then(|| question.looks.next.saturating_sub(elapsed))
}

fn can_be_looked_at(bot: &BotProcess) -> bool {
    bot.pause.is_some() && !bot.on_terminal && bot.process.can_be_suspended()
}

/// Looks at the other bot before the one on `side` is asked, and so before its clock starts, if the
/// other has been found computing in its pauses. One that has used up its time for that is stopped,
/// unless it `may_ponder`. [`begin_looks`] takes the result.
pub(super) fn look_before(
    bots: &mut [BotProcess],
    side: Side,
    may_ponder: bool,
) -> Option<(Usage, Option<Usage>)> {
    let other = bots.get(side.other().index())?;
    let is_suspect = other.oddities.stopped_after.is_some() || other.unasked > ALLOWANCE;
    if !is_suspect || !can_be_looked_at(other) {
        return None;
    }
    let opponent = bots.get(side.index())?.process.usage();
    let other = bots.get_mut(side.other().index())?;
    let usage = other.process.usage()?;
    let pause = other.pause.as_mut()?;
    if let Some(last) = &pause.last {
        let used = usage.since(&last.usage);
        pause.used += used;
        other.unasked += used;
    }
    if other.unasked > ALLOWANCE_OF_GAME && !may_ponder && !pause.is_stopped {
        pause.is_stopped = true;
        other.process.suspend_now();
        let before = other.unasked.saturating_sub(pause.used);
        let counted = other.oddities.stopped_after.get_or_insert(before);
        *counted += std::mem::take(&mut pause.used);
    }
    Some((usage, opponent))
}

/// Has the looks during `question` begin with what was seen before it.
pub(super) fn begin_looks(
    bots: &mut [BotProcess],
    question: &Question,
    (usage, opponent): (Usage, Option<Usage>),
) {
    let other = bots.get_mut(question.side.other().index());
    if let Some(pause) = other.and_then(|other| other.pause.as_mut()) {
        pause.last = Some(Look {
            at: question.asked,
            usage,
            opponent,
        });
    }
}

/// Looks at what the other bot computes while this one is asked, and stops it if that is too much,
/// unless it `may_ponder`.
pub(super) fn look_at_other(bots: &mut [BotProcess], question: &mut Question, may_ponder: bool) {
    let [one, two] = bots else { return };
    let (asked, other) = match question.side {
        Side::One => (one, two),
        Side::Two => (two, one),
    };
    let now = Instant::now();
    let (Some(usage), Some(pause)) = (other.process.usage(), &mut other.pause) else {
        return;
    };
    let own = asked.process.usage();
    let mut used = Duration::ZERO;
    let mut may_compute = true;
    if let Some(last) = &pause.last {
        let interval = now - last.at;
        used = usage.since(&last.usage);
        // Processes may live too shortly for their time to be seen. That there is always one, is.
        if usage.has_started_one(&last.usage) {
            used = used.max(BETWEEN_LOOKS.min(interval));
        }
        may_compute = !used.is_zero();
        // A look before the question tells nothing about what was used during it.
        if may_compute
            && last.at >= question.asked
            && let Some((own, before)) = own.as_ref().zip(last.opponent.as_ref())
        {
            // A bot has not lost the time in which it computed itself: on several cores both run at
            // the same time. A bot that waits for something else than a core has lost nothing
            // either; otherwise one that never replies would have time for as long as its opponent
            // computes.
            let progress = own.since(before);
            if !progress.is_zero() || own.is_running() {
                question.give_back(used.min(interval.saturating_sub(progress)));
            }
        }
    }
    pause.last = Some(Look {
        at: now,
        usage,
        opponent: own,
    });
    pause.used += used;
    other.unasked += used;
    let is_too_much = if pause.is_stopped {
        used > REMNANT
    } else {
        pause.used > ALLOWANCE || other.unasked > ALLOWANCE_OF_GAME
    };
    if is_too_much && !may_ponder {
        pause.is_stopped = true;
        other.process.suspend();
        let before = other.unasked.saturating_sub(pause.used);
        let counted = other.oddities.stopped_after.get_or_insert(before);
        *counted += std::mem::take(&mut pause.used);
    }
    let looks = &mut question.looks;
    looks.between = if may_compute {
        BETWEEN_LOOKS
    } else {
        BETWEEN_QUIET_LOOKS.min(2 * looks.between)
    };
    looks.next = question.asked.elapsed() + looks.between;
}

/// Looks once more when the reply to `question` has come, if the referee has looked since the
/// question was asked. Returns the time that the bot could not run since the last look, and the
/// time that this one took.
pub(super) fn look_at_reply(
    bots: &mut [BotProcess],
    question: &mut Question,
) -> (Duration, Duration) {
    let other = bots.get(question.side.other().index());
    let last = other.and_then(|other| other.pause.as_ref()?.last.as_ref());
    if last.is_none_or(|last| last.at < question.asked) {
        return (Duration::ZERO, Duration::ZERO);
    }
    let began = Instant::now();
    let lent = question.looks.lent;
    // The other bot is asked next, so it is not stopped now.
    look_at_other(bots, question, true);
    let lost = question.looks.lent.saturating_sub(lent);
    (lost, began.elapsed())
}
