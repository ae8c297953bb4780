//! A night on a cluster: its parts are tasks of a scheduler, and what they come to is put into the pool.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use class::choice::Choice;
use class::{Bot, Store};

use super::Class;
use super::play::{PlayOptions, warn_of_unchecked};
use super::shards::{Plan, merge};
use crate::cli::exit::{self, Failure};
use crate::cli::scheduler::{SchedulerPlan, stuck, write_only};
use crate::cli::{complain, listen};
use crate::cluster::{self, Job, Left, Outcome, Word, Work};
use crate::contest::Lanes;

/// The parts of a night when no option says otherwise.
const PARTS: usize = 8;

/// The most series of a night: the choice of what is worth playing grows old.
const MOST: u64 = 100_000;

/// A night in parts.
struct Night<'c> {
    class: &'c Class,
    store: Store,
    plan: Plan,
    folder: PathBuf,
}

impl Work for Night<'_> {
    type Error = Failure;

    fn left(&mut self) -> Result<Left, Failure> {
        let merged = merge(self.class, &mut self.store, &self.plan, &self.folder)?;
        Ok(Left { tasks: merged.left, done: merged.done })
    }

    fn say(&mut self, what: &str) {
        complain(what);
    }
}

/// Has a scheduler play what is missing.
pub(super) fn play_on(
    class: &Class,
    scheduler: &SchedulerPlan,
    options: &PlayOptions,
) -> Result<(), Failure> {
    let interrupt = listen()?;
    let folder = class.folder.path().join("cluster");
    let mut night = begin(class, scheduler, options, folder)?;
    if night.plan.series() == 0 {
        writeln!(io::stdout(), "nothing to play: every bot is known well enough")?;
        return forget(&night.folder);
    }
    let lanes = Lanes::new(options.jobs(class), class.terms.pin);
    let job = job(class, scheduler, &night)?;
    let mut runner = scheduler.scheduler(lanes.count(), class.terms.pin);
    if scheduler.dry_run {
        return write_only(&*runner, &job, &mut night);
    }
    let run = night.store.begin_run(runner.name(), night.plan.parts)?;
    let outcome = cluster::run(&mut *runner, &job, &mut night, &interrupt);
    night.store.end_run(run)?;
    class.write_night(&mut night.store)?;
    match outcome? {
        Outcome::Done => {}
        Outcome::Interrupted(advice) => {
            complain(&format!("{advice}; the same command goes on from there"));
            return Err(Failure::Said(exit::INTERRUPTED));
        }
        Outcome::Stuck(parts) => return Err(stuck(&job, &parts)),
    }
    forget(&night.folder)?;
    writeln!(
        io::stdout(),
        "{} series of {} parts are in the pool",
        night.plan.series(),
        night.plan.parts
    )?;
    Ok(())
}

/// Goes on with the night that was planned before, or plans one.
fn begin<'c>(
    class: &'c Class,
    scheduler: &SchedulerPlan,
    options: &PlayOptions,
    folder: PathBuf,
) -> Result<Night<'c>, Failure> {
    let store = class.store()?;
    if let Some(plan) = Plan::read(&folder)? {
        let mut night = Night { class, store, plan, folder };
        let left = night.left()?;
        if !left.tasks.is_empty() {
            let parts = left.tasks.len();
            complain(&format!("the night that was planned before goes on: {parts} parts are left"));
            return Ok(night);
        }
        forget(&night.folder)?;
        return begin(class, scheduler, options, night.folder);
    }
    let current = class.current(&store)?;
    warn_of_unchecked(class, &current);
    let pairings = store.pairings(&class.terms_key())?;
    let candidates = class.candidates(&current);
    let choice = Choice::new(class.config.play, candidates, &pairings, class.anchor(&current));
    let choice = choice.map_err(anyhow::Error::from)?;
    let bots: Vec<Bot> = current.playing().cloned().collect();
    let most = options.most().unwrap_or(MOST);
    let parts = scheduler.shards.unwrap_or(PARTS);
    let plan = Plan::new(class, choice, &bots, most, parts);
    plan.write(&folder)?;
    Ok(Night { class, store, plan, folder })
}

/// Removes what was written for a night that is in the pool.
fn forget(folder: &Path) -> Result<(), Failure> {
    cluster::check_free(folder)?;
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn job(class: &Class, scheduler: &SchedulerPlan, night: &Night<'_>) -> Result<Job, Failure> {
    let text = |word: &std::ffi::OsStr| {
        word.to_str().map(|word| Word::Same(word.to_owned())).ok_or_else(|| {
            Failure::misuse(format!("{} is not UTF-8, as --on needs it", word.display()))
        })
    };
    let same = |word: &str| Word::Same(word.to_owned());
    let parts = night.plan.parts;
    let command = vec![
        text(&scheduler.program()?)?,
        same("class"),
        same("-C"),
        text(class.folder.path().as_os_str())?,
        same("part"),
        text(night.folder.as_os_str())?,
        Word::Numbered { before: String::new(), after: format!("/{parts}") },
    ];
    Ok(Job {
        name: Job::name_from(&format!("{} {}", class.config.name, night.plan.key())),
        about: format!("{}: a night in {parts} parts, one a task.", class.config.name),
        tasks: parts,
        command,
        work_dir: class.folder.path().to_owned(),
        folder: night.folder.clone(),
        cpus: 1,
        pinned: class.terms.pin,
        options: scheduler.words.clone(),
    })
}
