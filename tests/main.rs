//! The black-box tests: they run the programs as their users do. One binary, so that it is linked once.
//!
//! The modules are called by what a user does. `testkit` has what they share.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]
// On other systems some modules are left out, and what only they use is dead.
#![cfg_attr(
    target_os = "linux",
    deny(dead_code, reason = "a function without #[test] would never run")
)]

// Its `#[test]` takes the place of the built-in one in every module, which this target would silently drop.
#[macro_use]
extern crate test_macros;

use testkit::{common, harness};

mod beside;
mod bots;
mod browser;
mod check;
mod contest;
mod debug;
mod dev;
mod docs;
mod doctor;
#[cfg(target_os = "linux")]
mod honest;
mod hostile;
mod human;
mod new;
mod play;
mod promises;
mod record;
mod replay;
mod report;
#[cfg(target_os = "linux")]
mod sandbox;
mod screen;
mod shell;
mod tune;
#[cfg(target_os = "linux")]
mod windows;

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    let why_left_out = windows::why_left_out;
    #[cfg(not(target_os = "linux"))]
    let why_left_out = |_: &str, _: &[&harness::needs::Need]| None;
    harness::run(why_left_out)
}
