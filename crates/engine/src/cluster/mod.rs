//! Tasks on a cluster: the cluster's own scheduler runs them, and this room writes what it needs, submits it and waits.
//!
//! A [`Job`] is one command that is run several times, each time with another number. What the tasks do, and when one of
//! them is done, only the caller knows: see [`Work`]. Every task has to be one that can be killed at any moment and run
//! again, on any node, even while a forgotten copy of it still runs.

mod error;
mod hyperqueue;
mod job;
mod local;
mod run;
mod slurm;
mod state;
mod tool;

pub use error::ClusterError;
pub use hyperqueue::HyperQueue;
pub use job::{Job, Word};
pub use local::Local;
pub use run::{Left, Outcome, Work, check_free, run};
pub use slurm::Slurm;

use std::time::Duration;

/// The file that a scheduler runs tasks with. People can read and change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The commands that do the same by hand.
    pub by_hand: Vec<String>,
    /// Notes, a sentence each.
    pub notes: Vec<String>,
}

/// A scheduler's report on the tasks that were submitted to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tasks {
    /// The number of tasks that run now.
    pub running: usize,
    /// The number of tasks that have yet to start.
    pub waiting: usize,
    /// The reason why those wait, in the scheduler's words, if it says.
    pub reason: Option<String>,
}

impl Tasks {
    /// Returns whether none will run any more.
    #[must_use]
    pub const fn are_over(&self) -> bool {
        self.running == 0 && self.waiting == 0
    }
}

/// A scheduler.
pub trait Scheduler {
    /// Its name, as it is typed.
    fn name(&self) -> &'static str;

    /// Writes what is needed to run `tasks` of `job`, numbers from 1 in rising order, into the folder of the job.
    ///
    /// # Errors
    /// If it cannot be written, or if this scheduler cannot run such a job.
    fn prepare(&self, job: &Job, tasks: &[usize]) -> Result<Prepared, ClusterError>;

    /// Submits what was prepared last. Returns the scheduler's name for it.
    ///
    /// # Errors
    /// If the scheduler refuses, or cannot be reached.
    fn submit(&mut self, job: &Job, tasks: &[usize]) -> Result<String, ClusterError>;

    /// Returns how the tasks that were submitted as `id` are doing. A scheduler that has forgotten them says that none runs.
    ///
    /// # Errors
    /// If it cannot be reached.
    fn tasks(&mut self, id: &str) -> Result<Tasks, ClusterError>;

    /// Stops waiting for `id`, since the user has interrupted. Returns how to continue and how to cancel, in a sentence.
    fn leave(&mut self, id: &str) -> String;

    /// Returns how long to wait between two questions, at most.
    fn longest_pause(&self) -> Duration {
        Duration::from_secs(15)
    }

    /// Returns whether tasks continue without this process.
    fn outlives(&self) -> bool {
        true
    }
}
