//! The referee's program. It is also every shipped bot, so that those always match its version.

use std::process::ExitCode;

fn main() -> ExitCode {
    referee::main()
}
