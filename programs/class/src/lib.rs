//! A class: who is in it, what they have handed in, what their bots have played, and what it shows
//! of them.
//!
//! Everything that a person writes is a plain file: `class.toml`, `roster.csv`, and the submissions
//! in folders. What the programs find out is in one database, [`Store`], and can be made again from
//! the files and the records of the games. [`Class`] has a method for each step of a class. It
//! prints nothing and knows no exit codes: each step returns what there is to say, or a
//! [`ClassError`].

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod add;
mod archive;
mod build_faults;
mod checked;
mod checks;
mod choice;
mod class;
mod config;
mod current;
mod dispute;
mod error;
mod folder;
mod grade;
mod import;
mod init;
mod intake;
mod lock;
mod night;
mod play;
mod player;
mod pool;
mod privacy;
mod project;
mod requirement;
mod roster;
mod scratch;
mod secret;
mod setup;
mod site;
mod standings;
mod status;
mod store;
mod submission;
mod suspicious;
mod text;
mod time;
mod waiting;
mod workshop;

pub use checked::Checked;
pub use checks::{PerBot, ToCheck};
pub use class::{Class, Host};
pub use dispute::Dispute;
pub use error::ClassError;
pub use grade::GradescopeResults;
pub use import::{Arrived, Imported};
pub use init::init;
pub use intake::{Heard, Intake};
pub use night::NightLimits;
pub use play::{Absent, NightOver, PlannedNight, Tonight};
pub use privacy::keep_output;
pub use site::Pages;
pub use store::{State, StoreError, Verdict, Version};
pub use time::{TimeError, moment, shown_time};
pub use waiting::Waiting;

use config::{Build, Config, Play, Requirement};
use folder::ClassFolder;
use roster::{Roster, Student};
use store::{Bot, BotKey, Forfeit, Odd, PlayedSeries, Results, Standing, Store, Sum, Sums};
