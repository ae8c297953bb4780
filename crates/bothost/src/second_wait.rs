//! A second wait for a reply that did not come in time, which tells a slow bot from a silent one, and a busy machine from
//! both. For checking a bot.

use std::time::{Duration, Instant};

use super::{AskError, BotPair, Question, Side};

/// The referee looks at its clock after each of these. Short, so that many of them show how busy the machine is.
const SLICE: Duration = Duration::from_millis(50);

/// The processor time that a bot may use in a second wait and still count as idle: runtimes collect garbage.
const IDLE: Duration = Duration::from_millis(100);

/// The result of a second wait for a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondWait {
    /// The time from the request to the reply; `None` if it did not come.
    pub reply: Option<Duration>,
    /// Whether the bot computed, as far as the system says.
    pub computed: bool,
    /// Whether the machine was too busy for silence to show anything.
    pub was_busy: bool,
}

/// A wait that counts only the time in which the referee got its turns.
#[derive(Debug)]
pub(super) struct Patience {
    whole: Duration,
    left: Duration,
    late: Duration,
}

impl Patience {
    pub(super) const fn new(whole: Duration) -> Patience {
        Patience {
            whole,
            left: whole,
            late: Duration::ZERO,
        }
    }

    /// Returns how long to wait until the next look at the clock; `None` if the wait is over.
    pub(super) fn slice(&self, longest: Duration) -> Option<Duration> {
        // Four times as long by the clock is the most: a check has to end on any machine.
        let is_over = self.left.is_zero() || self.late > 3 * self.whole;
        (!is_over).then(|| longest.min(self.left))
    }

    /// Counts a wait that was meant to last for `slice` and lasted for `took`.
    pub(super) fn add(&mut self, slice: Duration, took: Duration) {
        self.left = self.left.saturating_sub(slice.min(took));
        self.late += took.saturating_sub(slice);
    }

    /// Returns whether the machine was late for a third of the wait or more. Then the bot may have had as little of it.
    pub(super) fn was_busy(&self) -> bool {
        !self.late.is_zero() && 3 * self.late >= self.whole
    }
}

impl BotPair {
    /// Waits for the answer to a question whose deadline has passed, for another `patience`. The time in which the referee
    /// itself waited for its turn does not count.
    ///
    /// # Errors
    /// If the user stops the referee, or the operating system fails.
    pub fn wait_longer(
        &mut self,
        question: Question,
        patience: Duration,
    ) -> Result<SecondWait, AskError> {
        let side = question.side;
        let used = |pair: &BotPair| pair.bots[side.index()].usage().map(|usage| usage.total());
        let (before, mut patience) = (used(self), Patience::new(patience));
        let mut reply = None;
        while let Some(slice) = patience.slice(SLICE) {
            let began = Instant::now();
            let answer = self
                .answer(&mut question.until(slice))
                .map(|answer| answer.time);
            match answer {
                Ok(time) => {
                    reply = Some(time);
                    break;
                }
                Err(AskError::Fault(_) | AskError::MachineLate(_)) if self.may_answer(side) => {}
                Err(AskError::Fault(_) | AskError::MachineLate(_)) => break,
                Err(error @ (AskError::Interrupted | AskError::Io(_))) => return Err(error),
            }
            patience.add(slice, began.elapsed());
        }
        let used = used(self)
            .unwrap_or_default()
            .saturating_sub(before.unwrap_or_default());
        Ok(SecondWait {
            reply,
            computed: used > IDLE,
            was_busy: patience.was_busy(),
        })
    }

    fn may_answer(&mut self, side: Side) -> bool {
        !self.bots[side.index()].has_closed_output() && !self.has_begun_line(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// The whole time that a wait for `patience` takes if each look at the clock comes late by `late`.
    fn waited(patience: Duration, late: Duration) -> (Duration, Patience) {
        let mut patience = Patience::new(patience);
        let mut clock = Duration::ZERO;
        while let Some(slice) = patience.slice(50 * MS) {
            patience.add(slice, slice + late);
            clock += slice + late;
        }
        (clock, patience)
    }

    /// A bot that replied 100 ms after its limit of 5 s was once said not to flush, since the referee had no turn before its
    /// second wait of 5 s was over.
    #[test]
    fn a_busy_machine_gets_more_time() {
        let (clock, patience) = waited(5000 * MS, MS);
        assert!(clock == 5100 * MS && !patience.was_busy());
        let (clock, patience) = waited(5000 * MS, 50 * MS);
        assert!(clock == 10_000 * MS && patience.was_busy());
        // One turn that comes very late ends no wait by itself.
        let mut patience = Patience::new(5000 * MS);
        patience.add(50 * MS, 6000 * MS);
        assert!(patience.slice(50 * MS).is_some() && patience.was_busy());
    }

    #[test]
    fn a_wait_ends_on_any_machine() {
        let (clock, patience) = waited(5000 * MS, 1000 * MS);
        assert!(clock <= 21_000 * MS && patience.was_busy());
    }

    #[test]
    fn a_wait_that_ends_early_is_not_late() {
        let mut patience = Patience::new(100 * MS);
        patience.add(50 * MS, 10 * MS);
        assert_eq!(patience.slice(200 * MS), Some(90 * MS));
        assert!(!patience.was_busy());
    }
}
