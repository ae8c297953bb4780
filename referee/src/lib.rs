//! The referee: plays Battleship between programs and judges them.
//!
//! From the ground up, each room leaning on lower ones only: [`process`] (a bot as a child process), [`play`]
//! (one game, as events), [`record`] (games as data), [`contest`] (many games), [`check`] (one
//! bot and the protocol), [`show`] (games for people), [`cli`] (the program).

#![deny(unsafe_code)]

pub mod check;
pub mod cli;
pub mod contest;
pub mod play;
pub mod process;
pub mod record;
pub mod show;
