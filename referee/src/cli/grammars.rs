//! The command lines of all programs that are installed together, for completions and manual pages.

use std::ffi::OsStr;

use clap::{Arg, Command, ValueHint};

use super::commands::bot;
use super::completion::values;

/// The grammars of programs; that of the referee is provided by who knows it: this file is below the commands, whose completions it serves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grammars {
    pub(super) referee: fn() -> Command,
}

impl Grammars {
    /// Returns the grammar of each program: the referee first, then `replay`, then the bots.
    pub(super) fn all(self) -> Vec<Command> {
        [(self.referee)(), replay()]
            .into_iter()
            .chain(bot::with_programs().map(bot::bot_grammar))
            .collect()
    }

    /// Returns the grammar of the program called `name`; that of the referee if there is none.
    pub(super) fn of(self, name: &OsStr) -> Command {
        let found = self
            .all()
            .into_iter()
            .find(|program| name == program.get_name());
        found.unwrap_or_else(self.referee)
    }
}

/// Returns the grammar of the program `replay`, which has the original's command line and reads it without clap.
fn replay() -> Command {
    let mode = Arg::new("mode").value_parser(["v", "f"]).required(true);
    let log = Arg::new("log")
        .required(true)
        .help("A log, or a record of games")
        .add(values::records());
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
