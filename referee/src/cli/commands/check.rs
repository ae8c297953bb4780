//! `referee check`: does a bot keep to the protocol?

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use battleship::{Game, Rules, Ruleset};
use bothost::{Interrupt, Launch};
use clap::Args;

use super::hidden;
use super::retrace::PastArguments;
use crate::cli::completion::values;
use crate::cli::config_file::{ConfigArguments, NoOptions, Settings};
use crate::cli::exit::{self, Failure};
use crate::cli::seed::seed;
use crate::cli::{listen, own_program, player, print_json};
use engine::check::{CheckSetup, Past, Report, StepReport, examine, examine_past};
use engine::contest::separate;
use engine::game::{EndedBy, Entrant, GameStopped};
use engine::terms::{GameTerms, LaunchOptions, TimeOptions, rulesets};
use pages::CheckPrinter;

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The bot: the command line of a program, or awful, mediocre or good
    #[arg(value_name = "BOT", add = values::players())]
    bot: String,
    /// The game that it is checked for [default: classic]
    #[arg(long, value_parser = rulesets(), value_name = "RULES", conflicts_with = "from")]
    rules: Option<Ruleset>,
    /// The seed of everything random in the check
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
    /// Print the report as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) const EXAMPLES: &str = "\
The exit code is 0 if no step has failed (warnings are allowed), and 4 if one
has. docs/checking-a-bot.md describes the steps and the JSON.

Examples:
  referee check \"python3 my_bot.py\"
  referee check ./my_bot --rules twist
  referee check ./my_bot --from cup.jsonl --game 17";

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
    let rules = match (&past, arguments.rules) {
        (Some(past), _) => past.rules(),
        (None, name) => name.unwrap_or(Ruleset::Classic),
    };
    // The steps bring boards of their own; of the terms only those count that say how bots are treated.
    let usual = GameTerms::usual(Rules::Classic(Game::standard()));
    let Settings { time, launch, .. } =
        arguments.config.read::<NoOptions>()?.without_players()?.settings;
    let time = arguments.time.over(time);
    let terms = arguments.launch.clone().over_settings(launch).apply(time.apply(usual))?;
    let launch = terms.launch(referee);
    hidden::test_sandbox(&terms, &launch)?;
    let source = CheckSource { player, rules, seed: arguments.seed, terms: &terms };
    let setup = source.setup(launch, interrupt);
    let report = tell(arguments, &setup, past.as_ref()).map_err(stopped)?;
    if report.passed { Ok(()) } else { Err(Failure::Said(exit::NOT_STARTED)) }
}

/// What is checked, and under which terms.
#[derive(Debug)]
pub(super) struct CheckSource<'t> {
    pub(super) player: Entrant,
    pub(super) rules: Ruleset,
    pub(super) seed: u64,
    pub(super) terms: &'t GameTerms,
}

impl CheckSource<'_> {
    fn setup(self, launch: Launch, interrupt: Arc<Interrupt>) -> CheckSetup {
        let CheckSource { mut player, rules, seed, terms } = self;
        if launch.sandbox.is_some() {
            separate(&mut [&mut player.program], &[]);
        }
        let GameTerms { limit, start_limit, .. } = *terms;
        CheckSetup { player, rules, seed, limit, start_limit, launch, interrupt }
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

/// Checks the bot and prints what comes of it.
fn tell(
    arguments: &CheckArguments,
    setup: &CheckSetup,
    past: Option<&Past>,
) -> Result<Report, GameStopped> {
    let mut printer = CheckPrinter::new(io::stdout().lock());
    let mut hear = |step: &StepReport| if arguments.json { Ok(()) } else { printer.step(step) };
    let report = match past {
        Some(past) => examine_past(setup, past, &mut hear)?,
        None => examine(setup, &mut hear)?,
    };
    if arguments.json {
        drop(printer);
        print_json(&report)?;
    } else {
        printer.end(&report)?;
    }
    Ok(report)
}
