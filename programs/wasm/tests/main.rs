//! The black-box tests of modules as bots: the referee plays them with the `referee-wasm` that is built beside it.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[macro_use]
extern crate testkit;

mod play;
use testkit::list::Tests;

fn list(tests: &mut Tests) {
    play::tests(tests);
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
