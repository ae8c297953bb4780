//! Matches, tournaments and rankings.

mod config_file;
mod explain;
mod matches;
mod rank;
mod seeds;
mod terms;
mod tournament;
mod twist;
