//! The referee's program. It is also every shipped bot, so that those always match its version.

use std::process::ExitCode;

use battleship_bots::{Kind, Terminal};

fn main() -> ExitCode {
    battleship_referee::cli::main(|kind, name, person| {
        let kind = Kind::from_name(kind).expect("the referee offers the bots that there are");
        match person {
            Some(streams) => battleship_bots::run_at(
                Terminal::typed_ahead(streams.input, streams.output),
                kind,
                name,
            ),
            None => battleship_bots::run(kind, name),
        }
    })
}
