//! The referee: plays Battleship between programs and judges them. Its one public part is the program itself,
//! [`cli`]; `ARCHITECTURE.md` describes the rooms behind it.

#![deny(unsafe_code)]

mod check;
pub mod cli;
mod cluster;
mod contest;
mod game;
mod live;
mod record;
mod report;
mod system;
mod terms;
#[cfg(feature = "web")]
mod web;
