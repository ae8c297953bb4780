//! The options of a contest on a cluster, and the checked plan of it.

use std::path::PathBuf;

use clap::Args;

use super::super::{ContestOptions, ContestPlan};
use crate::cli::exit::Failure;
use crate::cli::scheduler::{SchedulerOptions, SchedulerPlan};
use engine::cluster::Scheduler;
use engine::terms::headings;

/// Options of a contest on a cluster.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub(in crate::cli) struct ClusterOptions {
    #[command(flatten)]
    scheduler: SchedulerOptions,
    /// Play a shard as a task of --on: write a record of its own to this folder, after what other attempts at the shard
    /// have written there, so that two can run at once
    #[arg(long, help_heading = headings::CLUSTER, value_name = "DIR", requires = "shard",
        conflicts_with_all = ["on", "out", "force", "bundle"], hide_short_help = true)]
    pub(in crate::cli::contest) attempts: Option<PathBuf>,
}

impl ClusterOptions {
    /// Returns these options with the settings of the machine where this has none.
    pub(in crate::cli::contest) fn over_settings(self, below: SchedulerOptions) -> ClusterOptions {
        ClusterOptions {
            scheduler: self.scheduler.over_settings(below),
            ..self
        }
    }
}

/// A contest on a cluster, checked as far as it can be without starting anything.
#[derive(Debug)]
pub(in crate::cli) struct ClusterPlan {
    pub(super) scheduler: SchedulerPlan,
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
        let Some(scheduler) = SchedulerPlan::new(&options.cluster.scheduler)? else {
            return Ok(None);
        };
        // Some of these may be in a file.
        for (option, given) in [
            ("--events", options.listeners.events),
            ("--bundle", options.listeners.bundle.is_some()),
            ("--shard", options.shard.is_some()),
            ("--watch", options.listeners.watch),
        ] {
            if given {
                let what = format!("--on plays in other processes; leave {option} out");
                return Err(Failure::misuse(what));
            }
        }
        if options.out.is_none() {
            return Err(Failure::misuse("--on: name the record with --out FILE"));
        }
        Ok(Some(ClusterPlan {
            scheduler,
            jobs: options.jobs.map(usize::from),
        }))
    }

    pub(super) fn scheduler(&self, plan: &ContestPlan) -> Box<dyn Scheduler> {
        self.scheduler.scheduler(plan.lanes.count(), plan.terms.pin)
    }

    /// Returns how many games a task plays at the same time.
    pub(super) fn jobs_of_task(&self) -> usize {
        // On this machine --jobs is how many tasks run at a time.
        if self.scheduler.is_local() {
            1
        } else {
            self.jobs.unwrap_or(1)
        }
    }
}
