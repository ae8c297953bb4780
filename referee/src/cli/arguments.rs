//! The commands that can be typed, and what their help has in common.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use super::commands::bot::BotArguments;
use super::commands::check::{self, CheckArguments};
use super::commands::demo::DemoArguments;
use super::commands::explain::{self, ExplainArguments};
use super::commands::hidden::{ProbeArguments, SelfTestArguments, SuperviseArguments};
use super::commands::list::{self, ListArguments};
use super::commands::match_::MatchArguments;
use super::commands::merge::MergeArguments;
use super::commands::new::NewArguments;
use super::commands::play::PlayArguments;
use super::commands::rank::{self, RankArguments};
use super::commands::replay::{self, ReplayArguments};
use super::commands::report::{self, ReportArguments};
use super::commands::tournament::{self, TournamentArguments};
use super::commands::watch::{self, WatchArguments};

/// Plays Battleship between programs and judges them.
#[derive(Debug, Parser)]
#[command(name = "referee", version, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done (play: a player won), 1 the referee failed, 2 wrong arguments, 3 a game
without a winner, 4 a player could not be started or failed its check, 130 interrupted.";

const PLAYERS: &str = "\
A player is awful, mediocre, good or human, which come with the referee, or the command line
of any program that speaks the protocol. NAME= before it gives it a name; NAME@DIR= (or @DIR=)
starts it in the folder DIR, where names in its command are looked up:
  referee play mediocre good
  referee play human good
  referee play 'python3 my_bot.py' mediocre
  referee play 'Popeye=python3 my_bot.py' Bluto=./bluto
  referee play 'Popeye@bots/popeye=python3 bot.py' Bluto@bots/bluto=./bluto
A name with spaces needs quotation marks of its own: \"'Popeye the Sailor=python3' my_bot.py\".";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play one game
    #[command(after_help = PLAYERS)]
    Play(Box<PlayArguments>),
    /// Play many games between two players, and say who is better and how surely
    #[command(after_help = PLAYERS)]
    Match(Box<MatchArguments>),
    /// Play a tournament of many players: round robin, gauntlet, swiss or knockout
    #[command(after_help = format!("{PLAYERS}\n\n{}", tournament::CONFIG))]
    Tournament(Box<TournamentArguments>),
    /// Check whether a bot keeps to the protocol, and say what is wrong with it
    #[command(after_help = check::EXAMPLES)]
    Check(Box<CheckArguments>),
    /// Show a recorded game, or a log of the original twist program
    #[command(after_help = replay::KEYS)]
    Replay(ReplayArguments),
    /// Watch the games of a record, which may still be written, in a browser
    #[command(after_help = watch::EXAMPLES)]
    Watch(WatchArguments),
    /// List the games of records, a line each: who won, and how
    #[command(after_help = list::EXAMPLES)]
    List(ListArguments),
    /// Explain why a player lost: the causes of its faults, its worst games, its weakest attacks
    #[command(after_help = explain::EXAMPLES)]
    Explain(ExplainArguments),
    /// Make a page with standings, charts and the replays of all games, to open in a browser
    #[command(after_help = report::EXAMPLES)]
    Report(ReportArguments),
    /// Rate players by all games of some records
    #[command(after_help = rank::SAME)]
    Rank(RankArguments),
    /// Merge the records of the shards of one contest, or of its interrupted parts
    Merge(MergeArguments),
    /// Make a folder with a bot to start from, in a language of your choice
    New(NewArguments),
    /// Play what the course's sample program plays
    Demo(DemoArguments),
    #[command(flatten)]
    Started(StartedCommand),
    /// Test a sandbox
    #[command(hide = true)]
    SelfTest(SelfTestArguments),
    /// Try what a sandbox refuses
    #[command(hide = true)]
    Probe(ProbeArguments),
}

/// The commands that the referee starts itself with, for every bot of every series.
#[derive(Debug, Subcommand)]
pub(super) enum StartedCommand {
    /// Run one of the shipped bots on standard input and output
    Bot(BotArguments),
    /// Supervise a bot
    #[command(hide = true)]
    Supervise(SuperviseArguments),
}

/// The same as a grammar of their own.
#[derive(Debug, Parser)]
#[command(name = "referee")]
struct StartedArguments {
    #[command(subcommand)]
    command: StartedCommand,
}

impl Command {
    /// Returns the command that was typed, the program's name first; ends the program if it is none.
    pub(super) fn parse_from(typed: &[OsString]) -> Command {
        // To build the whole grammar takes as long as everything else that such a process does before it is ready.
        let is_started =
            |word: &OsString| word.to_str().is_some_and(StartedCommand::has_subcommand);
        if typed.get(1).is_some_and(is_started) {
            Command::Started(StartedArguments::parse_from(typed).command)
        } else {
            Arguments::parse_from(typed).command
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
    fn commands_that_start_with_bots_are_the_same_in_both_grammars() {
        for name in ["bot", "supervise"] {
            let [whole, own] =
                [Arguments::command(), StartedArguments::command()].map(|mut all| {
                    all.build();
                    let command = all.find_subcommand_mut(name).unwrap();
                    (command.render_long_help().to_string(), command.is_hide_set())
                });
            assert_eq!(whole, own);
        }
    }
}
