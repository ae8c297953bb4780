//! The human player as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    battleship_referee::cli::bot_main("human")
}
