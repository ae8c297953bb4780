//! The arena: series and contests of games between two bots, their records, and what these say. It
//! knows no game: what is played comes as a [`wire::game::Game`]. It prints nothing and knows no
//! exit codes.
//!
//! From the ground up: `terms`, `game`, `pair`, `judge`, `record`, `explain`, `result`, `contest`.

#![deny(unsafe_code)]
// On Linux these can fail, and use what they are called on.
#![cfg_attr(
    not(target_os = "linux"),
    allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")
)]

pub mod command;
pub mod contest;
pub mod explain;
pub mod game;
pub mod judge;
mod pair;
pub mod parallel;
pub mod record;
pub mod result;
#[cfg(test)]
mod simulation_tests;
pub mod system;
pub mod terms;
#[cfg(test)]
mod tests;
pub mod words;
