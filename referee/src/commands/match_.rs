//! `referee match`: many games between two players.

use clap::{Args, ValueHint};
use league::schedule::Format;
use league::statistics::sprt::Sprt;

use super::CommandArgs;
use crate::World;
use crate::contest::{self, ContestOptions, ContestPlan, Kind};
use crate::exit::Failure;
use crate::help::Group;
use crate::options::headings;
use crate::words::ConfigArgument;

#[derive(Args, Debug)]
pub(crate) struct MatchArguments {
    /// One player
    #[arg(value_name = "P1", value_hint = ValueHint::CommandString)]
    one: String,
    /// The other player
    #[arg(value_name = "P2", value_hint = ValueHint::CommandString)]
    two: String,
    #[command(flatten)]
    contest: ContestOptions,
    /// Stop once it is decided whether P1 is elo0 or elo1 better, as in 0,20
    ///
    /// This is a sequential probability ratio test; 0,20 is short for elo0=0,elo1=20. alpha and
    /// beta, its error rates, are 0.05 each unless they are given too: 0,20,alpha=0.01.
    #[arg(long, help_heading = headings::GAME, value_name = "ELOS", conflicts_with = "shard", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Play some of the series twice, and report whether the games were the same
    #[arg(long, help_heading = headings::GAME, hide_short_help = true)]
    verify: bool,
    #[command(flatten)]
    config: ConfigArgument,
}

impl MatchArguments {
    /// Returns the plan of the match.
    pub(crate) fn plan(self, world: &World) -> Result<ContestPlan, Failure> {
        let kind = Kind {
            is_match: true,
            sprt: self.sprt,
            verify: self.verify,
            ..Kind::default()
        };
        let players = [self.one, self.two];
        ContestPlan::new(self.contest, kind, &players, Format::RoundRobin, world)
    }
}

impl CommandArgs for MatchArguments {
    const NAME: &'static str = "match";
    const ABOUT: &'static str = "Play many games between two players, and say which is better";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = "\
A player is awful, mediocre, fair, decent, good, the folder of a bot, or the
command line of one; referee play --help has more about players.

Examples:
  referee match mediocre good --games 100
  referee match \"python3 my_bot.py\" mediocre --out games.jsonl
  referee match Old=./old New=./new --sprt elo0=0,elo1=20";

    fn run(self, world: &World) -> Result<(), Failure> {
        contest::run(&self.plan(world)?, world)
    }
}
