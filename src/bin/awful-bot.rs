//! The awful player as a program of its own.

use std::process::ExitCode;

use battleship_bots::Kind;

fn main() -> ExitCode {
    battleship_bots::main(Kind::Awful)
}
