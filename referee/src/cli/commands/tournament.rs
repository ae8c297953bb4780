//! `referee tournament`: many players, from the command line or from a file.

use std::ffi::OsString;
use std::path::Path;

use clap::{Args, ValueEnum};
use league::schedule::{Format, default_swiss_rounds};
use serde::{Deserialize, Deserializer};

use crate::cli::config_file::{Config, ConfigArguments, NamedPlayer};
use crate::cli::contest::{
    self, ContestOptions, ContestPlan, FaultBound, Output, StandingsOptions, from_text,
};
use crate::cli::exit::Failure;
use crate::cli::options::{headings, number_as_typed, number_or_text};
use crate::cli::{own_program, player};
use arena::game::Entrant;
use arena::result::AnchorArgument;
use arena::terms::OwnLimits;

/// A player that spoils more than this share of its games is disqualified.
const MAX_FAULTS: f64 = 0.2;

#[derive(Debug, Args)]
pub(crate) struct TournamentArguments {
    /// The players; in a gauntlet the first meets all the others
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    options: TournamentOptions,
}

/// Options of a tournament, typed or in a file.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct TournamentOptions {
    /// Schedule of games [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Rounds of a swiss tournament [default: enough that one player at most can win them all, and one more]
    #[arg(long, value_name = "N", hide_short_help = true)]
    #[serde(deserialize_with = "number_or_text")]
    rounds: Option<usize>,
    #[command(flatten)]
    #[serde(flatten)]
    contest: ContestOptions,
    /// Disqualify a player that spoils more than this share of its games, of at least ten; 1 for never
    /// [default: 0.2]
    #[arg(long, value_name = "SHARE", value_parser = share, hide_short_help = true)]
    #[serde(deserialize_with = "share_in_file")]
    max_faults: Option<f64>,
    /// Count ratings from this player, who gets this rating [default: their mean is 0; without ELO: 0]
    #[arg(
        long,
        value_name = "NAME[=ELO]",
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    #[serde(deserialize_with = "from_text")]
    anchor: Option<AnchorArgument>,
    /// Print the standings as CSV
    #[arg(long, help_heading = headings::OUTPUT, conflicts_with = "json")]
    csv: bool,
}

pub(crate) const CONFIG: &str = "\
A file for --config has the names of the long options as keys, and a table for
each player:
  format = \"swiss\"
  games = 40
  ship = [\"2 R rowboat\", \"3 S submarine\"]
  limit = \"1s\"
  sandbox = true
  [[player]]
  name = \"Popeye the Sailor\"
  command = \"python3 popeye.py\"
  dir = \"bots/popeye\"
  limit = \"10s\"
  [[player]]
  command = \"good\"
dir is the folder that the bot starts in; names in its command are looked up
there. limit and start-limit replace those of the contest for this player. Paths
are relative to the current folder.";

/// The pairings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FormatName {
    /// Each player meets each other player
    RoundRobin,
    /// The first player meets each of the others
    Gauntlet,
    /// In each round, players with about the same score meet
    Swiss,
    /// The loser of a tie leaves; players are in seed order
    Knockout,
}

impl TournamentOptions {
    /// Returns these options with those of `below` where this has none.
    fn over(self, below: TournamentOptions) -> TournamentOptions {
        let prints_data = self.contest.prints_data();
        TournamentOptions {
            format: self.format.or(below.format),
            rounds: self.rounds.or(below.rounds),
            max_faults: self.max_faults.or(below.max_faults),
            anchor: self.anchor.or(below.anchor),
            contest: self.contest.over(below.contest, self.csv),
            csv: self.csv || (below.csv && !prints_data),
        }
    }
}

/// Plays a tournament. `typed` is the whole command line.
pub(crate) fn run(arguments: TournamentArguments, typed: &[OsString]) -> Result<(), Failure> {
    contest::run(&plan(arguments)?, typed)
}

/// Returns the plan of the tournament.
pub(crate) fn plan(arguments: TournamentArguments) -> Result<ContestPlan, Failure> {
    let Config {
        file,
        options: below,
        settings,
        players: named,
        ..
    } = arguments.config.read()?;
    let mut options = arguments.options.over(below);
    options.contest = options.contest.over_settings(settings);
    let players = players(&arguments.players, &named, file.as_deref())?;
    let format = format(&options, players.len())?;
    let plan = ContestPlan::new(&options.contest, file.as_ref(), players, format)?;
    let output = match (options.csv, plan.output) {
        (false, output) => output,
        (true, Output::Text) => Output::Csv,
        (true, _) => return Err(Failure::misuse("csv and json: choose one of them")),
    };
    Ok(ContestPlan {
        max_faults: match options.max_faults {
            None => FaultBound::Usual(Some(MAX_FAULTS)),
            Some(share) => FaultBound::Typed(Some(share).filter(|share| *share < 1.0)),
        },
        output,
        standings: Some(StandingsOptions {
            anchor: options.anchor,
        }),
        ..plan
    })
}

fn format(options: &TournamentOptions, players: usize) -> Result<Format, Failure> {
    match (
        options.format.unwrap_or(FormatName::RoundRobin),
        options.rounds,
    ) {
        (FormatName::Swiss, rounds) => Ok(Format::Swiss {
            rounds: rounds.unwrap_or_else(|| default_swiss_rounds(players)),
        }),
        (_, Some(_)) => {
            let what =
                "--rounds: only a swiss tournament has a number of rounds; add --format swiss";
            Err(Failure::misuse(what))
        }
        (FormatName::RoundRobin, None) => Ok(Format::RoundRobin),
        (FormatName::Gauntlet, None) => Ok(Format::Gauntlet),
        (FormatName::Knockout, None) => Ok(Format::Knockout),
    }
}

/// Returns the players, which are either typed or in the file.
fn players(
    typed: &[String],
    named: &[NamedPlayer],
    config: Option<&Path>,
) -> Result<Vec<Entrant>, Failure> {
    let wrong = match (
        typed.is_empty(),
        named.is_empty(),
        typed.len() + named.len(),
    ) {
        (false, false, _) => {
            "there are players on the command line and in the file of --config: name them in one place"
        }
        (_, _, 0) => {
            "there are no players: name at least two, or name a file that does with --config FILE"
        }
        (_, _, 1) => "there is only one player: name another",
        (false, true, _) => return contest::players(typed),
        (true, _, _) => {
            let referee = own_program()?;
            let file = config
                .map(|file| file.display().to_string())
                .unwrap_or_default();
            let entrant = |player: &NamedPlayer| {
                let NamedPlayer {
                    name,
                    command,
                    dir,
                    limit,
                    start_limit,
                    line,
                } = player;
                let player =
                    player::parse_called(name.as_deref(), command, dir.as_deref(), &referee)
                        .map_err(|error| {
                            Failure::misuse(format!("{file}, line {line}: {error}"))
                        })?;
                let limits = OwnLimits {
                    limit: *limit,
                    start_limit: *start_limit,
                };
                Ok(Entrant { limits, ..player })
            };
            return named.iter().map(entrant).collect();
        }
    };
    Err(Failure::misuse(wrong))
}

/// Reads a share, from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

fn share_in_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<f64>, D::Error> {
    number_as_typed::<_, f64, _>(from, share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config_file;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    /// As far as a plan goes without opening or starting anything.
    fn plan_of(text: &str) -> Result<ContestPlan, Failure> {
        let config = config_file::from_text::<TournamentOptions>(text, &"cup.toml")?;
        let mut options = TournamentOptions::default().over(config.options);
        options.contest = options.contest.over_settings(config.settings);
        let players = players(&[], &config.players, None)?;
        let format = format(&options, players.len())?;
        ContestPlan::new(&options.contest, None, players, format)
    }

    /// A tournament with most of the settings that a file can have.
    const FILE: &str = include_str!("../../../tests/corpus/cup.toml");

    /// What a setting may be by mistake.
    const VALUES: [&str; 14] = [
        "",
        "0",
        "-1",
        "1e400",
        "nan",
        "18446744073709551616",
        "true",
        "{}",
        "[]",
        "[[",
        "\"",
        "\n",
        "=",
        "\u{202e}",
    ];

    #[test]
    fn the_example_becomes_a_plan() {
        assert!(plan_of(FILE).is_ok());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn files_nearly_right_become_plans_or_errors(
            changes in prop::collection::vec((any::<Index>(), 0..3_usize, select(&VALUES[..])), 1..4),
        ) {
            let mut words: Vec<&str> = FILE.split_inclusive([' ', '\n', '"']).collect();
            for (place, removed, value) in changes {
                let start = place.index(words.len());
                let end = (start + removed).min(words.len());
                words.splice(start..end, [value]);
            }
            if let Err(failure) = plan_of(&words.concat()) {
                prop_assert!(!failure.to_string().is_empty());
            }
        }
    }
}
