//! The referee: plays Battleship between programs and judges them.
//!
//! From the ground up, each room leaning on lower ones only: [`game`]
//! (one game, as events), [`record`] (games as data), [`contest`] (many games), [`check`] (one
//! bot and the protocol), [`report`] (games for people), [`cli`] (the program).

#![deny(unsafe_code)]

pub mod check;
pub mod cli;
pub mod contest;
pub mod game;

pub mod record;
pub mod report;
