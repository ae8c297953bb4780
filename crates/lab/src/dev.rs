//! A bot is built on every save, checked, and played against its last accepted version.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use arena::game::{Entrant, Stopped, derived_seed};
use arena::judge::Judge;
use arena::system::{quoted, split_words};
use arena::words::{counted, interval, percent};
use battleship::Rules;
use bothost::{BotProgram, Interrupt, Launch, RunEnd, RunLimits, run_to_end, text};
use check::{CheckSetup, Outcome, check_bot};
use kits::Recipe;

use crate::LabError;
use crate::trial::{Bench, Tried};
use crate::versions::Versions;
use crate::watch::{Contents, Watch};

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

/// A bot that is judged, and its judges.
#[allow(missing_debug_implementations, reason = "closures have no text")]
pub struct Dev<'d> {
    /// The bot.
    pub source: BotSource,
    /// The versions of the bot.
    pub versions: Versions,
    /// The rules of Battleship.
    pub rules: Rules,
    /// The judge, if one knows the game instead.
    pub judge: Option<Judge>,
    /// The settings of all games.
    pub bench: Bench,
    /// The games of each new version, an even number.
    pub games: u32,
    /// The player that both versions play against, instead of one another.
    pub opponent: Option<Entrant>,
    /// Whether the bot is judged as it is now, and not again.
    pub once: bool,
    /// Returns the player that a command starts.
    pub player: &'d dyn Fn(&str) -> Result<Entrant, LabError>,
    /// Prints a piece of text at once.
    pub print: fn(&str) -> io::Result<()>,
    /// Whether a rejected version rings the bell of the terminal.
    pub rings: bool,
}

/// The folder of a bot, and how the bot in it is built and started.
#[derive(Debug)]
pub struct BotSource {
    folder: PathBuf,
    /// The command that starts the bot there, if that was typed.
    run: Option<String>,
}

impl BotSource {
    /// Returns the folder `bot`, or the folder in which the command `bot` starts a file.
    ///
    /// # Errors
    /// If `bot` names neither.
    pub fn of(
        bot: &str,
        player: &dyn Fn(&str) -> Result<Entrant, LabError>,
    ) -> Result<BotSource, LabError> {
        let mut run = None;
        let folder = if Path::new(bot).is_dir() {
            bot.into()
        } else {
            let Entrant {
                program, shipped, ..
            } = player(bot)?;
            let command = program.command_line;
            if let Some(folder) = program.folder {
                run = Some(command);
                folder
            } else {
                let mut words = split_words(&command).unwrap_or_default();
                let script = words
                    .iter_mut()
                    .rfind(|word| !shipped && Path::new(word).is_file());
                let Some(script) = script else {
                    return Err(LabError::Misuse(format!(
                        "{command} names neither a folder nor the file of a bot; name its folder, as in referee dev mybot"
                    )));
                };
                let path = Path::new(".").join(&*script);
                *script = format!("./{}", path.file_name().unwrap_or_default().display());
                run = Some(quoted(&words));
                path.parent().unwrap_or(&path).to_owned()
            }
        };
        let folder = folder.canonicalize()?;
        Ok(BotSource { folder, run })
    }

    /// Opens the versions of the bot.
    ///
    /// # Errors
    /// As [`Versions::open`].
    pub fn versions(&self) -> Result<Versions, LabError> {
        Versions::open(&self.folder)
    }

    /// Returns the recipe that builds and starts the bot, by the files that it has now.
    ///
    /// # Errors
    /// If they are not those of a bot.
    pub fn recipe(&self) -> Result<Recipe, LabError> {
        self.recipe_in(&self.folder)
    }

    fn recipe_in(&self, folder: &Path) -> Result<Recipe, LabError> {
        let recipe = Recipe::of_own_bot(folder);
        let Some(run) = &self.run else {
            return recipe.map_err(LabError::Misuse);
        };
        let (kind, build) = match recipe {
            Ok(recipe) => (recipe.kind, recipe.build),
            Err(_) => ("a command", None),
        };
        Ok(Recipe {
            kind,
            build,
            run: run.clone(),
            course: None,
        })
    }
}

/// The verdict on a bot: whether it is accepted, and the reasons.
type Verdict = (bool, String);

impl Dev<'_> {
    /// Judges the bot as it is, and then on every save, unless it is to be judged once. `bot` is
    /// the word for it, and `kind` what it is.
    ///
    /// # Errors
    /// If the bot that is judged once is rejected, if the user interrupts, or if the machine fails.
    pub fn run(&self, bot: &str, kind: &str) -> Result<(), LabError> {
        let mut watch = Watch::new(&self.source.folder);
        let mut known = watch
            .look()
            .map_err(|error| LabError::Misuse(error.to_string()))?;
        if !self.once {
            self.tell(&format!("watching {bot} ({kind}); Ctrl-C ends"))?;
        }
        loop {
            match self.judge(&mut watch, &mut known) {
                Ok(true) if self.once => return Ok(()),
                Ok(false) if self.once => return Err(LabError::Rejected),
                Ok(_) => {}
                // The next save may fix it.
                Err(LabError::Misuse(what)) if !self.once => self.tell(&what)?,
                Err(error) => return Err(error),
            }
            let mut failed = 0;
            known = loop {
                match watch.change(&known) {
                    Ok(Some(now)) => break now,
                    Ok(None) => failed = 0,
                    // For a moment a file that is being saved may be one that cannot be read.
                    Err(error) => {
                        failed += 1;
                        if failed == LOOKS_IN_VAIN {
                            self.tell(&error.to_string())?;
                        }
                    }
                }
                if !self.bench.interrupt.wait(Some(PAUSE))? {
                    return Err(LabError::Interrupted);
                }
            };
        }
    }

    /// Prints a line, whatever a bot or a compiler has put into it.
    fn tell(&self, line: &str) -> io::Result<()> {
        (self.print)(&(text::shown(line.as_bytes()) + "\n"))
    }

    /// Judges the bot as it is, and prints the result. Returns whether it is accepted, which it is
    /// not if it was saved meanwhile. `known`, the files of its folder, follows what is saved
    /// during its build.
    fn judge(&self, watch: &mut Watch, known: &mut Contents) -> Result<bool, LabError> {
        let began = Instant::now();
        let recipe = match self.source.recipe() {
            Ok(recipe) => recipe,
            Err(why) => {
                self.tell(&why.to_string())?;
                return Ok(false);
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
            for line in lines {
                self.tell(&line)?;
            }
            return Ok(false);
        }
        let Some(number) = self.versions.copy()? else {
            let base = self.versions.base().unwrap_or_default();
            self.tell(&format!("this is v{base}, which was accepted"))?;
            return Ok(true);
        };
        let verdict = self.try_until_saved(number, watch, known);
        if let Ok(Some((true, _))) = verdict {
            self.versions.accept(number)?;
        } else {
            self.versions.remove(number)?;
        }
        let Some((is_accepted, mut what)) = verdict? else {
            return Ok(false);
        };
        if let Some(base) = self.versions.base().filter(|_| !is_accepted) {
            what = format!("{what}; v{base} stays");
        }
        let took = began.elapsed().as_secs_f64();
        self.tell(&format!("v{number}: {what}; {took:.1} s"))?;
        if !is_accepted && self.rings {
            (self.print)("\x07")?;
        }
        Ok(is_accepted)
    }

    /// Builds the bot in its folder. Returns the lines about a failure.
    fn build(&self, build: &str) -> Result<Option<Vec<String>>, LabError> {
        let program = BotProgram {
            file: "sh".into(),
            arguments: vec!["-c".into(), format!("exec >&2\n{build}").into()],
            folder: Some(self.source.folder.clone()),
            command_line: build.to_owned(),
            ..BotProgram::default()
        };
        // It is the author's own program on the author's own machine.
        let launch = Launch {
            sandbox: None,
            pinned: false,
            ponder: true,
            ..self.bench.launch.clone()
        };
        let interrupt = &self.bench.interrupt;
        let result = run_to_end(&program, &launch, BUILD, &mut io::sink(), interrupt)?;
        let why = match result.end {
            RunEnd::NotStarted(error) => return Ok(Some(vec![error.to_string()])),
            RunEnd::Exited(status) if status.success() => return Ok(None),
            RunEnd::Interrupted => return Err(LabError::Interrupted),
            RunEnd::Exited(status) => status.to_string(),
            RunEnd::TooLong => "it took too long".to_owned(),
            RunEnd::TooMuchOutput => "it said too much".to_owned(),
            RunEnd::UsedTooMuch(what) => what,
        };
        let log = String::from_utf8_lossy(&result.log);
        let skipped = log.lines().count().saturating_sub(LAST_LINES);
        let lines = log.lines().skip(skipped);
        let mut lines: Vec<_> = lines.map(|line| text::cut(line, LONGEST_LINE)).collect();
        let waits = if self.once {
            ""
        } else {
            "; waiting for the next save"
        };
        lines.push(format!("the build failed ({build}): {why}{waits}"));
        Ok(Some(lines))
    }

    /// Tries a version until the bot is saved or Ctrl-C comes: `None` then.
    fn try_until_saved(
        &self,
        number: u32,
        watch: &mut Watch,
        known: &Contents,
    ) -> Result<Option<Verdict>, LabError> {
        let interrupt = &self.bench.interrupt;
        let once = self.once;
        let stop = &Arc::new(Interrupt::never()?);
        let tried = thread::scope(|scope| {
            let watcher = scope.spawn(move || -> io::Result<()> {
                while stop.wait(Some(PAUSE))? {
                    // A file that cannot be read now is looked at again when there is time.
                    let is_saved = !once && matches!(watch.change(known), Ok(Some(_)));
                    if interrupt.is_noted() || is_saved {
                        stop.note();
                    }
                }
                Ok(())
            });
            let tried = self.try_out(number, stop);
            let is_stopped = stop.is_noted();
            stop.note();
            watcher.join().expect("it does not panic")?;
            if is_stopped { Ok(None) } else { tried }
        });
        if interrupt.is_noted() {
            return Err(LabError::Interrupted);
        }
        tried
    }

    /// Checks a version, and plays it against the last one that was accepted. Returns `None` if
    /// that was stopped.
    fn try_out(&self, number: u32, stop: &Arc<Interrupt>) -> Result<Option<Verdict>, LabError> {
        let new = self.version(number)?;
        let setup = CheckSetup {
            player: new.clone(),
            rules: self.rules.clone(),
            judge: self.judge.clone(),
            max_turns: self.bench.terms.max_turns,
            retries: self.bench.terms.retries,
            seed: 1,
            clock: self.bench.terms.clock(None),
            start_limit: self.bench.terms.start_limit,
            launch: self.bench.launch.clone(),
            interrupt: stop.clone(),
            basics_only: true,
        };
        let report = match check_bot(&setup, &mut |_| Ok(())) {
            Ok(report) => report,
            Err(_) if stop.is_noted() => return Ok(None),
            Err(Stopped::Ended(ending)) => return Err(io::Error::other(ending.what).into()),
            Err(Stopped::Failed(error)) => return Err(error.into()),
        };
        if let Some(step) = report
            .steps
            .iter()
            .find(|step| step.outcome == Outcome::Fail)
        {
            let what = step.finding.as_ref().map_or("", |finding| &finding.what);
            let what = format!("faulty: {what} (step {} of referee check)", step.number);
            return Ok(Some((false, what)));
        }
        let Some(base) = self.versions.base() else {
            let what = "accepted, the first version".to_owned();
            return Ok(Some((true, what)));
        };
        let tried = self.bench.run_trial(
            [new, self.version(base)?],
            self.opponent.as_ref(),
            derived_seed(1, "dev", &[number.into()]),
            self.games,
            &self.versions.record(number),
            stop,
        )?;
        Ok(tried.map(|tried| self.compare(&tried, base)))
    }

    /// Returns the player of a version. The files of each version say how it is started.
    fn version(&self, number: u32) -> Result<Entrant, LabError> {
        let folder = self.versions.version(number);
        let recipe = self.source.recipe_in(&folder)?;
        let mut player = (self.player)(&recipe.run)?;
        player.name = format!("v{number}");
        player.dir = Some(folder.to_string_lossy().into_owned());
        player.program.folder = Some(folder);
        Ok(player)
    }

    /// Returns the verdict on a version that has played against the version `base`, and its
    /// reasons.
    fn compare(&self, tried: &Tried, base: u32) -> Verdict {
        let mut is_accepted = false;
        let mut than = "not told apart from";
        let mut share = "no pair of games counts".to_owned();
        if let Some(sample) = tried.pairs.sample() {
            let range = sample.interval();
            share = format!("{} ({})", percent(sample.score), interval(&range));
            if range.high < 0.5 {
                than = "worse than";
            } else if tried.faults == 0 {
                is_accepted = true;
            }
            if range.low > 0.5 {
                than = "better than";
            }
        }
        let against = match &self.opponent {
            Some(opponent) => format!(" against {}", opponent.name),
            None => String::new(),
        };
        let faults = match &tried.first_fault {
            Some(first) => format!("{} ({first})", counted(tried.faults, "fault")),
            None => "no faults".to_owned(),
        };
        let games = counted(self.games.into(), "game");
        (
            is_accepted,
            format!("{than} v{base}{against}: {share}, {faults}, {games}"),
        )
    }
}
