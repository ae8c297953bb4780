//! The options that matches and tournaments share, and the checked plan of one.

use std::path::{Path, PathBuf};

use bothost::Launch;
use clap::Args;
use league::schedule::{self, Format};
use league::statistics::sprt::Sprt;

use super::session::FollowOptions;
use crate::exit::Failure;
use crate::options::{ChosenGame, GameOptions, headings, jobs, seed};
use crate::outputs::Outputs;
use crate::{World, own_program, player, secrets};
use arena::contest::Lanes;
use arena::game::Entrant;
use arena::record::Shard;
use arena::result::AnchorArgument;
use arena::terms::GameTerms;

/// Games of an encounter when no option says otherwise.
pub(super) const GAMES: u32 = 100;

/// Games of a series when no option says otherwise.
const SERIES: u32 = 20;

/// Options of a contest. One that is `None` was not given.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ContestOptions {
    /// Games of each pair, an even number [default: 100]
    ///
    /// Two players play this many whenever they meet.
    #[arg(long, help_heading = headings::GAME, value_name = "N")]
    pub(crate) games: Option<u32>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
    /// Games of a series: this many are played by the same two processes, which may learn [default:
    /// 20]
    #[arg(long, help_heading = headings::GAME, value_name = "N", hide_short_help = true)]
    pub(crate) series: Option<u32>,
    /// Start both bots again for each game
    #[arg(long, help_heading = headings::GAME)]
    pub(crate) restart: bool,
    /// Repeat the contest with this seed [default: drawn]
    ///
    /// Without this option a seed is drawn and reported.
    #[arg(long, help_heading = headings::GAME, value_name = "N", allow_hyphen_values = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Games at the same time [default: one for each core]
    ///
    /// At most 1024.
    #[arg(long, short = 'j', help_heading = headings::OUTPUT, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<u16>,
    /// Write the record to this file
    ///
    /// It is compressed if the name ends in .gz.
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Continue the contest in the file of --out
    ///
    /// It continues where it stopped. With more --games it is extended.
    #[arg(long, help_heading = headings::OUTPUT)]
    pub(crate) resume: bool,
    /// Replace files that exist
    ///
    /// These are the files of --out and --report.
    #[arg(long, help_heading = headings::OUTPUT, conflicts_with = "resume")]
    pub(crate) force: bool,
    /// Play only this part of the series, as in 2/8; referee merge puts the records together
    #[arg(long, help_heading = headings::OUTPUT, value_name = "K/N", hide_short_help = true)]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) follow: FollowOptions,
    /// Print the summary as JSON
    #[arg(long, help_heading = headings::OUTPUT)]
    pub(crate) json: bool,
}

/// What a match or a tournament has of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kind {
    pub(crate) is_match: bool,
    /// Of a match: the test that may end it.
    pub(crate) sprt: Option<Sprt>,
    pub(crate) verify: bool,
    /// Of a tournament: the share of games that a player may lose by its own faults, if it was
    /// given; 1 for all.
    pub(crate) max_faults: Option<f64>,
    pub(crate) anchor: Option<AnchorArgument>,
    pub(crate) csv: bool,
}

/// A match or a tournament, checked as far as it can be without opening or starting anything.
#[derive(Debug)]
pub(crate) struct ContestPlan {
    pub(crate) options: ContestOptions,
    pub(crate) kind: Kind,
    pub(crate) players: Vec<Entrant>,
    pub(crate) schedule: schedule::Plan,
    pub(crate) chosen: ChosenGame,
    pub(crate) terms: GameTerms,
    pub(super) launch: Launch,
    pub(super) lanes: Lanes,
    /// The files that the command itself writes or reads.
    pub(super) own_files: Vec<PathBuf>,
}

impl ContestPlan {
    /// Checks the options of a contest between the players that are typed as `words`.
    ///
    /// # Errors
    /// If the options contradict each other, or name something that does not exist.
    pub(crate) fn new(
        options: ContestOptions,
        kind: Kind,
        words: &[String],
        format: Format,
        world: &World,
    ) -> Result<ContestPlan, Failure> {
        let referee = own_program()?;
        let mut players = Vec::new();
        for word in words {
            players.push(player::parse(word, &referee)?);
        }
        if players.iter().any(|player| player.human) {
            let what = "a human plays one game at a time: referee play human good";
            return Err(Failure::misuse(what));
        }
        options.game.bots.limit_players(&mut players)?;
        let own_files = Outputs {
            files: vec![
                ("--out", options.out.as_deref()),
                ("--report", options.follow.report.as_deref()),
            ],
            force: options.force,
            inputs: world.inputs(),
            players: players.iter().collect(),
        }
        .check()?;
        let programs: Vec<_> = players.iter().map(|player| &player.program).collect();
        let game = &options.game;
        let (chosen, terms) = game.game(&referee, Path::new(""), &programs, &own_files)?;
        let mut launch = terms.launch(referee);
        let bots = players.iter_mut().map(|player| &mut player.program);
        secrets::hide(&mut launch, bots, &own_files);
        // A series of fresh starts has nothing to remember; a pair is the least that is comparable.
        let usual_series = if options.restart { 2 } else { SERIES };
        let schedule = schedule::Plan {
            format,
            players: players.len(),
            games: options.games.unwrap_or(GAMES),
            series: options.series.unwrap_or(usual_series),
        };
        schedule.check().map_err(Failure::misuse)?;
        for (option, is_given) in [
            ("--resume", options.resume),
            ("--shard", options.shard.is_some()),
        ] {
            if is_given && options.out.is_none() {
                let what = format!("{option}: name the record with --out FILE");
                return Err(Failure::misuse(what));
            }
        }
        if options.shard.is_some() {
            check_divisible(format)?;
        }
        options.follow.check()?;
        if options.follow.watch {
            chosen.needs_rules("--watch")?;
        }
        let mut lanes = Lanes::new(options.jobs.map(usize::from), terms.pin);
        // Several tasks of a cluster may run on one node, and not all schedulers keep them apart.
        if let Some(shard) = options.shard {
            lanes = lanes.of_part(shard.index());
        }
        Ok(ContestPlan {
            options,
            kind,
            players,
            schedule,
            chosen,
            terms,
            launch,
            lanes,
            own_files,
        })
    }
}

/// Checks that a contest can be divided into shards.
///
/// # Errors
/// If its pairings depend on results.
fn check_divisible(format: Format) -> Result<(), Failure> {
    if format.is_fixed() {
        return Ok(());
    }
    Err(Failure::misuse(
        "--shard: later rounds of this tournament depend on all of the earlier ones, so it cannot be divided",
    ))
}
