//! `referee match`: many games between two players.

use std::ffi::OsString;

use clap::Args;
use league::schedule::Format;
use league::statistics::sprt::Sprt;

use crate::cli::config_file::{Config, ConfigArguments};
use crate::cli::contest::{self, ContestOptions, ContestPlan, players};
use crate::cli::exit::Failure;
use crate::cli::player::PairLimits;

#[derive(Debug, Args)]
pub(crate) struct MatchArguments {
    /// One player
    #[arg(value_name = "P1")]
    one: String,
    /// The other player
    #[arg(value_name = "P2")]
    two: String,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    contest: ContestOptions,
    #[command(flatten)]
    limits: PairLimits,
    /// Stop once it is decided whether P1 is elo0 or elo1 better, as in elo0=0,elo1=20
    ///
    /// This is a sequential probability ratio test. alpha and beta, its error rates, are 0.05 each unless they are given too.
    #[arg(long, value_name = "ELOS", conflicts_with = "shard")]
    sprt: Option<Sprt>,
    /// Play some of the series twice, and report whether the games were the same
    #[arg(long, hide_short_help = true)]
    verify: bool,
}

/// Plays a match. `typed` is the whole command line.
pub(crate) fn run(arguments: &MatchArguments, typed: &[OsString]) -> Result<(), Failure> {
    contest::run(&plan(arguments)?, typed)
}

/// Returns the plan of the match.
pub(crate) fn plan(arguments: &MatchArguments) -> Result<ContestPlan, Failure> {
    let mut players = players(&[&arguments.one, &arguments.two])?;
    arguments.limits.apply(&mut players);
    let Config {
        file,
        options,
        settings,
        ..
    } = arguments.config.read()?.without_players()?;
    let options = arguments
        .contest
        .clone()
        .over(options, false)
        .over_settings(settings);
    let plan = ContestPlan::new(&options, file.as_ref(), players, Format::RoundRobin)?;
    let MatchArguments { sprt, verify, .. } = *arguments;
    Ok(ContestPlan {
        sprt,
        verify,
        ..plan
    })
}
