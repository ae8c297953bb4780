//! The commands, one a file: what can be typed, the checked plan where there is one, and the run.

pub(super) mod bot;
pub(super) mod check;
pub(super) mod completions;
pub(super) mod debug;
pub(super) mod demo;
pub(super) mod dev;
pub(super) mod doctor;
pub(super) mod explain;
mod game_session;
pub(super) mod list;
pub(super) mod match_;
pub(super) mod merge;
pub(super) mod new;
mod pause;
pub(crate) mod play;
pub(super) mod rank;
pub(super) mod replay;
pub(super) mod report;
mod retrace;
pub(super) mod sandbox_test;
mod series;
pub(super) mod show;
pub(super) mod tournament;
pub(super) mod tune;
