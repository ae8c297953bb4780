//! The referee's program. It is also every shipped bot, so that those always match its version.

use std::process::ExitCode;

use battleship_bots::Kind;

fn main() -> ExitCode {
    battleship_referee::cli::main(|kind, name| {
        let kind = Kind::from_name(kind).expect("the referee offers the bots that there are");
        battleship_bots::run(kind, name)
    })
}
