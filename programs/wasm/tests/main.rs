//! The black-box tests of modules as bots: the referee plays them with the `referee-wasm` that is built beside it.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

// Its `#[test]` takes the place of the built-in one in every module.
#[macro_use]
extern crate test_macros;

mod play;

fn main() -> std::process::ExitCode {
    testkit::harness::run(|_, _| None)
}
