//! `referee-web`: a game of a person in a browser, as `referee play human good --web` asks for it.

mod game;
mod server;

use std::ffi::OsString;
use std::process::ExitCode;

use battleship_referee::cli::{self, Failure, PlayArguments};
use clap::Parser;

use self::game::Browser;

/// Plays a game in a browser on this machine
#[derive(Debug, Parser)]
#[command(name = "referee-web", bin_name = "referee web", version)]
struct Arguments {
    #[command(flatten)]
    play: PlayArguments,
}

fn main() -> ExitCode {
    cli::program_main("referee-web", run)
}

/// Plays the game that `typed` asks for, the program's own name first.
fn run(mut typed: Vec<OsString>) -> Result<(), Failure> {
    // The option is needed by the referee alone, to start this program.
    let is_typed = typed
        .iter()
        .take_while(|word| *word != "--")
        .any(|word| word == "--web");
    if !is_typed {
        typed.insert(1, "--web".into());
    }
    let Arguments { play } = Arguments::parse_from(typed);
    cli::play_at(&play, &mut Browser::default())
}
