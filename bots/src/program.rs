use std::io::{self, Write};
use std::process::ExitCode;

use battleship::protocol::{Greeting, play_all_on_stdio};
use clap::Parser;

use crate::{Kind, admiral, player, terminal_of};

/// A Battleship bot. It speaks the protocol of the Battleship referee on standard input and output, so it is
/// started by the referee rather than by hand.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// What the bot calls itself
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    name: Option<String>,
}

/// A name is said on a line of its own.
fn one_line(name: &str) -> Result<String, &'static str> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        return Err("a name is one line of text");
    }
    Ok(name.to_owned())
}

/// The whole program of a bot of that kind: reads the command line, then plays.
#[must_use]
pub fn main(kind: Kind) -> ExitCode {
    let arguments = Arguments::parse();
    run(kind, arguments.name.as_deref())
}

/// Plays as a bot of that kind on standard input and output until it is told to quit. It calls itself `name`,
/// or by its type name.
#[must_use]
pub fn run(kind: Kind, name: Option<&str>) -> ExitCode {
    let name = name.unwrap_or(kind.name()).to_owned();
    let greeting = Greeting { human: kind == Kind::Human, ..Greeting::from(name.as_str()) };
    let terminal = match terminal_of(kind) {
        Ok(terminal) => terminal.shared(),
        Err(error) => {
            // With standard error gone too there is nobody left to tell.
            let _ = writeln!(io::stderr(), "a human player needs a terminal: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut new_admiral = |seed| admiral(kind, &name, seed, &terminal);
    play_all_on_stdio(
        greeting,
        |game, seed| player(kind, &name, game, seed, &terminal),
        Some(&mut new_admiral),
    )
}
