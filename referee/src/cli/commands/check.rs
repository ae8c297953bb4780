//! `referee check`: does a bot keep to the protocol?

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use battleship::{Game, Rules};
use bothost::{Interrupt, Launch};
use clap::{Args, ValueEnum};

use super::hidden;
use super::position::read_positions;
use super::retrace::PastArguments;
use crate::cli::completion::values;
use crate::cli::config_file::{ConfigArguments, NoOptions, Settings};
use crate::cli::exit::{self, Failure};
use crate::cli::seed::seed;
use crate::cli::{listen, own_program, player, print_json, say};
use engine::check::{
    CheckSetup, Past, Position, Report, StepReport, examine, examine_past, examine_positions,
};
use engine::contest::separate;
use engine::game::{EndedBy, Entrant, GameStopped};
use engine::terms::{GameTerms, HouseRules, LaunchOptions, TimeOptions};
use pages::{CheckPrinter, check_as_junit, check_for_github};

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The bot: the command line of a program, or awful, mediocre or good
    #[arg(value_name = "BOT", add = values::players())]
    bot: String,
    #[command(flatten)]
    house: HouseRules,
    /// The seed of everything random in it
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true, value_parser = seed,
        conflicts_with = "from")]
    seed: u64,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    time: TimeOptions,
    #[command(flatten)]
    past: PastArguments,
    #[command(flatten)]
    launch: LaunchOptions,
    /// Check its replies in these positions instead: a file, or the files .txt of a folder (see referee position)
    #[arg(long, value_name = "PATH", conflicts_with_all = ["from", "HouseRules", "seed"])]
    positions: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Print the report as one line of JSON, as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, step by step
    Text,
    /// Annotations of a workflow of GitHub
    Github,
    /// XML as most services for tests read it
    Junit,
    /// One line of JSON
    Json,
}

pub(crate) const EXAMPLES: &str = "\
The exit code is 0 if no step has failed (warnings are allowed), and 4 if one
has. docs/checking-a-bot.md describes the steps and the JSON.

Examples:
  referee check \"python3 my_bot.py\"
  referee check ./my_bot --rules twist
  referee check ./my_bot --from cup.jsonl --game 17
  referee check ./my_bot --positions positions --format github";

/// Checks a bot.
pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let interrupt = listen()?;
    let referee = own_program()?;
    let player = player::parse(&arguments.bot, &referee)?;
    if player.human {
        let what = "a person cannot be checked; name a program, or awful, mediocre or good";
        return Err(Failure::misuse(format!("{}: {what}", arguments.bot)));
    }
    let past = arguments.past.read()?;
    let positions = arguments
        .positions
        .as_deref()
        .map(read_positions)
        .transpose()?;
    if let (Some(path), Some([])) = (&arguments.positions, positions.as_deref()) {
        let what = "no position there (*.txt); referee position RECORD --turn N > FILE writes one";
        return Err(Failure::misuse(format!(
            "--positions {}: {what}",
            path.display()
        )));
    }
    let rules = match (&past, &positions) {
        (Some(past), _) => past.rules().clone(),
        (None, Some(positions)) => positions[0].1.rules().clone(),
        (None, None) => arguments.house.rules()?,
    };
    // The steps bring boards of their own; of the terms only those count that say how bots are treated.
    let usual = GameTerms::usual(Rules::Classic(Game::standard()));
    let Settings { time, launch, .. } = arguments
        .config
        .read::<NoOptions>()?
        .without_players()?
        .settings;
    let time = arguments.time.over(time);
    let terms = arguments
        .launch
        .clone()
        .over_settings(launch)
        .apply(time.apply(usual))?;
    let launch = terms.launch(referee);
    hidden::test_sandbox(&terms, &launch)?;
    let source = CheckSource {
        player,
        rules,
        seed: arguments.seed,
        terms: &terms,
    };
    let setup = source.setup(launch, interrupt);
    let what = match (&past, &positions) {
        (Some(past), _) => Checked::Past(past),
        (None, Some(positions)) => Checked::Positions(positions),
        (None, None) => Checked::Steps,
    };
    let report = tell(arguments, &setup, &what).map_err(stopped)?;
    if report.passed {
        Ok(())
    } else {
        Err(Failure::Said(exit::NOT_STARTED))
    }
}

/// With what a bot is checked.
enum Checked<'c> {
    Steps,
    Past(&'c Past),
    Positions(&'c [(String, Position)]),
}

/// The player to check, and the terms.
#[derive(Debug)]
pub(super) struct CheckSource<'t> {
    pub(super) player: Entrant,
    pub(super) rules: Rules,
    pub(super) seed: u64,
    pub(super) terms: &'t GameTerms,
}

impl CheckSource<'_> {
    fn setup(self, launch: Launch, interrupt: Arc<Interrupt>) -> CheckSetup {
        let CheckSource {
            mut player,
            rules,
            seed,
            terms,
        } = self;
        if launch.sandbox.is_some() {
            separate(&mut [&mut player.program], &[]);
        }
        let GameTerms {
            limit, start_limit, ..
        } = *terms;
        CheckSetup {
            player,
            rules,
            seed,
            limit,
            start_limit,
            launch,
            interrupt,
        }
    }
}

/// Plays a recorded game to a bot; `hear` is called with each step.
pub(super) fn check_recorded(
    source: CheckSource<'_>,
    referee: PathBuf,
    interrupt: Arc<Interrupt>,
    past: &Past,
    hear: &mut dyn FnMut(&StepReport) -> io::Result<()>,
) -> Result<Report, Failure> {
    let launch = source.terms.launch(referee);
    examine_past(&source.setup(launch, interrupt), past, hear).map_err(stopped)
}

/// Returns what it means for the command that a check did not come to its end.
pub(super) fn stopped(why: GameStopped) -> Failure {
    match why {
        GameStopped::Ended(ending) if ending.ended_by == EndedBy::Interrupted => {
            Failure::Interrupted("the check was interrupted".to_owned())
        }
        GameStopped::Ended(ending) => anyhow::anyhow!(ending.what).into(),
        GameStopped::Failed(error) => error.into(),
    }
}

/// Checks the bot and prints the result.
fn tell(
    arguments: &CheckArguments,
    setup: &CheckSetup,
    what: &Checked<'_>,
) -> Result<Report, GameStopped> {
    let format = if arguments.json {
        Format::Json
    } else {
        arguments.format
    };
    let mut printer = CheckPrinter::new(io::stdout());
    let mut hear = |step: &StepReport| {
        if format == Format::Text {
            printer.step(step)
        } else {
            Ok(())
        }
    };
    let report = match what {
        Checked::Steps => examine(setup, &mut hear)?,
        Checked::Past(past) => examine_past(setup, past, &mut hear)?,
        Checked::Positions(positions) => examine_positions(setup, positions, &mut hear)?,
    };
    match format {
        Format::Text => printer.end(&report)?,
        Format::Github => say(&check_for_github(&report))?,
        Format::Junit => say(&check_as_junit(&report))?,
        Format::Json => print_json(&report)?,
    }
    Ok(report)
}
