//! Pondering: a bot that computes while it is not asked is stopped until its next request, and the
//! clock of its opponent does not run while the opponent cannot.
//!
//! Replies that come at once cost nothing. Only while the referee waits longer does it look, every
//! few hundredths of a second, at what the processes of the other bot have used. Without a
//! supervisor nothing is known, and nothing is done.

use std::time::{Duration, Instant};

use wire::Side;

use super::Question;
use super::bot::BotProcess;
use super::system::Usage;

/// The time that the referee waits before it looks, and then between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The same as long as the looks find nothing: a look costs the asked bot some of its core.
const BETWEEN_QUIET_LOOKS: Duration = Duration::from_millis(100);

/// The processor time that a bot may use in one pause before it is stopped. Runtimes collect
/// garbage and compile after a reply; thinking takes longer.
const ALLOWANCE: Duration = Duration::from_millis(100);

/// The resources that a stopped bot may use without being stopped again: what it did before the
/// signal reached it was not yet seen.
const REMNANT: Duration = Duration::from_millis(1);

/// The time between a bot's reply and its next request.
#[derive(Debug, Default)]
pub(super) struct Pause {
    /// The time that the bot has used in it, as far as it was looked at.
    used: Duration,
    is_stopped: bool,
    /// The last look.
    seen: Option<(Instant, Usage)>,
    /// The usage of its opponent at that moment, if this bot computed then.
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
    pub(super) const fn new() -> Looks {
        Looks {
            next: BETWEEN_LOOKS,
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
    let pause = other.pause.as_ref()?;
    if other.on_terminal || !other.process.can_be_suspended() {
        return None;
    }
    // The usage of a bot before the first look is unknown. A bot that has been stopped before is
    // looked at from the beginning of its pause.
    if pause.seen.is_none() && other.oddities.stopped_after.is_some() {
        return Some(Duration::ZERO);
    }
    Some(question.looks.next.saturating_sub(elapsed))
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
    let mut used = Duration::ZERO;
    let mut since = now;
    let mut may_compute = true;
    if let Some((at, before)) = &pause.seen {
        since = *at;
        used = usage.since(before);
        // Processes may live too shortly for their time to be seen. That there is always one, is.
        if usage.has_started_one(before) {
            used = used.max(BETWEEN_LOOKS.min(now - since));
        }
        may_compute = !used.is_zero();
    }
    pause.seen = Some((now, usage));
    pause.used += used;
    let is_too_much = if pause.is_stopped {
        used > REMNANT
    } else {
        pause.used > ALLOWANCE
    };
    if is_too_much && !may_ponder {
        pause.is_stopped = true;
        other.process.suspend();
        *other.oddities.stopped_after.get_or_insert_default() += std::mem::take(&mut pause.used);
    }
    // A look before the question tells nothing about what was used during it.
    if used.is_zero() || since < question.asked {
        pause.opponent = None;
    } else if let Some(own) = asked.process.usage() {
        // A bot has not lost the time in which it computed itself: on several cores both run at the
        // same time. A bot that waits for something else than a core has lost nothing either;
        // otherwise one that never replies would have time for as long as its opponent computes.
        let before = pause.opponent.as_ref();
        let progress = before.map_or(Duration::ZERO, |before| own.since(before));
        if !progress.is_zero() || own.is_running() {
            question.give_back(used.min((now - since).saturating_sub(progress)));
        }
        pause.opponent = Some(own);
    }
    let looks = &mut question.looks;
    looks.between = if may_compute {
        BETWEEN_LOOKS
    } else {
        BETWEEN_QUIET_LOOKS.min(2 * looks.between)
    };
    looks.next = question.asked.elapsed() + looks.between;
}
