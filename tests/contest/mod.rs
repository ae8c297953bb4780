//! Matches, tournaments and rankings.

mod config_file;
mod explain;
mod folders;
mod identity;
mod interrupted;
mod matches;
mod rank;
mod seeds;
mod standings;
mod tables;
mod terms;
mod tournament;
mod twist;
mod watch;
