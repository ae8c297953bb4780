//! Battleship on the terminal: a screen to play at, to watch games, and to look back at them.

#![forbid(unsafe_code)]

pub mod story;
