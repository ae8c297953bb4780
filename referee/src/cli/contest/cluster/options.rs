//! What is typed about a cluster, and the checked plan of it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::{ContestOptions, ContestPlan};
use crate::cli::exit::Failure;
use crate::cluster::{HyperQueue, Kubernetes, Local, Scheduler, Slurm};
use crate::terms::headings;

/// More shards than this are less than one series each in any contest that is worth a cluster.
const MOST_SHARDS: usize = 100_000;

/// Options of a contest on a cluster.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub(in crate::cli) struct ClusterOptions {
    /// Have this scheduler play the contest in shards, wait for it, and merge them into the file of --out. The same command
    /// again goes on where it was
    #[arg(long, help_heading = headings::CLUSTER, value_enum, value_name = "SCHEDULER",
        requires = "out", conflicts_with_all = ["shard", "watch", "bundle", "events"])]
    on: Option<SchedulerName>,
    /// Divide the contest into so many shards [default: 8]
    #[arg(long, help_heading = headings::CLUSTER, value_name = "N", requires = "on", value_parser = shards)]
    shards: Option<usize>,
    /// Only write the script or the manifest, and print what to type
    #[arg(long, help_heading = headings::CLUSTER, requires = "on")]
    dry_run: bool,
    /// More options for sbatch or hq submit, as in "--partition=short --time=2:00:00"
    #[arg(long, help_heading = headings::CLUSTER, value_name = "WORDS", requires = "on",
        allow_hyphen_values = true)]
    scheduler_options: Option<String>,
    /// The image with the referee and the players, for Kubernetes
    #[arg(long, help_heading = headings::CLUSTER, value_name = "IMAGE", requires = "on")]
    image: Option<String>,
    /// The volume claim that the pods share with this folder, for Kubernetes
    #[arg(long, help_heading = headings::CLUSTER, value_name = "CLAIM", requires = "on")]
    volume: Option<String>,
    /// Play a shard as a task of --on: write a record of its own to this folder, after what other attempts at the shard
    /// have written there, so that two can run at once
    #[arg(long, help_heading = headings::CLUSTER, value_name = "DIR", requires = "shard",
        conflicts_with_all = ["on", "out", "force", "bundle"])]
    pub(in crate::cli::contest) attempts: Option<PathBuf>,
}

/// Who runs the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SchedulerName {
    /// A job array of Slurm
    Slurm,
    /// A task array of HyperQueue
    Hyperqueue,
    /// An indexed job of Kubernetes
    Kubernetes,
    /// Processes on this machine, --jobs at a time
    Local,
}

/// A contest on a cluster, checked as far as it can be without starting anything.
#[derive(Debug)]
pub(in crate::cli) struct ClusterPlan {
    pub(super) on: SchedulerName,
    pub(super) shards: Option<usize>,
    pub(super) dry_run: bool,
    pub(super) options: Vec<String>,
    image: Option<String>,
    volume: Option<String>,
    /// Games that a task plays at the same time; `None` for the usual.
    jobs: Option<usize>,
}

impl ClusterPlan {
    /// Returns the plan of `options`; `None` if they ask for none.
    ///
    /// # Errors
    /// If they contradict each other.
    pub(in crate::cli::contest) fn new(
        options: &ContestOptions,
    ) -> Result<Option<ClusterPlan>, Failure> {
        let ClusterOptions { on, shards, dry_run, scheduler_options, image, volume, .. } =
            &options.cluster;
        let Some(on) = *on else { return Ok(None) };
        // These may be in a file.
        for (option, given) in [
            ("--events", options.events),
            ("--bundle", options.bundle.is_some()),
            ("--shard", options.shard.is_some()),
        ] {
            if given {
                let what = format!("--on plays in other processes; leave {option} out");
                return Err(Failure::misuse(what));
            }
        }
        let words = scheduler_options.as_deref().unwrap_or_default();
        let words = shlex::split(words).ok_or_else(|| {
            Failure::misuse("--scheduler-options: a quotation mark has no partner")
        })?;
        let is_kubernetes = on == SchedulerName::Kubernetes;
        for (option, value) in [("--image", image), ("--volume", volume)] {
            if is_kubernetes != value.is_some() {
                let what = if is_kubernetes {
                    format!("--on kubernetes needs {option}")
                } else {
                    format!("{option} is for --on kubernetes")
                };
                return Err(Failure::misuse(what));
            }
        }
        if on == SchedulerName::Local && !words.is_empty() {
            return Err(Failure::misuse("--scheduler-options: --on local has no scheduler"));
        }
        Ok(Some(ClusterPlan {
            on,
            shards: *shards,
            dry_run: *dry_run,
            options: words,
            image: image.clone(),
            volume: volume.clone(),
            jobs: options.jobs.map(usize::from),
        }))
    }

    pub(super) fn scheduler(&self, plan: &ContestPlan) -> Box<dyn Scheduler> {
        match self.on {
            SchedulerName::Slurm => Box::new(Slurm { files_only: self.dry_run }),
            SchedulerName::Hyperqueue => Box::new(HyperQueue),
            SchedulerName::Kubernetes => Box::new(Kubernetes {
                image: self.image.clone().unwrap_or_default(),
                volume: self.volume.clone().unwrap_or_default(),
            }),
            SchedulerName::Local => Box::new(Local::new(plan.lanes.count(), plan.terms.pin)),
        }
    }

    /// Returns how many games a task plays at the same time.
    pub(super) fn jobs_of_task(&self) -> usize {
        match self.on {
            // There --jobs is how many tasks run at a time.
            SchedulerName::Local => 1,
            SchedulerName::Slurm | SchedulerName::Hyperqueue | SchedulerName::Kubernetes => {
                self.jobs.unwrap_or(1)
            }
        }
    }
}

fn shards(text: &str) -> Result<usize, String> {
    let shards = text.parse().ok().filter(|shards| (1..=MOST_SHARDS).contains(shards));
    shards.ok_or_else(|| format!("expected a whole number from 1 to {MOST_SHARDS}"))
}
