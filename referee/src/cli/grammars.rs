//! The command lines of all programs that are installed together, for manual pages.

use clap::{Arg, Command, CommandFactory, ValueHint};

use super::arguments::Arguments;
use super::commands::bot;

/// Returns the grammar of each program: the referee first, then `replay`, then the bots.
#[must_use]
pub fn grammars() -> Vec<Command> {
    let mut grammars: Vec<Command> = [Arguments::command(), replay()]
        .into_iter()
        .chain(bot::with_programs().map(bot::bot_grammar))
        .collect();
    grammars.iter_mut().for_each(Command::build);
    grammars
}

/// Returns the grammar of the program `replay`, which has the original's command line and reads it without clap.
fn replay() -> Command {
    let mode = Arg::new("mode").value_parser(["v", "f"]).required(true);
    let log = Arg::new("log")
        .required(true)
        .help("A log, or a record of games");
    let out = Arg::new("out")
        .help("The file to write")
        .value_hint(ValueHint::FilePath);
    Command::new("replay")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Show a log of the twist game")
        .long_about("Shows a log of the twist game as the original program shows it. referee replay does more.")
        .override_usage("replay v LOG\nreplay f LOG OUT")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(mode.value_name("MODE").help("v shows the game, a second a turn; f writes it to the file OUT"))
        .arg(log.value_name("LOG"))
        .arg(out.value_name("OUT"))
}
