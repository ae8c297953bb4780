//! Tasks on a cluster: the cluster's own scheduler runs them, and this room writes what it needs,
//! submits it and waits.
//!
//! A [`Job`] is one command that is run several times, each time with another number. What the
//! tasks do, and when one of them is done, only the caller knows: see [`Work`]. Every task has to
//! be one that can be killed at any moment and run again, on any node, even while a forgotten copy
//! of it still runs.

mod error;
mod hyperqueue;
mod job;
mod run;
mod slurm;
mod state;
mod tool;

pub(crate) use error::ClusterError;
pub(crate) use hyperqueue::HyperQueue;
pub(crate) use job::{Job, Word};
pub(crate) use run::{Left, Outcome, Work, check_free, run};
pub(crate) use slurm::Slurm;

/// The file that a scheduler runs tasks with. People can read and change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prepared {
    /// The commands that do the same by hand.
    pub(crate) by_hand: Vec<String>,
    /// Notes, a sentence each.
    pub(crate) notes: Vec<String>,
}

/// A scheduler's report on the tasks that were submitted to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tasks {
    /// The number of tasks that run now.
    pub(crate) running: usize,
    /// The number of tasks that have yet to start.
    pub(crate) waiting: usize,
    /// The reason why those wait, in the scheduler's words, if it says.
    pub(crate) reason: Option<String>,
}

impl Tasks {
    /// Returns whether none will run any more.
    #[must_use]
    pub(crate) const fn are_over(&self) -> bool {
        self.running == 0 && self.waiting == 0
    }
}

/// A scheduler.
pub(crate) trait Scheduler {
    /// Its name, as it is typed.
    fn name(&self) -> &'static str;

    /// Writes what is needed to run `tasks` of `job`, numbers from 1 in rising order, into the
    /// folder of the job.
    ///
    /// # Errors
    /// If it cannot be written, or if this scheduler cannot run such a job.
    fn prepare(&self, job: &Job, tasks: &[usize]) -> Result<Prepared, ClusterError>;

    /// Submits what was prepared last. Returns the scheduler's name for it.
    ///
    /// # Errors
    /// If the scheduler refuses, or cannot be reached.
    fn submit(&mut self, job: &Job, tasks: &[usize]) -> Result<String, ClusterError>;

    /// Returns how the tasks that were submitted as `id` are doing. A scheduler that has forgotten
    /// them says that none runs.
    ///
    /// # Errors
    /// If it cannot be reached.
    fn tasks(&mut self, id: &str) -> Result<Tasks, ClusterError>;

    /// Stops waiting for `id`, since the user has interrupted. Returns how to continue and how to
    /// cancel, in a sentence.
    fn leave(&mut self, id: &str) -> String;
}
