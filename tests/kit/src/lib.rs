//! What the black-box tests of the core and of the programs beside it share: the list of tests,
//! which leaves out those whose tools a machine lacks, folders, games, hostile bots and terminals.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]
#![allow(
    clippy::must_use_candidate,
    clippy::missing_errors_doc,
    clippy::new_without_default,
    clippy::return_self_not_must_use,
    missing_debug_implementations,
    reason = "this is for tests alone"
)]

pub mod arena;
pub mod disks;
pub mod list;
#[cfg(unix)]
pub mod person;
pub mod programs;
pub mod record;
pub mod report;
pub mod run;
#[cfg(unix)]
pub mod screen;
#[cfg(unix)]
pub mod terminal;
pub mod text;
pub mod tools;
pub mod wine;
