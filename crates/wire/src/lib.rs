//! What all games of two bots share, whatever they play: who the players are, how long they may take, how a line is read,
//! how text from outside is shown, and random numbers that a seed repeats.
//!
//! Nothing here knows a game, a process, a file or a terminal.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod clock;
pub mod line;
mod local;
pub mod seeds;
mod side;
pub mod text;

pub use answer::Answer;
pub use clock::Clock;
pub use local::Local;
pub use side::{BySide, Side, SideError};
