//! `referee tournament`: many players, from the command line or from a file.

use clap::{Args, ValueEnum, ValueHint};
use league::schedule::{Format, default_swiss_rounds};

use super::CommandArgs;
use crate::World;
use crate::contest::{self, ContestOptions, ContestPlan, Kind};
use crate::exit::Failure;
use crate::help::Group;
use crate::options::{headings, share};
use crate::words::{ConfigArgument, SettingsFile};
use arena::result::AnchorArgument;

#[derive(Args, Debug)]
pub(crate) struct TournamentArguments {
    /// The players; in a gauntlet the first meets all the others
    #[arg(value_name = "PLAYER", value_hint = ValueHint::CommandString)]
    players: Vec<String>,
    /// Schedule of games [default: round-robin]
    #[arg(long, value_enum, help_heading = headings::GAME)]
    format: Option<FormatName>,
    /// Rounds of a swiss tournament [default: enough that one player at most can win them all, and
    /// one more]
    #[arg(long, value_name = "N", help_heading = headings::GAME, hide_short_help = true)]
    rounds: Option<usize>,
    #[command(flatten)]
    contest: ContestOptions,
    /// Disqualify a player that spoils more than this share of its games, of at least ten; 1 for
    /// never [default: 0.2]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = headings::GAME, hide_short_help = true)]
    max_faults: Option<f64>,
    /// Count ratings from this player, who gets this rating [default: their mean is 0; without ELO:
    /// 0]
    #[arg(long, value_name = "NAME[=ELO]", allow_hyphen_values = true, help_heading = headings::OUTPUT, hide_short_help = true)]
    anchor: Option<AnchorArgument>,
    /// Print the standings as CSV
    #[arg(long, help_heading = headings::OUTPUT, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    config: ConfigArgument,
}

/// The pairings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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

impl TournamentArguments {
    /// Returns the plan of the tournament.
    pub(crate) fn plan(self, world: &World) -> Result<ContestPlan, Failure> {
        let in_file = world.settings.as_ref().map_or(0, SettingsFile::players);
        let what = match self.players.len() {
            typed if in_file > 0 && typed > in_file => {
                "there are players on the command line and in the file of --config: name them in one place"
            }
            0 => {
                "there are no players: name at least two, as in referee tournament mediocre good \"python3 my_bot.py\", or name a file that does with --config FILE"
            }
            1 => {
                "there is only one player: name another, as in referee tournament mediocre good \"python3 my_bot.py\""
            }
            _ => "",
        };
        if !what.is_empty() {
            return Err(Failure::misuse(what));
        }
        let format = format(self.format, self.rounds, self.players.len())?;
        let kind = Kind {
            max_faults: self.max_faults,
            anchor: self.anchor,
            csv: self.csv,
            ..Kind::default()
        };
        ContestPlan::new(self.contest, kind, &self.players, format, world)
    }
}

impl CommandArgs for TournamentArguments {
    const NAME: &'static str = "tournament";
    const ABOUT: &'static str = "Play a tournament: round robin, gauntlet, swiss or knockout";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = "\
A player is awful, mediocre, fair, decent, good, the folder of a bot, or the
command line of one; referee play --help has more about players.
A file for --config has the names of the options as keys, and a table
[[player]] with name, command, dir, limit and start-limit for each player.

Examples:
  referee tournament awful mediocre good \"python3 my_bot.py\" --out cup.jsonl
  referee tournament --config cup.toml --report cup.html";

    fn run(self, world: &World) -> Result<(), Failure> {
        contest::run(&self.plan(world)?, world)
    }
}

fn format(
    name: Option<FormatName>,
    rounds: Option<usize>,
    players: usize,
) -> Result<Format, Failure> {
    let name = name.unwrap_or(FormatName::RoundRobin);
    if rounds.is_some() && name != FormatName::Swiss {
        let what = "--rounds: only a swiss tournament has a number of rounds; add --format swiss";
        return Err(Failure::misuse(what));
    }
    Ok(match name {
        FormatName::RoundRobin => Format::RoundRobin,
        FormatName::Gauntlet => Format::Gauntlet,
        FormatName::Swiss => Format::Swiss {
            rounds: rounds.unwrap_or_else(|| default_swiss_rounds(players)),
        },
        FormatName::Knockout => Format::Knockout,
    })
}
