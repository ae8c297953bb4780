//! The checked plan of a match or a tournament.

use std::path::PathBuf;

use battleship::Rules;
use bothost::Launch;
use league::schedule::{self, Format};
use league::statistics::sprt::Sprt;

use super::options::{ContestOptions, GAMES, SERIES};
use crate::cli::config_file::ClusterSettings;
use crate::cli::exit::Failure;
use crate::cli::outputs::Outputs;
use crate::cli::session::{ListenerOptions, ListenerPlan};
use crate::cli::{own_program, player, secrets};
use arena::contest::Lanes;
use arena::game::Entrant;
use arena::record::Shard;
use arena::record::separate;
use arena::result::AnchorArgument;
use arena::terms::GameTerms;

/// The share of games that a player may lose by its own faults; `None` for all.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) enum FaultBound {
    /// Nothing was typed, so that a record that is continued decides.
    Usual(Option<f64>),
    Typed(Option<f64>),
}

/// A match or a tournament, checked as far as it can be without opening or starting anything.
#[derive(Debug)]
pub(in crate::cli) struct ContestPlan {
    pub(in crate::cli) players: Vec<Entrant>,
    pub(in crate::cli) format: Format,
    pub(in crate::cli) rules: Rules,
    pub(in crate::cli) terms: GameTerms,
    pub(in crate::cli) launch: Launch,
    /// The files that the command itself writes or reads.
    pub(in crate::cli) own_files: Vec<PathBuf>,
    /// `None` to take it from the record, or the usual.
    pub(in crate::cli) games: Option<u32>,
    pub(in crate::cli) series: u32,
    pub(in crate::cli) restart: bool,
    /// `None` to take it from the record, or to draw one.
    pub(in crate::cli) seed: Option<u64>,
    pub(in crate::cli) lanes: Lanes,
    pub(in crate::cli) out: Option<PathBuf>,
    pub(in crate::cli) if_there: IfThere,
    pub(in crate::cli) shard: Option<Shard>,
    /// Games at the same time, if they were typed.
    pub(in crate::cli) jobs: Option<usize>,
    /// The settings of this machine's cluster.
    pub(in crate::cli) cluster: ClusterSettings,
    pub(in crate::cli) listeners: ListenerPlan,
    pub(in crate::cli) max_faults: FaultBound,
    /// Set for tournaments, which have places and ratings.
    pub(in crate::cli) standings: Option<StandingsOptions>,
    pub(in crate::cli) sprt: Option<Sprt>,
    pub(in crate::cli) verify: bool,
    pub(in crate::cli) output: Output,
}

/// The treatment of a record that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum IfThere {
    /// Nothing: it is an error.
    Refuse,
    /// It is replaced.
    Replace,
    /// It is continued.
    Continue,
}

impl IfThere {
    fn of(force: bool, resume: bool) -> Result<IfThere, Failure> {
        match (force, resume) {
            (true, true) => Err(Failure::misuse(
                "--force replaces a record and --resume continues it; choose one of them",
            )),
            (true, false) => Ok(IfThere::Replace),
            (false, true) => Ok(IfThere::Continue),
            (false, false) => Ok(IfThere::Refuse),
        }
    }
}

/// The display of the players of a tournament.
#[derive(Clone, Debug)]
pub(in crate::cli) struct StandingsOptions {
    pub(in crate::cli) anchor: Option<AnchorArgument>,
}

/// The kind of printed output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Output {
    /// The summary, for people.
    Text,
    /// The summary, for programs.
    Json,
    /// The standings, for spreadsheets.
    Csv,
}

impl ContestPlan {
    /// Checks the options that matches and tournaments have in common. `config` is the file that some of them are from.
    ///
    /// # Errors
    /// If they contradict each other, or name something that does not exist.
    pub(in crate::cli) fn new(
        options: &ContestOptions,
        config: Option<&PathBuf>,
        mut players: Vec<Entrant>,
        format: Format,
    ) -> Result<ContestPlan, Failure> {
        if players.iter().any(|player| player.human) {
            let what = "a human plays one game at a time: referee play human good";
            return Err(Failure::misuse(what));
        }
        let (rules, terms) = options.terms.terms()?;
        let mut launch = terms.launch(own_program()?);
        let ListenerOptions { report, .. } = &options.listeners;
        Outputs {
            files: vec![
                ("--out", options.out.as_deref()),
                ("--report", report.as_deref()),
            ],
            force: options.force,
            inputs: config.into_iter().collect(),
            players: players.iter().collect(),
        }
        .check()?;
        let own_files = secrets::own_files(options.out.iter().chain(report).chain(config));
        secrets::hide(&mut launch, &own_files);
        if launch.sandbox.is_some() {
            separate(
                &mut players
                    .iter_mut()
                    .map(|player| &mut player.program)
                    .collect::<Vec<_>>(),
                &own_files,
            );
        }
        // A series of fresh starts has nothing to remember; a pair is the least that is comparable.
        let usual_series = if options.restart { 2 } else { SERIES };
        let series = options.series.unwrap_or(usual_series);
        let games = options.games.unwrap_or(GAMES);
        let checked = schedule::Plan {
            format,
            players: players.len(),
            games,
            series,
        };
        checked.check().map_err(Failure::misuse)?;
        for (option, given) in [
            ("--resume", options.resume),
            ("--shard", options.shard.is_some()),
        ] {
            if given && options.out.is_none() {
                return Err(Failure::misuse(format!(
                    "{option}: name the record with --out FILE"
                )));
            }
        }
        let if_there = IfThere::of(options.force, options.resume)?;
        if options.shard.is_some() {
            check_divisible("--shard", format)?;
        }
        let shard = options.shard;
        let jobs = options.jobs.map(usize::from);
        let lanes = Lanes::new(jobs, terms.pin);
        Ok(ContestPlan {
            format,
            games: options.games,
            series,
            restart: options.restart,
            seed: options.seed,
            // Several tasks of a cluster may run on one node, and not all schedulers keep them apart.
            lanes: match shard {
                Some(shard) => lanes.of_part(shard.index()),
                None => lanes,
            },
            out: options.out.clone(),
            if_there,
            shard,
            jobs,
            cluster: options.cluster.clone(),
            listeners: options.listeners.plan(options.force)?,
            max_faults: FaultBound::Usual(None),
            standings: None,
            sprt: None,
            verify: false,
            output: if options.print.json {
                Output::Json
            } else {
                Output::Text
            },
            players,
            rules,
            terms,
            launch,
            own_files,
        })
    }
}

impl ContestPlan {
    /// Returns whether the contest continues a record.
    pub(in crate::cli) fn resumes(&self) -> bool {
        self.if_there == IfThere::Continue
    }
}

/// Returns the players that are typed as these words.
///
/// # Errors
/// If one of them names no player.
pub(in crate::cli) fn players(typed: &[impl AsRef<str>]) -> Result<Vec<Entrant>, Failure> {
    let referee = own_program()?;
    let parse = |typed: &_| Ok(player::parse(AsRef::as_ref(typed), &referee)?);
    typed.iter().map(parse).collect()
}

pub(super) fn check_divisible(option: &str, format: Format) -> Result<(), Failure> {
    if format.is_fixed() {
        return Ok(());
    }
    Err(Failure::misuse(format!(
        "{option}: later rounds of this tournament depend on all of the earlier ones, so it cannot be divided"
    )))
}
