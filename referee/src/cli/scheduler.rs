//! Schedulers of clusters, as they are typed: what has its parts played by one shares these options.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Deserializer};

use super::complain;
use super::exit::Failure;
use engine::cluster::{HyperQueue, Job, Local, Scheduler, Slurm, Work};
use engine::system;
use engine::terms::{headings, number_as_typed};

/// More shards than this are less than one series each in anything that is worth a cluster.
const MOST_SHARDS: usize = 100_000;

/// The number of lines that are shown of the output of a task that is stuck.
const LINES_SHOWN: usize = 3;

/// The number of stuck tasks that are shown.
const STUCK_SHOWN: usize = 3;

/// Options of what is played on a cluster.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct SchedulerOptions {
    /// Have this scheduler play in shards, wait for it, and merge their results. The same command again continues where it
    /// was
    #[arg(long, help_heading = headings::CLUSTER, value_enum, value_name = "SCHEDULER", hide_short_help = true)]
    #[serde(skip)]
    on: Option<SchedulerName>,
    /// Divide the contest into this many shards [default: 8]
    #[arg(long, help_heading = headings::CLUSTER, value_name = "N", requires = "on", value_parser = shards, hide_short_help = true)]
    #[serde(deserialize_with = "shards_in_file")]
    shards: Option<usize>,
    /// Only write the script, and print the commands to run
    #[arg(long, help_heading = headings::CLUSTER, requires = "on", hide_short_help = true)]
    #[serde(skip)]
    dry_run: bool,
    /// More options for sbatch or hq submit, as in "--partition=short --time=2:00:00"
    #[arg(long = "scheduler-options", help_heading = headings::CLUSTER, value_name = "WORDS",
        requires = "on", allow_hyphen_values = true, hide_short_help = true)]
    #[serde(rename = "scheduler-options")]
    words: Option<String>,
}

/// The scheduler of the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SchedulerName {
    /// A job array of Slurm
    Slurm,
    /// A task array of HyperQueue
    Hyperqueue,
    /// Processes on this machine, --jobs at a time
    Local,
}

impl SchedulerOptions {
    /// Returns these options with the settings of the machine where this has none, as far as the scheduler has them.
    pub(super) fn over_settings(self, below: SchedulerOptions) -> SchedulerOptions {
        let Some(on) = self.on else { return self };
        SchedulerOptions {
            shards: self.shards.or(below.shards),
            words: self
                .words
                .or(below.words.filter(|_| on != SchedulerName::Local)),
            ..self
        }
    }
}

/// A scheduler, and what it is to be told.
#[derive(Clone, Debug)]
pub(super) struct SchedulerPlan {
    on: SchedulerName,
    pub(super) shards: Option<usize>,
    pub(super) dry_run: bool,
    /// More options for it, a word each.
    pub(super) words: Vec<String>,
}

impl SchedulerPlan {
    /// Returns the plan of `options`; `None` if they ask for none.
    ///
    /// # Errors
    /// If they contradict each other.
    pub(super) fn new(options: &SchedulerOptions) -> Result<Option<SchedulerPlan>, Failure> {
        let SchedulerOptions {
            on,
            shards,
            dry_run,
            words,
        } = options;
        let Some(on) = *on else { return Ok(None) };
        let words = words.as_deref().unwrap_or_default();
        let words = shlex::split(words).ok_or_else(|| {
            Failure::misuse("--scheduler-options: a quotation mark is not closed")
        })?;
        if on == SchedulerName::Local && !words.is_empty() {
            return Err(Failure::misuse(
                "--scheduler-options: --on local has no scheduler",
            ));
        }
        Ok(Some(SchedulerPlan {
            on,
            shards: *shards,
            dry_run: *dry_run,
            words,
        }))
    }

    /// Returns the scheduler. That of this machine plays on this many lanes, each on a core of its own if they are `pinned`.
    pub(super) fn scheduler(&self, lanes: usize, pinned: bool) -> Box<dyn Scheduler> {
        match self.on {
            SchedulerName::Slurm => Box::new(Slurm {
                files_only: self.dry_run,
            }),
            SchedulerName::Hyperqueue => Box::new(HyperQueue),
            SchedulerName::Local => Box::new(Local::new(lanes, pinned)),
        }
    }

    /// Returns whether it is this machine.
    pub(super) fn is_local(&self) -> bool {
        self.on == SchedulerName::Local
    }
}

/// Writes the files of `job`, and says what to type.
pub(super) fn write_only<W: Work>(
    scheduler: &dyn Scheduler,
    job: &Job,
    work: &mut W,
) -> Result<(), Failure>
where
    Failure: From<W::Error>,
{
    let left = work.left()?.tasks;
    if left.is_empty() {
        complain("nothing is left to play; without --dry-run the same command merges the shards");
        return Ok(());
    }
    let prepared = scheduler.prepare(job, &left)?;
    for note in &prepared.notes {
        complain(note);
    }
    complain("run these commands, then this command again without --dry-run to merge the shards:");
    let mut out = io::stdout().lock();
    for line in &prepared.by_hand {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the failure of a job of which these tasks are left, with what they said last.
pub(super) fn stuck(job: &Job, tasks: &[usize]) -> Failure {
    let numbers: Vec<String> = tasks.iter().map(ToString::to_string).collect();
    let mut what = format!(
        "of {} shards these are not complete, and running them again changed nothing: {}",
        job.tasks,
        numbers.join(", ")
    );
    for task in tasks.iter().take(STUCK_SHOWN) {
        let log = job.log(*task);
        let lines = last_lines(&log).unwrap_or_default();
        if !lines.is_empty() {
            what = format!("{what}\n{}:\n  {}", log.display(), lines.join("\n  "));
        }
    }
    Failure::Fault(anyhow::Error::msg(what))
}

/// Returns a name for an attempt that no other attempt has.
pub(super) fn attempt_name() -> String {
    // The number of a process is unique on a node at a time.
    let host = system::host_name();
    let host: String = host
        .chars()
        .filter(|char| char.is_ascii_alphanumeric() || *char == '-')
        .collect();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!(
        "{host}-{}-{}",
        std::process::id(),
        since.unwrap_or_default().as_millis()
    )
}

fn last_lines(file: &Path) -> io::Result<Vec<String>> {
    let mut last = std::collections::VecDeque::new();
    for line in BufReader::new(std::fs::File::open(file)?).split(b'\n') {
        last.push_back(String::from_utf8_lossy(&line?).into_owned());
        if last.len() > LINES_SHOWN {
            last.pop_front();
        }
    }
    Ok(last.into())
}

fn shards(text: &str) -> Result<usize, String> {
    let shards = text
        .parse()
        .ok()
        .filter(|shards| (1..=MOST_SHARDS).contains(shards));
    shards.ok_or_else(|| format!("expected a whole number from 1 to {MOST_SHARDS}"))
}

fn shards_in_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<usize>, D::Error> {
    number_as_typed::<_, i64, _>(from, shards)
}
