//! The amount of a player's thinking.

use std::time::{Duration, Instant};

/// The amount of a player's thinking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thinking {
    /// The fleets that are drawn before the first attack.
    pub(super) drawn: usize,
    /// With fewer left, more are made; up to `renewed`.
    pub(super) few: usize,
    pub(super) renewed: usize,
    /// On how many fleets the best cells are tried out; 0 for not at all.
    pub(super) trials: usize,
    /// In this number of 100 turns in which no damaged ship is afloat it attacks anywhere.
    pub(super) careless: u8,
    /// Whether it says what it thinks.
    pub(super) explains: bool,
}

impl Thinking {
    /// About as much thinking as takes that time for a move on a usual machine; beyond 30 ms it
    /// hardly grows. It is measured in fleets, not by a clock, so that the same seed gives the same
    /// play on every machine.
    #[must_use]
    pub fn for_milliseconds(budget: f64) -> Thinking {
        let times = |many: f64| {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is within bounds"
            )]
            {
                (many * budget.clamp(0.0, 2000.0)) as usize
            }
        };
        Thinking {
            drawn: times(12_000.0).clamp(2_000, 100_000),
            few: times(1_000.0).clamp(300, 10_000),
            renewed: times(4_000.0).clamp(1_200, 40_000),
            trials: times(1_000.0).min(30_000),
            careless: 0,
            explains: false,
        }
    }

    /// The same, or less if it would take longer than that for a move.
    pub(super) fn within(self, time: Duration) -> Thinking {
        let most = Thinking::for_milliseconds(1000.0 * time.as_secs_f64());
        Thinking {
            drawn: self.drawn.min(most.drawn),
            few: self.few.min(most.few),
            renewed: self.renewed.min(most.renewed),
            trials: self.trials.min(most.trials),
            ..self
        }
    }

    /// The same, saying on standard error before each attack what it thinks.
    #[must_use]
    pub const fn explained(self) -> Thinking {
        Thinking {
            explains: true,
            ..self
        }
    }

    /// The same, attacking anywhere in `percent` of 100 turns in which no damaged ship is afloat:
    /// an opponent that people can beat, and that pursues what it has hit. Fewer fleets do not make
    /// one: by a single fleet at a time it needs 49 attacks, and by the places of each ship alone
    /// 54.
    #[must_use]
    pub const fn careless(self, percent: u8) -> Thinking {
        Thinking {
            careless: percent,
            ..self
        }
    }

    /// The same without trying cells out: always the cell that most of the fleets have.
    #[must_use]
    pub const fn greedy(self) -> Thinking {
        Thinking { trials: 0, ..self }
    }
}

impl Default for Thinking {
    /// One millisecond.
    fn default() -> Thinking {
        Thinking::for_milliseconds(1.0)
    }
}

/// The time when a reply is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    end: Option<Instant>,
}

impl Clock {
    /// A reply is due within `limit` from now; of that the last tenth is left for what comes after
    /// thinking.
    pub(super) fn start(limit: Option<Duration>) -> Clock {
        Clock {
            end: limit.and_then(|limit| Instant::now().checked_add(limit / 10 * 9)),
        }
    }

    /// Whether the time for thinking is over.
    pub(super) fn is_up(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}
