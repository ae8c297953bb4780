//! The black-box tests of games in a browser, with a client that speaks HTTP: the referee starts
//! the `referee-web` that is built beside it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[macro_use]
extern crate testkit;

mod client;
mod pages;
use testkit::list::Tests;

fn list(tests: &mut Tests) {
    pages::tests(tests);
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
