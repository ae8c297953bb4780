//! Pondering: a bot that computes while it is not asked is stopped until its next request, and the clock of its opponent does
//! not run while the opponent cannot.
//!
//! Replies that come at once cost nothing. Only while the referee waits longer does it look, every few hundredths of a
//! second, at what the processes of the other bot have used. Without a supervisor nothing is known, and nothing is done.

use std::time::{Duration, Instant};

use wire::{BySide, Side};

use super::Question;
use super::bot::BotProcess;
use super::system::Usage;

/// The time that the referee waits before it looks, and then between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The same as long as the looks find nothing: a look costs the asked bot some of its core.
const BETWEEN_QUIET_LOOKS: Duration = Duration::from_millis(100);

/// The processor time that a bot may use in one pause before it is stopped. Runtimes collect garbage and compile after
/// a reply; thinking takes longer.
const ALLOWANCE: Duration = Duration::from_millis(100);

/// The resources that a stopped bot may use without being stopped again: what it did before the signal reached it was not yet seen.
const REMNANT: Duration = Duration::from_millis(1);

/// The activity of the bots of a pair while they are not asked.
#[derive(Debug, Default)]
pub(super) struct Ponder {
    /// Whether they may compute then.
    pub(super) is_allowed: bool,
    /// Whether each bot has a request to answer.
    is_asked: BySide<bool>,
    /// The time since each bot's last reply.
    pauses: BySide<Pause>,
    /// The time that each bot used in the pauses in which it was stopped, until it was; `None` if it never was.
    pub(super) stopped_after: BySide<Option<Duration>>,
}

/// The time between a bot's reply and its next request.
#[derive(Debug, Default)]
struct Pause {
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

    /// Plans the next look, after one that has found the other bot to compute, or cannot tell yet, or not.
    fn plan(&mut self, elapsed: Duration, may_compute: bool) {
        self.between = if may_compute {
            BETWEEN_LOOKS
        } else {
            BETWEEN_QUIET_LOOKS.min(2 * self.between)
        };
        self.next = elapsed + self.between;
    }
}

impl Ponder {
    pub(super) fn new(is_allowed: bool) -> Ponder {
        Ponder {
            is_allowed,
            ..Ponder::default()
        }
    }

    /// Begins a request to the bot on `side`. If it is stopped it continues before it is sent anything, so before its clock
    /// starts.
    pub(super) fn begin_request(&mut self, bots: &mut [BotProcess], side: Side) {
        if std::mem::take(&mut self.pauses[side]).is_stopped {
            bots[side.index()].process.resume();
        }
        self.is_asked[side] = true;
    }

    /// Ends a request to the bot on `side`: until the next it has nothing to compute.
    pub(super) fn end_request(&mut self, side: Side) {
        self.is_asked[side] = false;
    }

    /// How long the referee may wait for the answer to `question`, which was asked `elapsed` ago, until it has to
    /// look at the other bot; `None` if it does not look.
    pub(super) fn time_until_look(
        &self,
        bots: &[BotProcess],
        question: &Question,
        elapsed: Duration,
    ) -> Option<Duration> {
        let other = question.side.other();
        let bot = bots.get(other.index())?;
        if self.is_asked[other] || bot.on_terminal || !bot.process.can_be_suspended() {
            return None;
        }
        // The usage of a bot before the first look is unknown. A bot that has been stopped before is looked at from the
        // beginning of its pause.
        let begins = self.pauses[other].seen.is_none();
        if begins && self.stopped_after[other].is_some() {
            return Some(Duration::ZERO);
        }
        Some(question.looks.next.saturating_sub(elapsed))
    }

    /// Looks at what the other bot computes while this one is asked, and sees to it.
    pub(super) fn look_at_other(&mut self, bots: &mut [BotProcess], question: &mut Question) {
        let other = question.side.other();
        let now = Instant::now();
        let Some(usage) = bots[other.index()].process.usage() else {
            return;
        };
        let pause = &mut self.pauses[other];
        let (mut used, mut since) = (Duration::ZERO, now);
        let is_first = pause.seen.is_none();
        if let Some((at, before)) = &pause.seen {
            used = usage.since(before);
            since = *at;
            // Processes may live too shortly for their time to be seen. That there is always one, is.
            if usage.has_started_one(before) {
                used = used.max(BETWEEN_LOOKS.min(now - *at));
            }
        }
        pause.seen = Some((now, usage));
        pause.used += used;
        let is_too_much = if pause.is_stopped {
            used > REMNANT
        } else {
            pause.used > ALLOWANCE
        };
        if is_too_much && !self.is_allowed {
            pause.is_stopped = true;
            bots[other.index()].process.suspend();
            let stopped_after = self.stopped_after[other].unwrap_or_default();
            self.stopped_after[other] = Some(stopped_after + pause.used);
            pause.used = Duration::ZERO;
        }
        // A look before the question tells nothing about what was used during it.
        if used.is_zero() || since < question.asked {
            pause.opponent = None;
        } else {
            let asked = &bots[question.side.index()];
            question.give_back(time_without_core(
                asked,
                &mut pause.opponent,
                used,
                now - since,
            ));
        }
        let elapsed = question.asked.elapsed();
        question.looks.plan(elapsed, is_first || !used.is_zero());
    }
}

/// For how long of an interval the bot `asked` could not run, since its opponent `used` the core. `before` is its usage at
/// the beginning, and then that of now.
fn time_without_core(
    asked: &BotProcess,
    before: &mut Option<Usage>,
    used: Duration,
    interval: Duration,
) -> Duration {
    let Some(own) = asked.process.usage() else {
        return Duration::ZERO;
    };
    // A bot has not lost the time in which it computed itself: on several cores both run at the same time. A bot that waits
    // for something else than a core has lost nothing either; otherwise one that never replies would have time for as long
    // as its opponent computes.
    let progress = before.as_ref().map(|before| own.since(before));
    let wants_core = progress.is_some_and(|progress| !progress.is_zero()) || own.is_running();
    *before = Some(own);
    let lost = used.min(interval.saturating_sub(progress.unwrap_or_default()));
    if wants_core { lost } else { Duration::ZERO }
}
