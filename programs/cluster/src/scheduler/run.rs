//! Submits what is left of a job and waits for it, until nothing is left, or another attempt adds
//! nothing.

use std::path::Path;
use std::time::{Duration, Instant};

use bothost::Interrupt;

use super::state::Submitted;
use super::{ClusterError, Job, Scheduler, Tasks};

/// The time that a scheduler may not answer: longer than its controller needs to restart.
const UNREACHABLE: Duration = Duration::from_secs(10 * 60);

/// The first pause between two questions to a scheduler. It doubles, since controllers of large
/// clusters are busy.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// The work that the tasks of a job do.
pub(crate) trait Work {
    /// The error of the work.
    type Error: From<ClusterError>;

    /// Returns what is left to do. It is asked before anything is submitted, and whenever no task
    /// runs any more.
    ///
    /// # Errors
    /// If it cannot be found out.
    fn left(&mut self) -> Result<Left, Self::Error>;

    /// Hears what happens, in a sentence.
    fn say(&mut self, what: &str);
}

/// The rest of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// The tasks that are not done, in rising order.
    pub(crate) tasks: Vec<usize>,
    /// The progress of all tasks, in any unit: as long as it grows, the rest is submitted again.
    pub(crate) done: u64,
}

/// The outcome of waiting for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All tasks are done.
    Done,
    /// These are not, and running them again has brought nothing.
    Stuck(Vec<usize>),
    /// The user stopped it; how to continue and how to cancel, in a sentence.
    Interrupted(String),
}

/// Has `scheduler` run the tasks of `job` that are left of `work`, and waits for them. A job that
/// was submitted before is waited for first. What is left when no task runs any more is submitted
/// again, as long as that brings something: a node may have died more often than the scheduler
/// starts a task again.
///
/// # Errors
/// If the scheduler fails, or the work.
pub(crate) fn run<W: Work>(
    scheduler: &mut dyn Scheduler,
    job: &Job,
    work: &mut W,
    interrupt: &Interrupt,
) -> Result<Outcome, W::Error> {
    if let Some(submitted) = Submitted::read(&job.folder)? {
        if submitted.scheduler != scheduler.name() {
            let Submitted { scheduler, id, .. } = submitted;
            let path = Submitted::path(&job.folder);
            return Err(ClusterError::Elsewhere {
                scheduler,
                id,
                path,
            }
            .into());
        }
        work.say(&format!(
            "job {} was submitted before: waiting for it",
            submitted.id
        ));
        if let Some(left) = wait(scheduler, &submitted, work, interrupt)? {
            return Ok(Outcome::Interrupted(left));
        }
        Submitted::forget(&job.folder)?;
    }
    let mut before = None;
    loop {
        let left = work.left()?;
        if left.tasks.is_empty() {
            return Ok(Outcome::Done);
        }
        if before.is_some_and(|before| left.done <= before) {
            return Ok(Outcome::Stuck(left.tasks));
        }
        before = Some(left.done);
        let prepared = scheduler.prepare(job, &left.tasks)?;
        for note in &prepared.notes {
            work.say(note);
        }
        let id = scheduler.submit(job, &left.tasks)?;
        let submitted = Submitted {
            scheduler: scheduler.name().to_owned(),
            id,
            tasks: left.tasks.len(),
        };
        submitted.write(&job.folder)?;
        work.say(&format!("submitted job {}", submitted.id));
        if let Some(left) = wait(scheduler, &submitted, work, interrupt)? {
            return Ok(Outcome::Interrupted(left));
        }
        Submitted::forget(&job.folder)?;
    }
}

/// Checks that nothing that was submitted from `folder` may still run.
///
/// # Errors
/// If something may.
pub(crate) fn check_free(folder: &Path) -> Result<(), ClusterError> {
    match Submitted::read(folder)? {
        None => Ok(()),
        Some(Submitted { scheduler, id, .. }) => Err(ClusterError::Elsewhere {
            scheduler,
            id,
            path: Submitted::path(folder),
        }),
    }
}

/// Waits until no task runs any more; returns how to continue if the user stops it.
fn wait<W: Work>(
    scheduler: &mut dyn Scheduler,
    submitted: &Submitted,
    work: &mut W,
    interrupt: &Interrupt,
) -> Result<Option<String>, W::Error> {
    let mut seen = None;
    let mut silent_since: Option<Instant> = None;
    let mut pause = FIRST_PAUSE;
    loop {
        match scheduler.tasks(&submitted.id) {
            Ok(tasks) => {
                silent_since = None;
                if seen.as_ref() != Some(&tasks) {
                    work.say(&in_words(&tasks, submitted.tasks));
                    // It moves: what comes next may be near.
                    pause = FIRST_PAUSE;
                }
                if tasks.are_over() {
                    return Ok(None);
                }
                seen = Some(tasks);
            }
            // A controller that is restarting does not stop the tasks.
            Err(error @ (ClusterError::Failed { .. } | ClusterError::Unexpected { .. })) => {
                let since = *silent_since.get_or_insert_with(|| {
                    work.say(&format!("{error}; asking again"));
                    Instant::now()
                });
                if since.elapsed() > UNREACHABLE {
                    return Err(error.into());
                }
            }
            Err(
                error @ (ClusterError::NoProgram { .. }
                | ClusterError::Refused(_)
                | ClusterError::Elsewhere { .. }
                | ClusterError::Io { .. }),
            ) => return Err(error.into()),
        }
        match interrupt.wait(Some(pause)) {
            Ok(true) => {}
            Ok(false) => return Ok(Some(scheduler.leave(&submitted.id))),
            Err(error) => {
                let said = error.to_string();
                return Err(ClusterError::Failed {
                    command: "waiting".to_owned(),
                    said,
                }
                .into());
            }
        }
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

fn in_words(tasks: &Tasks, all: usize) -> String {
    let Tasks {
        running,
        waiting,
        reason,
    } = tasks;
    let ended = all.saturating_sub(running + waiting);
    let reason = reason
        .as_ref()
        .map(|reason| format!(" ({reason})"))
        .unwrap_or_default();
    format!("{ended} of {all} tasks ended, {running} running, {waiting} waiting{reason}")
}

#[cfg(test)]
mod tests {
    use super::super::Prepared;
    use super::super::job::example;
    use super::*;

    /// A scheduler whose tasks end at once. Each does one unit of the work if it is not broken.
    struct Instantly {
        rounds: Vec<Vec<usize>>,
    }

    impl Scheduler for Instantly {
        fn name(&self) -> &'static str {
            "instantly"
        }

        fn prepare(&self, _job: &Job, _tasks: &[usize]) -> Result<Prepared, ClusterError> {
            Ok(Prepared {
                by_hand: Vec::new(),
                notes: Vec::new(),
            })
        }

        fn submit(&mut self, _job: &Job, tasks: &[usize]) -> Result<String, ClusterError> {
            self.rounds.push(tasks.to_vec());
            Ok("1".to_owned())
        }

        fn tasks(&mut self, _id: &str) -> Result<Tasks, ClusterError> {
            Ok(Tasks::default())
        }

        fn leave(&mut self, _id: &str) -> String {
            String::new()
        }
    }

    /// The answers to the questions about what is left, in order.
    struct Script(Vec<Left>, Vec<String>);

    impl Work for Script {
        type Error = ClusterError;

        fn left(&mut self) -> Result<Left, ClusterError> {
            Ok(self.0.remove(0))
        }

        fn say(&mut self, what: &str) {
            self.1.push(what.to_owned());
        }
    }

    fn ran(folder: &std::path::Path, left: &[(&[usize], u64)]) -> (Outcome, Vec<Vec<usize>>) {
        let mut scheduler = Instantly { rounds: Vec::new() };
        let job = Job {
            folder: folder.to_owned(),
            ..example()
        };
        let left = left.iter().map(|(tasks, done)| Left {
            tasks: tasks.to_vec(),
            done: *done,
        });
        let mut work = Script(left.collect(), Vec::new());
        let outcome = run(
            &mut scheduler,
            &job,
            &mut work,
            &Interrupt::never().unwrap(),
        )
        .unwrap();
        (outcome, scheduler.rounds)
    }

    #[test]
    fn what_is_left_is_submitted_again_as_long_as_that_brings_something() {
        let folder = tempfile::tempdir().unwrap();
        let (outcome, rounds) = ran(folder.path(), &[(&[1, 2, 3], 0), (&[2], 5), (&[], 8)]);
        assert_eq!(
            (outcome, rounds),
            (Outcome::Done, vec![vec![1, 2, 3], vec![2]])
        );
        let (outcome, rounds) = ran(folder.path(), &[(&[1, 2], 0), (&[2], 5), (&[2], 5)]);
        assert_eq!(
            (outcome, rounds),
            (Outcome::Stuck(vec![2]), vec![vec![1, 2], vec![2]])
        );
        let (outcome, rounds) = ran(folder.path(), &[(&[], 8)]);
        assert_eq!((outcome, rounds), (Outcome::Done, Vec::new()));
        assert_eq!(Submitted::read(folder.path()).unwrap(), None);
    }

    #[test]
    fn a_job_of_another_scheduler_is_not_doubled() {
        let folder = tempfile::tempdir().unwrap();
        let other = Submitted {
            scheduler: "slurm".to_owned(),
            id: "12".to_owned(),
            tasks: 8,
        };
        other.write(folder.path()).unwrap();
        let job = Job {
            folder: folder.path().to_owned(),
            ..example()
        };
        let mut scheduler = Instantly { rounds: Vec::new() };
        let mut work = Script(Vec::new(), Vec::new());
        let interrupt = Interrupt::never().unwrap();
        let error = run(&mut scheduler, &job, &mut work, &interrupt)
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("job 12 of slurm was submitted for this"),
            "{error}"
        );
        assert!(scheduler.rounds.is_empty());
    }
}
