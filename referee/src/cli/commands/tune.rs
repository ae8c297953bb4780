//! `referee tune`: the best values of a bot's parameters, by games.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use league::statistics::sprt::Sprt;

use super::sandbox_test::test_sandbox;
use crate::cli::contest::{prepare, with_resume};
use crate::cli::exit::{self, Failure};
use crate::cli::options::{GameOptions, headings, jobs, seed};
use crate::cli::outputs::Outputs;
use crate::cli::seed::Seed;
use crate::cli::words::ConfigArgument;
use crate::cli::{World, listen, note, own_program, player, secrets};
use arena::contest::{Lanes, NotChecked, Preflight};
use arena::game::Entrant;
use arena::game::Game;
use arena::record::{identify, page_output, separate, write_page};
use lab::tune::{Parameter, TUNING_VERSION, TuneError, Tuned, Tuning, TuningHeader, TuningRecord};
use pages::{TuningSummary, tuning_page};

/// Progress is told, and the page written, not more often than this.
const PAUSE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(crate) struct TuneArguments {
    /// The bot, with {NAME} where its command has the value of a parameter
    #[arg(value_name = "BOT", value_hint = ValueHint::CommandString)]
    bot: String,
    /// A parameter and its range; it begins in the middle, or at START
    ///
    /// The option is repeated for each parameter. The value takes the place of {NAME} in the command of the bot; if that
    /// has none, the bot gets it as the variable NAME of its environment.
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

pub(crate) const EXAMPLES: &str = "\
The search plays two versions of the bot with the same seeds, and moves towards
the better one. Finally a test plays the new values against the old ones.

Examples:
  referee tune \"./bot {decay}\" --param decay=0.1:0.9 --against good
  referee tune ./bot --param edge=1:5:2 --whole depth=2:8 --against ./old";

fn whole(text: &str) -> Result<Parameter, String> {
    let parameter: Parameter = text.parse().map_err(|error| format!("{error}"))?;
    parameter.whole().map_err(|error| error.to_string())
}

/// Tunes a bot.
pub(crate) fn run(arguments: &TuneArguments, world: &World) -> Result<(), Failure> {
    let typed = &world.typed;
    let TuneArguments {
        out, report, force, ..
    } = arguments;
    let referee = own_program()?;
    let file = world.inputs();
    let (rules, terms) = arguments.game.terms()?;
    let mut launch = terms.launch(referee.clone());
    let [mut bot, mut opponent] = [
        player::parse(&arguments.bot, &referee)?,
        player::parse(&arguments.against, &referee)
            .map_err(|error| Failure::misuse(format!("--against: {error}")))?,
    ];
    Outputs {
        files: vec![("--out", out.as_deref()), ("--report", report.as_deref())],
        force: *force,
        inputs: file.clone(),
        players: vec![&bot, &opponent],
    }
    .check()?;
    let parameters = parameters(arguments, &bot, &opponent)?;
    let own_files = secrets::own_files(out.iter().chain(report).chain(file));
    secrets::hide(&mut launch, &own_files);
    if launch.sandbox.is_some() {
        separate(&mut [&mut bot.program, &mut opponent.program], &own_files);
    }
    let lanes = Lanes::new(arguments.jobs.map(usize::from), terms.pin);
    let interrupt = &listen()?;
    prepare(&lanes)?;
    let record = out.as_ref().map(|path| {
        let record = TuningRecord::open(path, arguments.resume, *force);
        Ok::<_, Failure>((record.map_err(Failure::misuse)?, path.as_path()))
    });
    let record = record.transpose()?;
    if let Some(path) = report {
        page_output("--report", path, *force || arguments.resume)
            .check()
            .map_err(Failure::misuse)?;
    }
    let sandbox = test_sandbox(&terms, &launch)?;
    let there = record.as_ref().and_then(|(record, _)| record.there());
    let seed = Seed::given_or_drawn(arguments.seed.or(there.map(|there| there.seed)))?;
    seed.report();
    let programs = identify(&[&bot.program, &opponent.program], &own_files);
    let header = TuningHeader {
        version: TUNING_VERSION,
        commands: [&bot, &opponent].map(|player| player.program.command_line.clone()),
        programs: [0, 1].map(|player| programs[player].digest.clone()),
        parameters,
        games: arguments.games,
        round: round(arguments.games),
        sprt: arguments.sprt.to_string(),
        seed: seed.value,
        terms,
        game: rules.settings(),
    };
    let game: Arc<dyn Game> = Arc::new(rules);
    let tuning = Tuning {
        game: &game,
        header: &header,
        bot: &bot,
        opponent: &opponent,
        sprt: arguments.sprt,
        launch: &launch,
        sandbox,
        lanes: &lanes,
        interrupt,
    };
    check_players(&tuning)?;
    let mut last = Instant::now();
    let tuned = tuning.run(record, &mut |tuned| {
        if last.elapsed() < PAUSE {
            return Ok(());
        }
        last = Instant::now();
        let summary = TuningSummary {
            tuning: &tuning,
            tuned,
        };
        if !arguments.quiet {
            let values: Vec<_> = summary.values().collect();
            let how_far = summary.test().unwrap_or_else(|| summary.search());
            note(&format!("{how_far} {}", values.join("; ")));
        }
        report_to(arguments, &tuning, tuned).map_err(io::Error::other)
    });
    let tuned = tuned.map_err(|error| failure(error, arguments, seed, typed))?;
    report_to(arguments, &tuning, &tuned)?;
    let text = TuningSummary {
        tuning: &tuning,
        tuned: &tuned,
    }
    .text();
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

/// Returns how the command ends for `error`.
fn failure(error: TuneError, arguments: &TuneArguments, seed: Seed, typed: &[OsString]) -> Failure {
    match error {
        TuneError::NoEffect(what) => Failure::Misuse(what),
        TuneError::Fails(what) => Failure::NotStarted(what),
        TuneError::Interrupted if arguments.out.is_none() => Failure::Interrupted(
            "interrupted; without --out FILE there is no record to continue".to_owned(),
        ),
        TuneError::Interrupted => Failure::Interrupted(format!(
            "interrupted; {}",
            with_resume(typed, seed, arguments.resume)
        )),
        TuneError::Record(error) => error.into(),
        TuneError::Io(error) => error.into(),
    }
}

/// Writes the page, if there is to be one.
fn report_to(arguments: &TuneArguments, tuning: &Tuning<'_>, tuned: &Tuned) -> Result<(), Failure> {
    let Some(path) = &arguments.report else {
        return Ok(());
    };
    let page = tuning_page(&TuningSummary { tuning, tuned })?;
    Ok(write_page("--report", path, true, &page)?)
}

/// Returns the parameters, after a look at whether the rest that was typed fits them.
fn parameters(
    arguments: &TuneArguments,
    bot: &Entrant,
    opponent: &Entrant,
) -> Result<Vec<Parameter>, Failure> {
    let TuneArguments { param, whole, .. } = arguments;
    let parameters = [&param[..], &whole[..]].concat();
    let is_there = |name: &str, among: &[Parameter]| among.iter().any(|it| it.name == name);
    for (place, Parameter { name, .. }) in parameters.iter().enumerate() {
        if is_there(name, &parameters[..place]) {
            return Err(Failure::misuse(format!(
                "--param {name}: it is given twice; leave one out"
            )));
        }
    }
    for word in &bot.program.arguments {
        let word = word.to_string_lossy();
        let inner = word
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'));
        let names = inner
            .map(|(name, _)| name)
            .filter(|name| format!("{name}=0:1").parse::<Parameter>().is_ok());
        if let Some(name) = names.into_iter().find(|name| !is_there(name, &parameters)) {
            return Err(Failure::misuse(format!(
                "the command has {{{name}}}, but there is no --param {name}=MIN:MAX; add it, or write the value"
            )));
        }
    }
    if bot.human || opponent.human {
        return Err(Failure::misuse(
            "a human plays one game at a time: referee play human good",
        ));
    }
    if bot.shipped {
        let what = format!("{} has no parameters; name a bot of yours", bot.name);
        return Err(Failure::misuse(what));
    }
    Ok(parameters)
}

/// Returns the number of games of a round, a multiple of 4: a pair for each side at least.
fn round(games: u32) -> u32 {
    // In fewer rounds than fifty nothing settles.
    (games / 50 / 4 * 4).clamp(4, 80)
}

/// Checks that the opponent can play, and the bot with the values that it begins with, with the least and with the greatest.
fn check_players(tuning: &Tuning<'_>) -> Result<(), Failure> {
    let TuningHeader { terms, seed, .. } = tuning.header;
    let players: Vec<Entrant> = tuning
        .extremes()
        .into_iter()
        .chain([tuning.opponent.clone()])
        .collect();
    let preflight = Preflight {
        game: &**tuning.game,
        terms,
        launch: tuning.launch,
        seed: *seed,
    };
    let mut failed = false;
    for (player, checked) in
        players
            .iter()
            .zip(preflight.run(&players, tuning.lanes, tuning.interrupt)?)
    {
        match checked {
            Ok(_) => {}
            Err(NotChecked::Failed(why)) => {
                failed = true;
                note(&format!(
                    "{} cannot play: {why}",
                    player.program.command_line
                ));
            }
            Err(NotChecked::Interrupted) => return Err(Failure::Reported(exit::INTERRUPTED)),
        }
    }
    if failed {
        return Err(Failure::NotStarted(
            "nothing was played; fix the player, or narrow the range of what it cannot play with"
                .to_owned(),
        ));
    }
    Ok(())
}
