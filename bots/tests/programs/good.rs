//! The good player as a program, which needs nothing but this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    battleship_bots::main(battleship_bots::Kind::Good)
}
