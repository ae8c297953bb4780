//! `referee check`: does a bot keep to the protocol?

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum, ValueHint};

use super::CommandArgs;
use super::sandbox_test::test_sandbox;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::options::{BotOptions, RuleArgs, headings, judge, seed};
use crate::words::ConfigArgument;
use crate::{World, listen, own_program, player, print_json, say};
use arena::game::{EndedBy, Game as _, Stopped};
use arena::record::separate;
use check::{CheckReport, CheckSetup, StepReport, check_bot, check_judge};
use pages::{CheckPrinter, check_for_github};

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The bot: the command line of a program, or awful, mediocre or good. Without one, the judge itself is checked
    #[arg(value_name = "BOT", value_hint = ValueHint::CommandString, required_unless_present = "judge")]
    bot: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// The seed of everything random in it
    #[arg(long, help_heading = headings::GAME, value_name = "N", default_value_t = 1, allow_hyphen_values = true, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    bots: BotOptions,
    #[command(flatten)]
    config: ConfigArgument,
    /// Format of the report
    #[arg(long, help_heading = headings::OUTPUT, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Print the report as one line of JSON, as --format json
    #[arg(long, help_heading = headings::OUTPUT, conflicts_with = "format")]
    json: bool,
}

impl CommandArgs for CheckArguments {
    const NAME: &'static str = "check";
    const ABOUT: &'static str = "Check whether a bot keeps to the protocol, and what is wrong";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = "\
The exit code is 0 if no step has failed (warnings are allowed), and 4 if one
has. docs/checking-a-bot.md describes the steps and the JSON.

Examples:
  referee check \"python3 my_bot.py\"
  referee check ./my_bot --rules twist
  referee check ./my_bot --format github";

    fn run(self, world: &World) -> Result<(), Failure> {
        run(&self, world)
    }
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, step by step
    Text,
    /// Annotations of a workflow of GitHub
    Github,
    /// One line of JSON
    Json,
}

/// Checks a bot.
fn run(arguments: &CheckArguments, _: &World) -> Result<(), Failure> {
    let interrupt = listen()?;
    let referee = own_program()?;
    let rules = arguments.rules.rules()?;
    // The steps bring boards of their own; of the terms only those count that are about the treatment of bots.
    let terms = arguments.bots.terms(rules.max_turns())?;
    let judge = match &arguments.rules.judge {
        Some(command) => Some(judge(command, &terms, &referee, Path::new(""))?),
        None => None,
    };
    let Some(bot) = &arguments.bot else {
        let judge = judge.expect("clap asks for one of both");
        return finish(tell(arguments, &mut |on_step| {
            let command = arguments.rules.judge.as_deref().unwrap_or_default();
            let checked = check_judge(&judge, command, arguments.seed, on_step);
            checked.map_err(Stopped::Failed)
        }));
    };
    let mut player = player::parse(bot, &referee)?;
    if player.human {
        let what = "a person cannot be checked; name a program, or awful, mediocre or good";
        return Err(Failure::misuse(format!("{bot}: {what}")));
    }
    let launch = terms.launch(referee);
    test_sandbox(&terms, &launch)?;
    if launch.sandbox.is_some() {
        separate(&mut [&mut player.program], &[]);
    }
    let setup = CheckSetup {
        player,
        rules,
        judge,
        retries: terms.retries,
        seed: arguments.seed,
        clock: terms.clock(None),
        start_limit: terms.start_limit,
        launch,
        interrupt,
        basics_only: false,
    };
    finish(tell(arguments, &mut |on_step| check_bot(&setup, on_step)))
}

fn finish(report: Result<CheckReport, Stopped>) -> Result<(), Failure> {
    if report.map_err(stopped)?.passed {
        Ok(())
    } else {
        Err(Failure::Reported(exit::NOT_STARTED))
    }
}

/// Returns what it means for the command that a check did not come to its end.
pub(super) fn stopped(why: Stopped) -> Failure {
    match why {
        Stopped::Ended(ending) if ending.ended_by == EndedBy::Interrupted => {
            Failure::Interrupted("the check was interrupted".to_owned())
        }
        Stopped::Ended(ending) => anyhow::anyhow!(ending.what).into(),
        Stopped::Failed(error) => error.into(),
    }
}

/// Hears of each step of a check.
type OnStep<'s> = &'s mut dyn FnMut(&StepReport) -> io::Result<()>;

/// Runs the `check` and prints the result.
fn tell(
    arguments: &CheckArguments,
    check: &mut dyn FnMut(OnStep<'_>) -> Result<CheckReport, Stopped>,
) -> Result<CheckReport, Stopped> {
    let format = if arguments.json {
        Format::Json
    } else {
        arguments.format
    };
    let mut printer = CheckPrinter::new(io::stdout());
    let report = check(&mut |step: &StepReport| {
        if format == Format::Text {
            printer.step(step)
        } else {
            Ok(())
        }
    })?;
    match format {
        Format::Text => printer.end(&report)?,
        Format::Github => say(&check_for_github(&report))?,
        Format::Json => print_json(&report)?,
    }
    Ok(report)
}
