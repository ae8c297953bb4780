//! The commands of the referee that are printed as advice. Each of them runs as it is printed.

use std::fmt;

use wire::game::Game;

use crate::game::Entrant;
use crate::system::quoted;
use crate::terms::GameTerms;

/// A command of the referee. Its text is quoted for a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedCommand {
    words: Vec<String>,
}

impl PrintedCommand {
    /// Returns `referee` with these words.
    pub fn new<W: Into<String>>(words: impl IntoIterator<Item = W>) -> PrintedCommand {
        let words = words.into_iter().map(Into::into);
        PrintedCommand {
            words: std::iter::once("referee".to_owned()).chain(words).collect(),
        }
    }

    /// Returns the command that checks `bot` as it plays `game` under these terms.
    #[must_use]
    pub fn check(bot: &Entrant, terms: &GameTerms, game: &dyn Game) -> PrintedCommand {
        let mut terms = GameTerms {
            // Some steps need games of full length.
            max_turns: game.max_turns(),
            ..terms.clone()
        };
        if let Some(limit) = bot.limits.limit {
            terms.limit = limit;
            terms.clock = None;
        }
        terms.start_limit = bot.limits.start_limit.unwrap_or(terms.start_limit);
        let command = PrintedCommand::new(["check".to_owned(), bot.word()]);
        command.with(terms.to_args(game))
    }

    /// Returns the command that checks the judge of `game`.
    #[must_use]
    pub fn check_judge(game: &dyn Game) -> PrintedCommand {
        PrintedCommand::new(["check"]).with(game.arguments())
    }

    /// Returns the command that plays a game of `bot` against `opponent` in the debugger.
    #[must_use]
    pub fn debug(
        bot: &Entrant,
        opponent: &Entrant,
        terms: &GameTerms,
        game: &dyn Game,
    ) -> PrintedCommand {
        let words = ["debug".to_owned(), bot.word(), opponent.word()];
        PrintedCommand::new(words).with(terms.in_debugger().to_args(game))
    }

    /// Returns the command with `words` behind it.
    #[must_use]
    pub fn with<W: Into<String>>(mut self, words: impl IntoIterator<Item = W>) -> PrintedCommand {
        self.words.extend(words.into_iter().map(Into::into));
        self
    }
}

impl fmt::Display for PrintedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(&self.words))
    }
}

/// Returns `typed`, the words of a command with the program's name first, as the command that
/// continues its record: without `--force`, which replaces the record, and with `added` and
/// `--resume`.
#[must_use]
pub fn resuming_command(typed: &[String], added: &[String]) -> String {
    // Words behind -- are players.
    let end = typed
        .iter()
        .position(|word| word == "--")
        .unwrap_or(typed.len());
    let (options, players) = typed.split_at(end);
    let mut words: Vec<String> = options.to_vec();
    words.retain(|word| word != "--force");
    words.extend_from_slice(added);
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_owned());
    }
    words.extend_from_slice(players);
    quoted(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resuming_command_has_no_force() {
        for (typed, expected) in [
            (
                "r match a b --force --out m",
                "r match a b --out m --seed 7 --resume",
            ),
            (
                "r match --out m -- a b",
                "r match --out m --seed 7 --resume -- a b",
            ),
            ("r tune a --resume", "r tune a --resume --seed 7"),
        ] {
            let typed: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            let added = ["--seed", "7"].map(str::to_owned);
            assert_eq!(resuming_command(&typed, &added), expected);
        }
    }
}
