//! Contests between two players at a time: who meets whom, and what the results say.
//!
//! * [`schedule`]: round robins, gauntlets, Swiss tournaments and knockouts, cut into series of
//!   games.
//! * [`crosstable`]: the points of each player against each other one.
//! * [`statistics`]: Elo differences and ratings with their errors, sequential tests,
//!   distributions.
//!
//! Everything is a pure function of its arguments: no input or output, no clock, no random numbers
//! but those that the caller passes in. A schedule depends on its plan and on the results of
//! earlier rounds alone, so a contest that is resumed, or divided among machines, plays the same
//! series under the same numbers.
//!
//! # A tournament of any game
//!
//! ```
//! use league::crosstable::Crosstable;
//! use league::schedule::{Format, Plan, Schedule};
//! use league::statistics::bradley_terry::{Anchor, HeadToHead, fit};
//! use league::statistics::{Score, Wdl};
//!
//! // Three players; the lower the number, the stronger: it wins three games of four.
//! let plan = Plan { format: Format::RoundRobin, players: 3, games: 8, series: 4 };
//! let mut schedule = Schedule::new(plan)?;
//! let mut table = Crosstable::new(3);
//! let mut results = Vec::new();
//! while let Some(round) = schedule.next_round(&table, &|_| false) {
//!     for series in round {
//!         let losses = u64::from(series.games) / 4;
//!         let games = Wdl { wins: 3 * losses, draws: 0, losses };
//!         let [one, two] = series.players;
//!         table.add(one, two, games.half_points(), games.games());
//!         let score = Score::of(games.sample()).expect("each series has games");
//!         results.push(HeadToHead { players: series.players, score });
//!     }
//! }
//! let standings = schedule.standings(&table, &|_| false);
//! assert_eq!(standings[0].player, 0);
//! let ratings = fit(3, &results, Anchor::Mean).players;
//! assert!(ratings[0].unwrap().rating > ratings[2].unwrap().rating);
//! # Ok::<(), league::schedule::PlanError>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod crosstable;
pub mod schedule;
pub mod statistics;
