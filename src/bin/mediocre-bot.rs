//! The mediocre player as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    referee::bot_main("mediocre")
}
