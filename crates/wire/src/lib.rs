//! What all games of two bots share, whatever they play: who the players are, how long they may
//! take, how a line is read, how text from outside is shown, and random numbers that a seed
//! repeats. With the feature `referee` also the interface between a game and the code that runs it
//! ([`game`]), how a game ends, and who listens.
//!
//! Nothing here knows a game, a process, a file or a terminal.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod clock;
#[cfg(feature = "referee")]
mod ending;
#[cfg(feature = "referee")]
mod event;
#[cfg(feature = "referee")]
pub mod game;
#[cfg(feature = "referee")]
pub mod greeting;
pub mod line;
mod local;
pub mod seeds;
mod side;
pub mod text;

pub use answer::Answer;
pub use clock::Clock;
#[cfg(feature = "referee")]
pub use ending::{Blame, EndedBy, Ending};
#[cfg(feature = "referee")]
pub use event::{Event, GameListener, Listener, Stop};
pub use local::Local;
pub use side::{BySide, Side, SideError};
