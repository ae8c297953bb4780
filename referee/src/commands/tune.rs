//! `referee tune`: the best values of a bot's parameters, by games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arena::contest::Lanes;
use arena::record::{identify, page_output, write_page};
use clap::{Args, ValueHint};
use lab::tune::{Parameter, TUNING_VERSION, Tuning, TuningHeader, TuningRecord};
use lab::{Bench, LabError};
use league::statistics::sprt::Sprt;
use pages::{TuningSummary, tuning_page};

use super::CommandArgs;
use super::sandbox::test_sandbox;
use crate::contest::{prepare, with_resume};
use crate::exit::Failure;
use crate::help::Group;
use crate::options::{GameOptions, headings, jobs, seed};
use crate::outputs::Outputs;
use crate::seed::Seed;
use crate::words::ConfigArgument;
use crate::{World, listen, note, own_program, player, secrets};

#[derive(Debug, Args)]
pub(crate) struct TuneArguments {
    /// The bot, with {NAME} where its command has the value of a parameter
    #[arg(value_name = "BOT", value_hint = ValueHint::CommandString)]
    bot: String,
    /// A parameter and its range; it begins in the middle, or at START
    ///
    /// The option is repeated for each parameter. The value takes the place of {NAME} in the
    /// command of the bot; if that has none, the bot gets it as the variable NAME of its
    /// environment.
    #[arg(
        long,
        value_name = "NAME=MIN:MAX[:START]",
        required_unless_present = "whole"
    )]
    param: Vec<Parameter>,
    /// The same for whole numbers, as a depth
    #[arg(long, value_name = "NAME=MIN:MAX[:START]", value_parser = whole)]
    whole: Vec<Parameter>,
    /// The player that the bot plays against
    #[arg(long, value_name = "PLAYER")]
    against: String,
    /// Games of the search, at most; and of the test
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(4..))]
    games: u32,
    /// The test of the new values against the old ones
    #[arg(
        long,
        value_name = "ELOS",
        default_value = "elo0=0,elo1=20",
        hide_short_help = true
    )]
    sprt: Sprt,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    config: ConfigArgument,
    /// Repeat the tuning with this seed [default: one is drawn]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = seed)]
    seed: Option<u64>,
    /// Games at the same time [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = jobs)]
    jobs: Option<u16>,
    /// Write the record to this file: a line for each round
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = headings::OUTPUT, conflicts_with = "resume")]
    force: bool,
    /// Continue the tuning in the file of --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Write a page with the course of each parameter, and rewrite it on the way
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print nothing on the way
    #[arg(long, help_heading = headings::OUTPUT, short)]
    quiet: bool,
}

impl CommandArgs for TuneArguments {
    const NAME: &'static str = "tune";
    const ABOUT: &'static str = "Find the best values of a bot's parameters by games";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = "\
The search plays two versions of the bot with the same seeds, and moves towards
the better one. Finally a test plays the new values against the old ones.

Examples:
  referee tune \"./bot {decay}\" --param decay=0.1:0.9 --against good
  referee tune ./bot --param edge=1:5:2 --whole depth=2:8 --against ./old";

    fn run(self, world: &World) -> Result<(), Failure> {
        let referee = own_program()?;
        let mut bot = player::parse(&self.bot, &referee)?;
        let mut opponent = player::parse(&self.against, &referee)
            .map_err(|error| Failure::misuse(format!("--against: {error}")))?;
        let own_files = Outputs {
            files: vec![
                ("--out", self.out.as_deref()),
                ("--report", self.report.as_deref()),
            ],
            force: self.force,
            inputs: world.inputs(),
            players: vec![&bot, &opponent],
        }
        .check()?;
        let programs = [&bot.program, &opponent.program];
        let (chosen, terms) = self
            .game
            .game(&referee, Path::new(""), &programs, &own_files)?;
        let interrupt = listen()?;
        chosen.try_out(&interrupt)?;
        let game = chosen.game;
        let mut launch = terms.launch(referee.clone());
        let parameters = [&self.param[..], &self.whole[..]].concat();
        Parameter::check(&parameters, &bot, &opponent)?;
        if bot.human || opponent.human {
            return Err(Failure::misuse(
                "a human plays one game at a time: referee play human good",
            ));
        }
        if bot.shipped {
            let what = format!("{} has no parameters; name a bot of yours", bot.name);
            return Err(Failure::misuse(what));
        }
        let bots = [&mut bot.program, &mut opponent.program];
        secrets::hide(&mut launch, bots, &own_files);
        let lanes = Lanes::new(self.jobs.map(usize::from), terms.pin);
        prepare(&lanes)?;
        let record = match &self.out {
            Some(path) => {
                let record = TuningRecord::open(path, self.resume, self.force);
                Some(record.map_err(Failure::misuse)?)
            }
            None => None,
        };
        if let Some(path) = &self.report {
            page_output("--report", path, self.force || self.resume)
                .check()
                .map_err(Failure::misuse)?;
        }
        let sandbox = test_sandbox(&terms, &launch)?;
        let recorded = record.as_ref().and_then(TuningRecord::recorded);
        let seed = Seed::given_or_drawn(self.seed.or(recorded.map(|header| header.seed)))?;
        seed.report();
        let programs = identify(&[&bot.program, &opponent.program], &own_files);
        let header = TuningHeader {
            version: TUNING_VERSION,
            commands: [&bot, &opponent].map(|player| player.program.command_line.clone()),
            programs: [0, 1].map(|player| programs[player].digest.clone()),
            parameters,
            games: self.games,
            round: TuningHeader::round_of(self.games),
            sprt: self.sprt.to_string(),
            seed: seed.value,
            terms: terms.clone(),
            game: game.settings(),
        };
        let bench = Bench {
            game,
            terms,
            launch,
            sandbox,
            lanes,
            interrupt,
        };
        let tuning = Tuning {
            bench: &bench,
            header: &header,
            bot: &bot,
            opponent: &opponent,
            sprt: self.sprt,
        };
        let tuned = tuning.run(record, &|tuned| {
            let summary = TuningSummary {
                tuning: &tuning,
                tuned,
            };
            if !self.quiet {
                let values: Vec<_> = summary.values().collect();
                let how_far = summary.test().unwrap_or_else(|| summary.search());
                note(&format!("{how_far} {}", values.join("; ")));
            }
            self.write_report(&summary).map_err(io::Error::other)
        });
        let tuned = match tuned {
            Err(LabError::Interrupted) => {
                let advice = match &self.out {
                    Some(_) => with_resume(&world.typed, seed),
                    None => "without --out FILE there is no record to continue".to_owned(),
                };
                return Err(Failure::Interrupted(format!("interrupted; {advice}")));
            }
            tuned => tuned?,
        };
        let summary = TuningSummary {
            tuning: &tuning,
            tuned: &tuned,
        };
        self.write_report(&summary)?;
        Ok(io::stdout().lock().write_all(summary.text().as_bytes())?)
    }
}

impl TuneArguments {
    /// Writes the page, if there is to be one.
    fn write_report(&self, summary: &TuningSummary<'_>) -> Result<(), Failure> {
        if let Some(path) = &self.report {
            write_page("--report", path, true, &tuning_page(summary))?;
        }
        Ok(())
    }
}

fn whole(text: &str) -> Result<Parameter, String> {
    text.parse::<Parameter>()?.whole()
}
