//! A class on disk: who is in it, what they have handed in, and what their bots have played.
//!
//! Everything that a person writes is a plain file: `class.toml`, `roster.csv`, and the submissions in folders. What the
//! programs find out is in one database, [`Store`], and can be made anew from the files and the records of the games.
//! This library plays nothing and draws no page: that is the referee's.

#![warn(missing_docs)]

pub mod archive;
pub mod choice;
mod config;
mod folder;
pub mod recipe;
mod roster;
mod store;
pub mod submission;
pub mod text;
mod time;

pub use config::{BuildLimits, Config, ConfigError, Play, Requirement, Staff};
pub use folder::ClassFolder;
pub use roster::{Roster, RosterError, Student};
pub use store::{
    Bot, BotKey, Forfeit, Odd, Pairing, PlayedSeries, Results, Run, Standing, State, Store,
    StoreError, Sum, Sums, Verdict, Version,
};
pub use time::{TimeError, shown_time, time_in_name};
