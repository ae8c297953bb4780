//! Contests of two or more players: who meets whom, and who got what.

pub mod crosstable;
pub mod schedule;
