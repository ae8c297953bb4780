//! The black-box tests: they run the programs as their users do. One binary, so that it is linked
//! once.
//!
//! The modules are called by what a user does. `testkit` has what they share.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]
// On other systems some modules are left out, and what only they use is dead.
#![cfg_attr(
    target_os = "linux",
    deny(dead_code, reason = "a test that no list names would never run")
)]

#[macro_use]
extern crate testkit;

mod beside;
mod browser;
mod check;
#[cfg(target_os = "linux")]
mod cluster;
mod contest;
mod docs;
mod hostile;
mod judge;
mod kits;
mod lab;
mod pages;
mod play;
mod printed;
mod record;
#[cfg(target_os = "linux")]
mod sandbox;
mod screen;
mod shell;
#[cfg(target_os = "linux")]
mod windows;
#[cfg(unix)]
mod words;
use testkit::list::Tests;

fn list(tests: &mut Tests) {
    beside::tests(tests);
    browser::tests(tests);
    check::tests(tests);
    #[cfg(target_os = "linux")]
    cluster::tests(tests);
    contest::tests(tests);
    docs::tests(tests);
    hostile::tests(tests);
    judge::tests(tests);
    lab::tests(tests);
    kits::tests(tests);
    pages::tests(tests);
    play::tests(tests);
    printed::tests(tests);
    record::tests(tests);
    #[cfg(target_os = "linux")]
    sandbox::tests(tests);
    screen::tests(tests);
    shell::tests(tests);
    #[cfg(target_os = "linux")]
    windows::tests(tests);
    #[cfg(unix)]
    words::tests(tests);
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
