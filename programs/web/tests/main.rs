//! The black-box tests of games in a browser, with a client that speaks HTTP: the referee starts the `referee-web` that is built
//! beside it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

// Its `#[test]` takes the place of the built-in one in every module.
#[macro_use]
extern crate test_macros;

mod client;
mod pages;

fn main() -> std::process::ExitCode {
    testkit::harness::run(|_, _| None)
}
