//! `referee dev`: builds a bot on every save, and says whether it has become better or worse.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::{Args, ValueHint};

use super::CommandArgs;
use super::sandbox::test_sandbox;
use crate::contest::prepare;
use crate::exit::Failure;
use crate::help::Group;
use crate::options::GameOptions;
use crate::words::ConfigArgument;
use crate::{World, listen, own_program, player, say};
use arena::contest::Lanes;
use lab::dev::{BotSource, Dev};
use lab::{Bench, LabError};

#[derive(Debug, Args)]
pub(crate) struct DevArguments {
    /// The folder of the bot, or the command that starts it
    #[arg(value_name = "BOT", default_value = ".", value_hint = ValueHint::DirPath)]
    bot: String,
    /// Games against the last accepted version, an even number
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    games: u32,
    /// Let both versions play the same games against this player, instead of one another
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Judge the bot as it is now, and end: with code 4 if it is worse or has faults
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    config: ConfigArgument,
}

impl CommandArgs for DevArguments {
    const NAME: &'static str = "dev";
    const ABOUT: &'static str = "Build a bot on every save, and say whether it became better";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = "\
A bot is recognized as in a class: by bot.py, Bot.java, Cargo.toml and such
files, or by a bot.toml that has run = \"COMMAND\" and build = \"COMMAND\".

Examples:
  referee dev mybot
  referee dev \"python3 mybot/bot.py\"
  referee dev mybot --against good --games 200
  referee dev mybot --once";

    fn run(self, _: &World) -> Result<(), Failure> {
        let games = self.games;
        if !games.is_multiple_of(2) {
            let what = "the games of a pair have the same luck, so the number has to be even";
            return Err(Failure::misuse(format!("--games {games}: {what}")));
        }
        let referee = own_program()?;
        let player = |typed: &str| {
            player::parse(typed, &referee).map_err(|error| LabError::Misuse(error.to_string()))
        };
        let source = BotSource::of(&self.bot, &player)?;
        let opponent = self.against.as_deref().map(player).transpose()?;
        if opponent.as_ref().is_some_and(|opponent| opponent.human) {
            return Err(Failure::misuse(
                "--against human: a person plays one game at a time",
            ));
        }
        let programs: Vec<_> = opponent.iter().map(|player| &player.program).collect();
        let (chosen, terms) = self.game.game(&referee, Path::new(""), &programs, &[])?;
        let recipe = source
            .recipe()
            .map_err(|why| Failure::misuse(format!("{}: {why}", self.bot)))?;
        let interrupt = listen()?;
        chosen.try_out(&interrupt)?;
        let launch = terms.launch(referee.clone());
        let lanes = Lanes::new(None, terms.pin);
        prepare(&lanes)?;
        let dev = Dev {
            bench: Bench {
                game: chosen.game.clone(),
                sandbox: test_sandbox(&terms, &launch)?,
                terms,
                launch,
                lanes,
                interrupt,
            },
            versions: source.versions()?,
            source,
            rules: chosen.rules_or_usual(),
            judge: chosen.judge,
            games,
            opponent,
            once: self.once,
            player: &player,
            print: say,
            rings: io::stdout().is_terminal(),
        };
        Ok(dev.run(&self.bot, recipe.kind)?)
    }
}
