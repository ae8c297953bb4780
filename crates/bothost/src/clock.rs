//! The clock of one player, and what is left on it.

use std::time::Duration;

use wire::Clock;

/// The real time that a reply by fuel may take: far more than any amount of fuel lasts for. Beyond it the module's host
/// hangs, which is no fault of the module.
const LONGEST_BY_FUEL: Duration = Duration::from_secs(600);

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
            Clock::Fuel { .. } => Some(LONGEST_BY_FUEL),
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
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

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
    fn a_clock_for_each_reply_is_not_used_up() {
        let mut clock = RunningClock::new(Clock::Wall(SECOND));
        clock.charge(59 * SECOND);
        assert_eq!((clock.limit(), clock.time_left()), (Some(SECOND), None));
    }
}
