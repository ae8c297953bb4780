//! `referee check`: does a bot keep to the protocol?

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum, ValueHint};

use super::CommandArgs;
use super::sandbox::test_sandbox;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::options::{GameOptions, headings, seed};
use crate::words::ConfigArgument;
use crate::{World, listen, own_program, player, print_json, say, secrets, unless_closed};
use arena::game::{EndedBy, Stopped};
use check::{CheckSetup, StepReport, check_bot, check_judge};
use pages::{CheckPrinter, check_for_github};

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The bot: its folder, the command line of a program, or awful, mediocre, fair, decent or good.
    /// Without one, the judge itself is checked
    #[arg(value_name = "BOT", value_hint = ValueHint::CommandString, required_unless_present = "judge")]
    bot: Option<String>,
    #[command(flatten)]
    game: GameOptions,
    /// The seed of everything random in it
    #[arg(long, help_heading = headings::GAME, value_name = "N", default_value_t = 1, allow_hyphen_values = true, value_parser = seed)]
    seed: u64,
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
  referee check my_bot --rows 8 --cols 8 --ship '3 S submarine'
  referee check ./my_bot --rules twist
  referee check ./my_bot --format github";

    fn run(self, _: &World) -> Result<(), Failure> {
        let interrupt = listen()?;
        let referee = own_program()?;
        let (chosen, terms) = self.game.game(&referee, Path::new(""), &[], &[])?;
        let rules = chosen.rules_or_usual();
        let command = self.game.rules.judge.as_deref();
        let judge = chosen.judge;
        let format = if self.json { Format::Json } else { self.format };
        let mut printer = CheckPrinter::new(io::stdout());
        let mut on_step = |step: &StepReport| match format {
            Format::Text => unless_closed(printer.step(step)),
            Format::Github | Format::Json => Ok(()),
        };
        let checked = if let Some(bot) = &self.bot {
            let mut player = player::parse(bot, &referee)?;
            if player.human {
                let what = "a person cannot be checked; name a program, or awful, mediocre, fair, decent or good";
                return Err(Failure::misuse(format!("{bot}: {what}")));
            }
            let mut launch = terms.launch(referee);
            test_sandbox(&terms, &launch)?;
            secrets::hide(&mut launch, [&mut player.program], &[]);
            let setup = CheckSetup {
                player,
                rules,
                judge,
                max_turns: terms.max_turns,
                retries: terms.retries,
                seed: self.seed,
                clock: terms.clock(None),
                start_limit: terms.start_limit,
                launch,
                interrupt,
                basics_only: false,
            };
            check_bot(&setup, &mut on_step)
        } else {
            let judge = judge.expect("clap asks for one of both");
            let command = command.unwrap_or_default();
            check_judge(&judge, command, self.seed, &interrupt, &mut on_step)
        };
        let report = checked.map_err(stopped)?;
        match format {
            Format::Text => unless_closed(printer.end(&report))?,
            Format::Github => unless_closed(say(&check_for_github(&report)))?,
            Format::Json => unless_closed(print_json(&report))?,
        }
        if report.passed {
            Ok(())
        } else {
            Err(Failure::Reported(exit::NOT_STARTED))
        }
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

/// Returns the failure of the command when a check did not come to its end.
fn stopped(why: Stopped) -> Failure {
    match why {
        Stopped::Ended(ending) if ending.ended_by == EndedBy::Interrupted => {
            Failure::Interrupted("the check was interrupted".to_owned())
        }
        Stopped::Ended(ending) => anyhow::anyhow!(ending.what).into(),
        Stopped::Failed(error) => error.into(),
    }
}
