//! Matches, tournaments and rankings.

mod config_file;
mod matches;
mod rank;
mod tournament;
mod twist;
