//! The black-box tests of the tasks.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

// Its `#[test]` takes the place of the built-in one in every module.
#[macro_use]
extern crate test_macros;

mod manual;

fn main() -> std::process::ExitCode {
    testkit::harness::run(|_, _| None)
}
