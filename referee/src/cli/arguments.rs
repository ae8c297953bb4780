//! The commands that can be typed, and what their help has in common.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::commands::bot::BotArguments;
use super::commands::check::{self, CheckArguments};
use super::commands::completions::{self, CompletionsArguments};
use super::commands::debug::{self, DebugArguments};
use super::commands::demo::DemoArguments;
use super::commands::dev::{self, DevArguments};
use super::commands::doctor;
use super::commands::explain::{self, ExplainArguments};
use super::commands::list::{self, ListArguments};
use super::commands::match_::MatchArguments;
use super::commands::merge::MergeArguments;
use super::commands::new::NewArguments;
use super::commands::play::PlayArguments;
use super::commands::rank::{self, RankArguments};
use super::commands::replay::{self, ReplayArguments};
use super::commands::report::{self, ReportArguments};
use super::commands::tournament::{self, TournamentArguments};
use super::commands::tune::{self, TuneArguments};
use super::help::{self, Detail};

/// Plays Battleship between programs and judges them.
#[derive(Debug, Parser)]
#[command(name = "referee", version, after_help = help::AFTER)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The definition of a player, with the examples of a command below.
macro_rules! with_players {
    ($examples:literal) => {
        concat!(
            "A player is awful, mediocre, good or human, which come with the referee, or the
command line of any program that speaks the protocol. NAME= before it gives it a
name; NAME@DIR= (or @DIR=) starts it in the folder DIR, where names in its
command are looked up. A name with spaces needs quotation marks of its own:
\"'Popeye the Sailor=python3' my_bot.py\".

Examples:",
            $examples
        )
    };
}

const PLAY: &str = with_players!(
    "
  referee play human good
  referee play human good --web --open
  referee play mediocre good --delay 300ms
  referee play 'Popeye=python3 my_bot.py' Bluto=./bluto
  referee play 'Popeye@bots/popeye=python3 bot.py' Bluto@bots/bluto=./bluto"
);

const MATCH: &str = with_players!(
    "
  referee match mediocre good --games 100
  referee match \"python3 my_bot.py\" mediocre --out games.jsonl
  referee match Old=./old New=./new --sprt elo0=0,elo1=20"
);

const TOURNAMENT: &str = with_players!(
    "
  referee tournament awful mediocre good \"python3 my_bot.py\" --out cup.jsonl
  referee tournament --config cup.toml --report cup.html"
);

const NEW: &str = "Examples:
  referee new
  referee new python my-bot";

const DEMO: &str = "At a pause, enter continues, a and enter plays the rest without pauses, and
q and enter ends the game.

Examples:
  referee demo
  referee demo 2
  referee demo cc --delay 300ms";

const MERGE: &str = "Examples:
  referee merge part-1.jsonl part-2.jsonl --out cup.jsonl";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play one game
    #[command(after_help = PLAY)]
    Play(Box<PlayArguments>),
    /// Play many games between two players, and say which is better
    #[command(after_help = MATCH)]
    Match(Box<MatchArguments>),
    /// Play a tournament: round robin, gauntlet, swiss or knockout
    #[command(after_help = TOURNAMENT, after_long_help = format!("{}\n\n{TOURNAMENT}", tournament::CONFIG))]
    Tournament(Box<TournamentArguments>),
    /// Find the best values of a bot's parameters by games
    #[command(after_help = tune::EXAMPLES)]
    Tune(Box<TuneArguments>),
    /// Check whether a bot keeps to the protocol, and what is wrong
    #[command(after_help = check::EXAMPLES)]
    Check(Box<CheckArguments>),
    /// Play one game without a clock, and stop where you want to look
    #[command(after_help = debug::EXAMPLES)]
    Debug(DebugArguments),
    /// Build a bot on every save, and say whether it became better
    #[command(after_help = dev::EXAMPLES)]
    Dev(Box<DevArguments>),
    /// Show a recorded game, or a log of the original twist program
    #[command(after_help = replay::EXAMPLES)]
    Replay(ReplayArguments),
    /// List the games of records, a line each: who won, and how
    #[command(after_help = list::EXAMPLES)]
    List(ListArguments),
    /// Explain why a player lost: faults, worst games, weakest attacks
    #[command(after_help = explain::EXAMPLES)]
    Explain(ExplainArguments),
    /// Make a page for a browser: standings, charts, replays of games
    #[command(after_help = report::EXAMPLES)]
    Report(ReportArguments),
    /// Rate players by all games of some records
    #[command(after_help = rank::EXAMPLES)]
    Rank(RankArguments),
    /// Merge the records of a contest's shards or interrupted parts
    #[command(after_help = MERGE)]
    Merge(MergeArguments),
    /// Make a folder with a bot to start from, in your language
    #[command(after_help = NEW)]
    New(NewArguments),
    /// Play what the course's sample program plays
    #[command(after_help = DEMO)]
    Demo(DemoArguments),
    /// Say what works on this machine, and how to get the rest
    #[command(after_help = doctor::EXAMPLES)]
    Doctor,
    /// Print a script that completes commands and options in your shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(CompletionsArguments),
    #[command(flatten)]
    Started(StartedCommand),
}

/// The command that the referee starts itself with, for every shipped bot of every series.
#[derive(Debug, Subcommand)]
pub(super) enum StartedCommand {
    /// Run one of the shipped bots on standard input and output
    Bot(BotArguments),
}

/// The same as a grammar of their own.
#[derive(Debug, Parser)]
#[command(name = "referee")]
struct StartedArguments {
    #[command(subcommand)]
    command: StartedCommand,
}

impl Arguments {
    /// Returns the arguments in `typed`; ends the program if they are none, or if help is asked for.
    fn parse_typed(typed: &[OsString]) -> Arguments {
        let grammar = help::grouped(Arguments::command());
        let grammar = match Detail::asked_for(typed) {
            Some(detail) => help::fitted(grammar, detail),
            None => grammar,
        };
        let mut matches = grammar
            .try_get_matches_from(typed)
            .unwrap_or_else(|error| in_own_words(error).exit());
        Arguments::from_arg_matches_mut(&mut matches)
            .unwrap_or_else(|error| error.format(&mut Arguments::command()).exit())
    }
}

/// Returns the error with the nearest command alone, if one is misspelt, and without words of the library that reads numbers.
fn in_own_words(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::ValueValidation {
        let said = error.to_string().replace("error: ", "");
        let own = LIBRARY
            .iter()
            .fold(said, |said, (theirs, own)| said.replace(theirs, own));
        return clap::Error::raw(error.kind(), own);
    }
    // The likeliest is the last.
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand) {
        let nearest = names.last().cloned().into_iter().collect();
        error.insert(
            ContextKind::SuggestedSubcommand,
            ContextValue::Strings(nearest),
        );
    }
    error
}

/// What the library that reads numbers says, and what is said instead.
const LIBRARY: [(&str, &str); 6] = [
    ("invalid digit found in string", "expected a whole number"),
    (
        "cannot parse integer from empty string",
        "expected a whole number",
    ),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    ("invalid float literal", "expected a number"),
    (" is not in ", " is not from "),
    ("..=", " to "),
];

impl Command {
    /// Returns the command that was typed, the program's name first; ends the program if it is none.
    pub(super) fn parse_from(typed: &[OsString]) -> Command {
        // To build the whole grammar takes as long as everything else that such a process does before it is ready.
        let is_started =
            |word: &OsString| word.to_str().is_some_and(StartedCommand::has_subcommand);
        if typed.get(1).is_some_and(is_started) {
            Command::Started(StartedArguments::parse_from(typed).command)
        } else {
            Arguments::parse_typed(typed).command
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
        StartedArguments::command().debug_assert();
    }

    #[test]
    fn both_grammars_have_the_same_bots() {
        let [whole, own] = [Arguments::command(), StartedArguments::command()].map(|mut all| {
            all.build();
            let command = all.find_subcommand_mut("bot").unwrap();
            (
                command.render_long_help().to_string(),
                command.is_hide_set(),
            )
        });
        assert_eq!(whole, own);
    }
}
