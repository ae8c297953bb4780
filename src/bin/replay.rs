//! The original twist program's second executable: it shows or writes a logged game.

use std::process::ExitCode;

fn main() -> ExitCode {
    referee::replay_main()
}
