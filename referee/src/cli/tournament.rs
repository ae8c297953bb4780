use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches, Parser, ValueEnum};

use super::arguments::ContestArguments;
use super::config::{self, Named};
use super::contest_plan::{self, ContestPlan, Output, Standings};
use super::plan::{self, Misuse};
use super::player;
use crate::contest::AnchorArgument;
use crate::game::Entrant;
use league::schedule::{Format, default_swiss_rounds};

#[derive(Debug, Parser)]
pub(super) struct TournamentArguments {
    /// The players; in a gauntlet the first of them meets each of the others
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// Take options and players from this TOML file, too; what is typed replaces what it says
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Who meets whom
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatArgument,
    /// Rounds of a swiss tournament [default: enough that one player at most can win them all, and one more]
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    #[command(flatten)]
    contest: ContestArguments,
    /// Disqualify a player that spoils more than this share of its games, of at least ten; 1 for never
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    max_faults: f64,
    /// Count ratings from this player, who gets this rating [default: their mean is 0; without ELO: 0]
    #[arg(long, value_name = "NAME[=ELO]", allow_hyphen_values = true)]
    anchor: Option<AnchorArgument>,
    /// Print the standings as CSV
    #[arg(long, conflicts_with_all = ["json", "events"])]
    csv: bool,
}

pub(super) const CONFIG: &str = "\
A file for --config has the names of the long options as keys, and a table for each player:
  format = \"swiss\"
  games = 40
  ship = [\"2 R rowboat\", \"3 S submarine\"]
  limit = \"1s\"
  sandbox = true
  [[player]]
  name = \"Popeye the Sailor\"
  command = \"python3 popeye.py\"
  [[player]]
  command = \"good\"
Paths are relative to the current folder.";

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArgument {
    /// Everybody meets everybody
    RoundRobin,
    /// The first player meets each of the others
    Gauntlet,
    /// In each round those meet who did equally well so far
    Swiss,
    /// Whoever loses leaves; the order of the players is that of their seeds
    Knockout,
}

pub(super) fn plan(arguments: TournamentArguments) -> anyhow::Result<ContestPlan> {
    let (arguments, named) = with_file(arguments)?;
    let players = players(&arguments, &named)?;
    let format = match (arguments.format, arguments.rounds) {
        (FormatArgument::Swiss, rounds) => {
            Format::Swiss { rounds: rounds.unwrap_or_else(|| default_swiss_rounds(players.len())) }
        }
        (_, Some(_)) => {
            let what =
                "--rounds: only a swiss tournament has a number of rounds; add --format swiss";
            return Err(Misuse::new(what).into());
        }
        (FormatArgument::RoundRobin, None) => Format::RoundRobin,
        (FormatArgument::Gauntlet, None) => Format::Gauntlet,
        (FormatArgument::Knockout, None) => Format::Knockout,
    };
    let plan = contest_plan::plan(&arguments.contest, players, format)?;
    Ok(ContestPlan {
        max_faults: Some(arguments.max_faults).filter(|share| *share < 1.0),
        output: if arguments.csv { Output::Csv } else { plan.output },
        standings: Some(Standings { anchor: arguments.anchor }),
        ..plan
    })
}

/// The arguments with those of the file that they name, and its players.
fn with_file(arguments: TournamentArguments) -> Result<(TournamentArguments, Vec<Named>), Misuse> {
    let Some(file) = &arguments.config else { return Ok((arguments, Vec::new())) };
    let command =
        TournamentArguments::augment_args(Command::new("tournament").no_binary_name(true));
    let mend = |error: clap::Error| {
        Misuse::new(format!("{}: {}", file.display(), config::in_short(&error)))
    };
    let parse = |words: &[OsString]| -> Result<ArgMatches, Misuse> {
        command.clone().try_get_matches_from(words).map_err(mend)
    };
    // Behind the program's name and the command's.
    let typed: Vec<OsString> = std::env::args_os().skip(2).collect();
    let configured = config::read(file, &command, &parse(&typed)?)?;
    let all = [configured.words, typed].concat();
    let arguments = TournamentArguments::from_arg_matches(&parse(&all)?).map_err(mend)?;
    Ok((arguments, configured.players))
}

fn players(arguments: &TournamentArguments, named: &[Named]) -> anyhow::Result<Vec<Entrant>> {
    let count = arguments.players.len() + named.len();
    let wrong = match (arguments.players.is_empty(), named.is_empty()) {
        (false, false) => {
            "there are players on the command line and in the file of --config: name them in one place"
        }
        _ if count == 0 => {
            "there are no players: name at least two, or name a file that does with --config FILE"
        }
        _ if count == 1 => "there is only one player: name another",
        (false, true) => return contest_plan::players(&arguments.players),
        (true, _) => {
            let referee = plan::own_program()?;
            let entrant = |Named { name, command }: &Named| {
                player::parse_called(name.as_deref(), command, &referee).map_err(Misuse::new)
            };
            let players = named.iter().map(entrant).collect::<Result<_, _>>()?;
            return contest_plan::without_humans(players);
        }
    };
    Err(Misuse::new(wrong).into())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}
