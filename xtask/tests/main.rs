//! The black-box tests of the tasks.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[macro_use]
extern crate testkit;

mod manual;
use testkit::list::Tests;

fn list(tests: &mut Tests) {
    manual::tests(tests);
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
