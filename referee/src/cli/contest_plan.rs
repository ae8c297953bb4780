use std::path::PathBuf;
use std::time::Duration;

use super::arguments::{ContestArguments, MatchArguments};
use super::plan::{self, Misuse};
use super::player;
use crate::contest::{AnchorArgument, Lanes};
use crate::contest::{Shard, ShardArgument};
use crate::game::{Entrant, Rules};
use bothost::Launch;
use league::schedule::Format;
use league::statistics::sprt::Sprt;

/// A match or a tournament, checked as far as it can be without opening or starting anything.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch that can be typed")]
pub(super) struct ContestPlan {
    pub(super) players: Vec<Entrant>,
    pub(super) format: Format,
    pub(super) rules: Rules,
    pub(super) launch: Launch,
    pub(super) limit: Duration,
    pub(super) start_limit: Duration,
    pub(super) max_turns: u32,
    /// Nothing to take it from the record, or the usual.
    pub(super) games: Option<u32>,
    pub(super) series: u32,
    pub(super) restart: bool,
    /// Nothing to take it from the record, or to draw one.
    pub(super) seed: Option<u64>,
    pub(super) lanes: Lanes,
    pub(super) out: Option<PathBuf>,
    pub(super) resume: bool,
    pub(super) shard: Option<Shard>,
    pub(super) bundle: Option<PathBuf>,
    pub(super) max_faults: Option<f64>,
    /// Where it is a tournament, which has places and ratings.
    pub(super) standings: Option<Standings>,
    pub(super) sprt: Option<Sprt>,
    pub(super) verify: bool,
    pub(super) output: Output,
    pub(super) quiet: bool,
}

/// How the players of a tournament are shown.
#[derive(Clone, Debug)]
pub(super) struct Standings {
    pub(super) anchor: Option<AnchorArgument>,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// The summary, for people.
    Text,
    /// The summary, for programs.
    Json,
    /// The standings, for spreadsheets.
    Csv,
    /// Everything that happens, and the summary at the end.
    Events,
}

/// Games of an encounter, unless something else is asked for.
pub(super) const GAMES: u32 = 100;

/// Games of a series, unless something else is asked for.
const SERIES: u32 = 20;

pub(super) fn plan_match(arguments: &MatchArguments) -> anyhow::Result<ContestPlan> {
    let players = players(&[&arguments.one, &arguments.two])?;
    let plan = plan(&arguments.contest, players, Format::RoundRobin)?;
    Ok(ContestPlan { sprt: arguments.sprt, verify: arguments.verify, ..plan })
}

pub(super) fn players(typed: &[impl AsRef<str>]) -> anyhow::Result<Vec<Entrant>> {
    let referee = plan::own_program()?;
    let parse = |typed: &_| player::parse(AsRef::as_ref(typed), &referee).map_err(Misuse::new);
    without_humans(typed.iter().map(parse).collect::<Result<_, _>>()?)
}

pub(super) fn without_humans(players: Vec<Entrant>) -> anyhow::Result<Vec<Entrant>> {
    if players.iter().any(|player| player.human) {
        let what = "a human plays one game at a time: referee play human good";
        return Err(Misuse::new(what).into());
    }
    Ok(players)
}

pub(super) fn plan(
    arguments: &ContestArguments,
    players: Vec<Entrant>,
    format: Format,
) -> anyhow::Result<ContestPlan> {
    let terms = &arguments.terms;
    let rules = plan::rules(terms)?;
    let launch = plan::launch(terms)?;
    let usual_series = if arguments.restart { 2 } else { SERIES };
    let series = arguments.series.unwrap_or(usual_series);
    let checked = league::schedule::Plan {
        format,
        players: players.len(),
        games: arguments.games.unwrap_or(GAMES),
        series,
    };
    checked.check().map_err(Misuse::new)?;
    let shard = arguments.shard.as_ref().map(shard).transpose()?;
    if shard.is_some() && !matches!(format, Format::RoundRobin | Format::Gauntlet) {
        let what = "--shard: later rounds of this tournament depend on all of the earlier ones, so it cannot be divided";
        return Err(Misuse::new(what).into());
    }
    let output = match (arguments.json, arguments.events) {
        (true, _) => Output::Json,
        (false, true) => Output::Events,
        (false, false) => Output::Text,
    };
    Ok(ContestPlan {
        format,
        max_turns: terms.max_turns.unwrap_or_else(|| rules.default_max_turns()),
        limit: terms.limit,
        start_limit: terms.start_limit,
        games: arguments.games,
        series,
        restart: arguments.restart,
        seed: arguments.seed,
        lanes: Lanes::new(arguments.jobs.map(usize::from), launch.pinned),
        out: arguments.out.clone(),
        resume: arguments.resume,
        shard,
        bundle: arguments.bundle.clone(),
        max_faults: None,
        standings: None,
        sprt: None,
        verify: false,
        output,
        quiet: arguments.quiet,
        players,
        rules,
        launch,
    })
}

fn shard(argument: &ShardArgument) -> Result<Shard, Misuse> {
    match argument {
        ShardArgument::Given(shard) => Ok(*shard),
        ShardArgument::Auto { of } => {
            let get = |name: &str| std::env::var(name).ok();
            Shard::from_environment(*of, get)
                .map_err(|error| Misuse::new(format!("--shard: {error}")))
        }
    }
}
