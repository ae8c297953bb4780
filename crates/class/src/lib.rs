//! A class: who is in it, what they have handed in, what their bots have played, and what it shows of them.
//!
//! Everything that a person writes is a plain file: `class.toml`, `roster.csv`, and the submissions in folders. What the
//! programs find out is in one database, [`Store`], and can be made again from the files and the records of the games.
//! [`Class`] has a method for each step of a class. It prints nothing and knows no exit codes: each step returns what there is
//! to say, or a [`ClassError`].

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod add;
pub mod archive;
mod checks;
pub mod choice;
mod class;
mod config;
mod current;
mod dispute;
mod error;
mod folder;
mod grade;
mod init;
mod intake;
mod night;
mod parts;
mod play;
mod player;
mod pool;
pub mod recipe;
mod roster;
mod scratch;
mod secret;
mod setup;
mod site;
mod standings;
mod status;
mod store;
pub mod submission;
mod suspicious;
pub mod text;
mod time;
mod workshop;

pub use checks::{Checked, PerBot};
pub use class::{Class, Host};
pub use config::{BuildLimits, Config, ConfigError, Play, Requirement, Staff};
pub use dispute::Dispute;
pub use error::ClassError;
pub use folder::ClassFolder;
pub use grade::GradescopeResults;
pub use init::init;
pub use intake::{Heard, Intake};
pub use parts::PartedNight;
pub use play::{NightLimits, NightOver, PlannedNight, Tonight};
pub use roster::{Roster, RosterError, Student};
pub use site::Pages;
pub use store::{
    Bot, BotKey, Forfeit, Odd, Pairing, PlayedSeries, Results, Run, Standing, State, Store,
    StoreError, Sum, Sums, Verdict, Version,
};
pub use time::{TimeError, shown_time, time_in_name};
