//! The tools of the author of a bot: a game to look at ([`debug`]), versions that are kept and
//! tried against each other ([`Trial`]), and the tuning of parameters ([`tune`]).

#![deny(unsafe_code)]

pub mod debug;
mod error;
mod trial;
pub mod tune;
mod versions;
mod watch;

pub use error::LabError;
pub use trial::{Trial, Tried};
pub use versions::{Versions, VersionsError};
pub use watch::{Contents, Watch};
