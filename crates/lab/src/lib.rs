//! The tools of the author of a bot: a game to look at ([`debug`]), the judgement of each save
//! ([`dev`]), and the tuning of parameters ([`tune`]).

#![deny(unsafe_code)]

pub mod debug;
pub mod dev;
mod error;
mod trial;
pub mod tune;
mod versions;
mod watch;

pub use error::LabError;
pub use trial::Bench;
