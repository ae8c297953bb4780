//! The engine: plays Battleship between programs. One game, a series of them, and contests of series; their records; and
//! the check of a bot. It prints nothing and knows no exit codes.
//!
//! From the ground up: `terms`, `game`, `record`, `contest` and `check`, `dev`.

#![deny(unsafe_code)]
// On Linux these can fail, and use what they are called on.
#![cfg_attr(
    not(target_os = "linux"),
    allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")
)]

pub mod check;
pub mod contest;
pub mod dev;
pub mod game;
mod pair;
pub mod record;
#[cfg(test)]
mod simulation_tests;
pub mod system;
pub mod terms;
#[cfg(test)]
mod tests;
pub mod words;
