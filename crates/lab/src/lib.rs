//! The tools of the author of a bot: the folder of a bot, looked at again and again ([`Watch`]), the versions that were kept
//! ([`Versions`]) and tried against each other ([`Trial`]), and the parameters that are tuned ([`tune`]).

#![deny(unsafe_code)]

mod trial;
pub mod tune;
mod versions;
mod watch;

pub use trial::{Trial, Tried};
pub use versions::{Versions, VersionsError};
pub use watch::{Contents, Watch};
