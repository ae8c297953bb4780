//! `referee dev`: builds a bot on every save, and says whether it has become better or worse.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use battleship::Rules;
use battleship::game_reader::READERS;
use bothost::{BotProgram, Interrupt, Launch, RunEnd, RunLimits, RunResult, run_to_end, text};
use clap::{Args, ValueHint};
use kits::Recipe;

use super::check::stopped;
use super::sandbox_test::test_sandbox;
use crate::cli::contest::prepare;
use crate::cli::exit::{self, Failure};
use crate::cli::options::GameOptions;
use crate::cli::words::ConfigArgument;
use crate::cli::{World, listen, own_program, player, say};
use arena::contest::Lanes;
use arena::game::{Entrant, Game, Stopped, derived_seed};
use arena::record::SandboxOfGame;
use arena::system::{quoted, split_words};
use arena::terms::GameTerms;
use arena::words::{counted, interval, percent};
use check::{CheckSetup, Outcome, check_bot};
use lab::{Contents, Trial, Tried, Versions, VersionsError, Watch};

/// The number of failed reads of a folder after which the author is told.
const LOOKS_IN_VAIN: u32 = 10;

/// Between two looks at the folder.
const PAUSE: Duration = Duration::from_millis(200);

/// A build that takes longer hangs.
const BUILD: RunLimits = RunLimits {
    time: Duration::from_secs(15 * 60),
    output: u64::MAX,
    log: 64 << 10,
};

/// The lines of a failed build that are shown.
const LAST_LINES: usize = 20;

/// The characters of each of them.
const LONGEST_LINE: usize = 400;

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

pub(crate) const EXAMPLES: &str = "\
A bot is recognized as in a class: by bot.py, Bot.java, Cargo.toml and such
files, or by a bot.toml that has run = \"COMMAND\" and build = \"COMMAND\".

Examples:
  referee dev mybot
  referee dev \"python3 mybot/bot.py\"
  referee dev mybot --against good --games 200
  referee dev mybot --once";

/// The verdict on a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is accepted, or was before.
    Accepted,
    /// It cannot be built, has faults, or is worse.
    Rejected,
    /// It was saved, or Ctrl-C came, before there was a verdict.
    Stopped,
}

/// The result of a version that has been built.
#[derive(Debug)]
enum Seen {
    /// The fault in the check.
    Faulty(String),
    /// Nothing, and there is no version to compare it with.
    Alone,
    /// Games with the version of this number.
    Played(Tried, u32),
}

/// A bot and what it is judged with.
#[derive(Debug)]
struct Bench<'b> {
    arguments: &'b DevArguments,
    /// The folder of the bot, as an absolute path.
    folder: PathBuf,
    /// The command that starts it there, if that was typed.
    run: Option<String>,
    versions: Versions,
    referee: PathBuf,
    opponent: Option<Entrant>,
    rules: Rules,
    terms: GameTerms,
    launch: Launch,
    sandbox: Option<SandboxOfGame>,
    lanes: Lanes,
    interrupt: &'b Arc<Interrupt>,
}

/// Judges a bot on every save.
pub(crate) fn run(arguments: &DevArguments, _: &World) -> Result<(), Failure> {
    let DevArguments { bot, games, .. } = arguments;
    if !games.is_multiple_of(2) {
        let what = "the games of a pair have the same luck, so the number has to be even";
        return Err(Failure::misuse(format!("--games {games}: {what}")));
    }
    let referee = own_program()?;
    let (folder, run) = if Path::new(bot).is_dir() {
        (bot.into(), None)
    } else {
        place_of(&player::parse(bot, &referee)?)?
    };
    let folder: PathBuf = folder.canonicalize()?;
    let against = arguments
        .against
        .as_deref()
        .map(|against| player::parse(against, &referee));
    let opponent = against.transpose()?;
    if opponent.as_ref().is_some_and(|opponent| opponent.human) {
        return Err(Failure::misuse(
            "--against human: a person plays one game at a time",
        ));
    }
    let (rules, terms) = arguments.game.terms()?;
    let recipe = recipe_of(&folder, run.as_ref());
    let recipe = recipe.map_err(|why| Failure::misuse(format!("{bot}: {why}")))?;
    let interrupt = &listen()?;
    let launch = terms.launch(referee.clone());
    let lanes = Lanes::new(None, terms.pin);
    prepare(&lanes)?;
    let sandbox = test_sandbox(&terms, &launch)?;
    let versions = Versions::open(&folder).map_err(|error| match error {
        VersionsError::Locked(_) => Failure::misuse(error),
        VersionsError::Io { .. } => Failure::Fault(error.into()),
    })?;
    let bench = Bench {
        arguments,
        folder,
        run,
        versions,
        referee,
        opponent,
        rules,
        terms,
        launch,
        sandbox,
        lanes,
        interrupt,
    };
    bench.judge_saves(recipe.kind)
}

/// Returns the folder of the bot that a command starts, where its file is, and the command that starts it there.
fn place_of(player: &Entrant) -> Result<(PathBuf, Option<String>), Failure> {
    let command = &player.program.command_line;
    if let Some(folder) = &player.program.folder {
        return Ok((folder.clone(), Some(command.clone())));
    }
    let mut words = split_words(command).unwrap_or_default();
    let is_file = |word: &&mut String| Path::new(word).is_file() && !player.shipped;
    let Some(script) = words.iter_mut().rfind(is_file) else {
        return Err(Failure::misuse(format!(
            "{command} names neither a folder nor the file of a bot; name its folder, as in referee dev mybot"
        )));
    };
    let path = Path::new(".").join(&*script);
    *script = format!("./{}", path.file_name().unwrap_or_default().display());
    let folder = path.parent().unwrap_or(&path).to_owned();
    Ok((folder, Some(quoted(&words))))
}

/// Returns how the bot in `folder` is built, and started unless `run` says it.
fn recipe_of(folder: &Path, run: Option<&String>) -> Result<Recipe, String> {
    let recipe = Recipe::of_own_bot(folder);
    let Some(run) = run else { return recipe };
    let (run, known) = (run.clone(), recipe.ok());
    Ok(Recipe {
        kind: known.as_ref().map_or("a command", |recipe| recipe.kind),
        build: known.and_then(|recipe| recipe.build),
        run,
        course: None,
    })
}

/// Returns what a version does wrong in the steps of the check that are quick.
fn check(setup: &CheckSetup) -> Result<Option<String>, Stopped> {
    let report = check_bot(setup, &mut |_| Ok(()))?;
    let failed = report
        .steps
        .iter()
        .find(|step| step.outcome == Outcome::Fail);
    let Some(step) = failed else { return Ok(None) };
    let finding = step.finding.as_ref().map_or("", |finding| &finding.what);
    Ok(Some(format!(
        "{finding} (step {} of referee check)",
        step.number
    )))
}

/// Prints a line, whatever a bot or a compiler has put into it.
fn tell(line: &str) -> io::Result<()> {
    say(&format!("{}\n", text::shown(line.as_bytes())))
}

impl Bench<'_> {
    /// Judges the bot as it is, and then on every save, unless it is to be judged once.
    fn judge_saves(&self, kind: &str) -> Result<(), Failure> {
        let mut watch = Watch::new(&self.folder);
        let mut known = watch.look().map_err(Failure::misuse)?;
        let DevArguments { bot, once, .. } = self.arguments;
        if !once {
            tell(&format!("watching {bot} ({kind}); Ctrl-C ends"))?;
        }
        loop {
            let verdict = match self.judge(&mut watch, &mut known) {
                // The next save may fix it.
                Err(Failure::Misuse(what)) if !once => {
                    tell(&what)?;
                    Verdict::Rejected
                }
                verdict => verdict?,
            };
            if *once && verdict != Verdict::Stopped {
                let is_rejected = verdict == Verdict::Rejected;
                return if is_rejected {
                    Err(Failure::Reported(exit::NOT_STARTED))
                } else {
                    Ok(())
                };
            }
            let mut failed = 0;
            known = loop {
                match watch
                    .has_changed(&known)
                    .and_then(|has| has.then(|| watch.look()).transpose())
                {
                    Ok(Some(now)) => break now,
                    Ok(None) => failed = 0,
                    // For a moment a file that is being saved may be one that cannot be read.
                    Err(error) => {
                        failed += 1;
                        if failed == LOOKS_IN_VAIN {
                            tell(&error.to_string())?;
                        }
                    }
                }
                if !self.interrupt.wait(Some(PAUSE))? {
                    return Err(Failure::Reported(exit::INTERRUPTED));
                }
            };
        }
    }

    /// Judges the bot as it is, and prints the result. `known`, what its folder has, follows what is saved during its build.
    fn judge(&self, watch: &mut Watch, known: &mut Contents) -> Result<Verdict, Failure> {
        let began = Instant::now();
        let recipe = match recipe_of(&self.folder, self.run.as_ref()) {
            Ok(recipe) => recipe,
            Err(why) => {
                tell(&why)?;
                return Ok(Verdict::Rejected);
            }
        };
        let mut failed = None;
        // Files saved during a build are built too, but once: a build may write sources itself.
        for _ in 0..2 {
            let Some(build) = &recipe.build else { break };
            failed = self.build(build)?;
            let now = watch.look_after_build(known)?;
            let is_as_before = now == watch.without_products(known);
            *known = now;
            if is_as_before {
                break;
            }
        }
        if let Some(lines) = failed {
            lines.iter().try_for_each(|line| tell(line))?;
            return Ok(Verdict::Rejected);
        }
        let Some(number) = self.versions.copy()? else {
            let base = self.versions.base().unwrap_or_default();
            tell(&format!("this is v{base}, which was accepted"))?;
            return Ok(Verdict::Accepted);
        };
        let seen = self.until_saved(watch, known, |stop| self.try_out(number, stop));
        let verdict = match seen {
            Ok(Some(seen)) => self.tell_verdict(number, &seen, began),
            Ok(None) => Ok(Verdict::Stopped),
            Err(error) => Err(error),
        };
        match verdict {
            Ok(Verdict::Accepted) => self.versions.accept(number)?,
            Ok(Verdict::Rejected | Verdict::Stopped) | Err(_) => self.versions.remove(number)?,
        }
        verdict
    }

    /// Builds the bot in its folder. Returns what is to be told if that fails.
    fn build(&self, build: &str) -> Result<Option<Vec<String>>, Failure> {
        let program = BotProgram {
            file: "sh".into(),
            arguments: vec!["-c".into(), format!("exec >&2\n{build}").into()],
            folder: Some(self.folder.clone()),
            command_line: build.to_owned(),
            ..BotProgram::default()
        };
        // It is the author's own program on the author's own machine.
        let launch = Launch {
            sandbox: None,
            pinned: false,
            ponder: true,
            ..self.launch.clone()
        };
        let RunResult { end, log } =
            run_to_end(&program, &launch, BUILD, &mut io::sink(), self.interrupt)?;
        let why = match end {
            RunEnd::NotStarted(error) => return Ok(Some(vec![error.to_string()])),
            RunEnd::Exited(status) if status.success() => return Ok(None),
            RunEnd::Interrupted => return Err(Failure::Reported(exit::INTERRUPTED)),
            RunEnd::Exited(status) => status.to_string(),
            RunEnd::TooLong => "it took too long".to_owned(),
            RunEnd::TooMuchOutput => "it said too much".to_owned(),
            RunEnd::UsedTooMuch(what) => what,
        };
        let log = String::from_utf8_lossy(&log);
        let last = log.lines().count().saturating_sub(LAST_LINES);
        let mut lines: Vec<String> = log
            .lines()
            .skip(last)
            .map(|line| text::cut(line, LONGEST_LINE))
            .collect();
        let waits = if self.arguments.once {
            ""
        } else {
            "; waiting for the next save"
        };
        lines.push(format!("the build failed ({build}): {why}{waits}"));
        Ok(Some(lines))
    }

    /// Does `work` until the bot is saved or Ctrl-C comes: `None` then.
    fn until_saved<T>(
        &self,
        watch: &mut Watch,
        known: &Contents,
        work: impl FnOnce(&Arc<Interrupt>) -> Result<Option<T>, Failure>,
    ) -> Result<Option<T>, Failure> {
        let stop = &Arc::new(Interrupt::never()?);
        let (done, is_stopped) = thread::scope(|scope| {
            let watcher = scope.spawn(move || -> io::Result<()> {
                while stop.wait(Some(PAUSE))? {
                    // A file that cannot be read now is looked at again when there is time.
                    let is_saved =
                        !self.arguments.once && watch.has_changed(known).unwrap_or(false);
                    if self.interrupt.is_noted() || is_saved {
                        stop.note();
                    }
                }
                Ok(())
            });
            let done = work(stop);
            let is_stopped = stop.is_noted();
            stop.note();
            watcher.join().expect("it does not panic")?;
            Ok::<_, Failure>((done, is_stopped))
        })?;
        if self.interrupt.is_noted() {
            return Err(Failure::Reported(exit::INTERRUPTED));
        }
        if is_stopped { Ok(None) } else { done }
    }

    /// Checks a version, and plays it against the last one that was accepted. Returns the result, or
    /// `None` if that was stopped.
    fn try_out(&self, number: u32, stop: &Arc<Interrupt>) -> Result<Option<Seen>, Failure> {
        let version = |number: u32| -> Result<Entrant, Failure> {
            let folder = self.versions.version(number);
            // The files of each version say how it is started.
            let recipe = recipe_of(&folder, self.run.as_ref()).map_err(Failure::misuse)?;
            let mut player = player::parse(&recipe.run, &self.referee)?;
            player.name = format!("v{number}");
            player.dir = Some(folder.to_string_lossy().into_owned());
            player.program.folder = Some(folder);
            Ok(player)
        };
        let new = version(number)?;
        let setup = CheckSetup {
            player: new.clone(),
            rules: self.rules.clone(),
            seed: 1,
            clock: self.terms.clock(None),
            start_limit: self.terms.start_limit,
            launch: self.launch.clone(),
            interrupt: stop.clone(),
            basics_only: true,
        };
        let checked = check(&setup);
        if stop.is_noted() {
            return Ok(None);
        }
        if let Some(what) = checked.map_err(stopped)? {
            return Ok(Some(Seen::Faulty(what)));
        }
        let Some(base) = self.versions.base() else {
            return Ok(Some(Seen::Alone));
        };
        let game: Arc<dyn Game> = Arc::new(self.rules.clone());
        let trial = Trial {
            game: &game,
            readers: READERS,
            terms: &self.terms,
            launch: &self.launch,
            sandbox: self.sandbox.clone(),
            lanes: &self.lanes,
            seed: derived_seed(1, "dev", &[number.into()]),
            games: self.arguments.games,
            stop,
        };
        let record = self.versions.record(number);
        let tried = trial.run([new, version(base)?], self.opponent.as_ref(), &record)?;
        Ok(tried.map(|tried| Seen::Played(tried, base)))
    }

    /// Prints the verdict on a version in one line.
    fn tell_verdict(&self, number: u32, seen: &Seen, began: Instant) -> Result<Verdict, Failure> {
        let base = self.versions.base();
        let stays = base.map_or(String::new(), |base| format!("; v{base} stays"));
        let (verdict, what) = match seen {
            Seen::Faulty(what) => (Verdict::Rejected, format!("faulty: {what}{stays}")),
            Seen::Alone => (Verdict::Accepted, "accepted, the first version".to_owned()),
            Seen::Played(tried, base) => {
                let Tried {
                    pairs,
                    faults,
                    first_fault,
                } = tried;
                let sample = pairs.sample();
                let lead = sample.map(|sample| (sample.score, sample.interval()));
                let than = match lead {
                    Some((_, interval)) if interval.low > 0.5 => "better than",
                    Some((_, interval)) if interval.high < 0.5 => "worse than",
                    Some(_) | None => "not told apart from",
                };
                let is_worse = than == "worse than";
                let share = lead.map_or("no pair of games counts".to_owned(), |(score, range)| {
                    format!("{} ({})", percent(score), interval(&range))
                });
                let against = self.opponent.as_ref().map_or(String::new(), |opponent| {
                    format!(" against {}", opponent.name)
                });
                let faults_told = match first_fault {
                    Some(first) => format!("{} ({first})", counted(*faults, "fault")),
                    None => "no faults".to_owned(),
                };
                let is_rejected = is_worse || *faults > 0 || lead.is_none();
                let stays = if is_rejected { &*stays } else { "" };
                let games = counted(self.arguments.games.into(), "game");
                let verdict = if is_rejected {
                    Verdict::Rejected
                } else {
                    Verdict::Accepted
                };
                (
                    verdict,
                    format!("{than} v{base}{against}: {share}, {faults_told}, {games}{stays}"),
                )
            }
        };
        let took = began.elapsed().as_secs_f64();
        tell(&format!("v{number}: {what}; {took:.1} s"))?;
        if verdict == Verdict::Rejected && io::stdout().is_terminal() {
            say("\x07")?;
        }
        Ok(verdict)
    }
}
