//! Contests between two players at a time: who meets whom, and what the results say.

#![forbid(unsafe_code)]

pub mod crosstable;
pub mod schedule;
pub mod statistics;
