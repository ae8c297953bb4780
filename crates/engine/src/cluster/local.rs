//! This machine: tasks as processes, some of them at a time.

use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bothost::pin;

use super::job::quoted;
use super::{ClusterError, Job, Prepared, Scheduler, Tasks};
use crate::system;

/// This machine.
#[derive(Debug)]
pub struct Local {
    /// The places where a task can run, each for one at a time.
    places: Vec<TaskSlot>,
    queue: VecDeque<(usize, Vec<String>)>,
    job: Option<Job>,
}

#[derive(Debug)]
struct TaskSlot {
    /// The first of the cores that are its own, if it is bound.
    core: Option<usize>,
    child: Option<Child>,
}

impl Local {
    /// Returns this machine, on which `at_once` tasks run at a time; each on a core of its own, if they are `pinned`.
    #[must_use]
    pub fn new(at_once: usize, pinned: bool) -> Local {
        let cores = if pinned { pin::cores() } else { Vec::new() };
        let core = |place: usize| cores.get(place % cores.len().max(1)).copied();
        let place = |place| TaskSlot {
            core: core(place),
            child: None,
        };
        Local {
            places: (0..at_once.max(1)).map(place).collect(),
            queue: VecDeque::new(),
            job: None,
        }
    }

    /// Starts tasks where a place is free.
    fn start(&mut self) -> Result<(), ClusterError> {
        let Some(job) = &self.job else { return Ok(()) };
        for place in self.places.iter_mut().filter(|place| place.child.is_none()) {
            let Some((task, words)) = self.queue.pop_front() else {
                break;
            };
            place.child = Some(start(job, task, &words, place.core)?);
        }
        Ok(())
    }
}

fn start(
    job: &Job,
    task: usize,
    words: &[String],
    core: Option<usize>,
) -> Result<Child, ClusterError> {
    let log = job.log(task);
    let output = OpenOptions::new().append(true).create(true).open(&log);
    let output = output.map_err(ClusterError::io(&log))?;
    let errors = output.try_clone().map_err(ClusterError::io(&log))?;
    let (program, arguments) = words.split_first().ok_or_else(|| {
        ClusterError::Refused("a task without a command cannot be started".to_owned())
    })?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(&job.work_dir)
        .stdin(Stdio::null());
    command.stdout(output).stderr(errors);
    // Ctrl-C reaches it through `leave` alone: the second signal would end it in the middle of a game.
    system::out_of_reach_of_ctrl_c(&mut command);
    let spawn = move || {
        // A process inherits the cores of the thread that starts it, and this thread ends here.
        if let Some(core) = core {
            let _ = pin::to_core(core);
        }
        command.spawn()
    };
    let child = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, spawn)?;
        thread
            .join()
            .unwrap_or_else(|_| Err(std::io::Error::other("starting it failed")))
    });
    child.map_err(|error| ClusterError::Failed {
        command: program.clone(),
        said: error.to_string(),
    })
}

impl Scheduler for Local {
    fn name(&self) -> &'static str {
        "local"
    }

    fn longest_pause(&self) -> Duration {
        Duration::from_millis(200)
    }

    fn outlives(&self) -> bool {
        false
    }

    fn prepare(&self, job: &Job, tasks: &[usize]) -> Result<Prepared, ClusterError> {
        job.make_logs()?;
        let line = |task: &usize| {
            job.words(*task)
                .iter()
                .map(|word| quoted(word))
                .collect::<Vec<_>>()
                .join(" ")
        };
        Ok(Prepared {
            by_hand: tasks.iter().map(line).collect(),
            notes: Vec::new(),
        })
    }

    fn submit(&mut self, job: &Job, tasks: &[usize]) -> Result<String, ClusterError> {
        self.queue = tasks.iter().map(|task| (*task, job.words(*task))).collect();
        self.job = Some(job.clone());
        self.start()?;
        Ok(std::process::id().to_string())
    }

    fn tasks(&mut self, _id: &str) -> Result<Tasks, ClusterError> {
        for place in &mut self.places {
            let Some(child) = &mut place.child else {
                continue;
            };
            // Its exit status does not matter: the files that it has written tell what is done.
            if !matches!(child.try_wait(), Ok(None)) {
                place.child = None;
            }
        }
        self.start()?;
        let running = self
            .places
            .iter()
            .filter(|place| place.child.is_some())
            .count();
        Ok(Tasks {
            running,
            waiting: self.queue.len(),
            reason: None,
        })
    }

    fn leave(&mut self, _id: &str) -> String {
        self.stop();
        "all tasks have been stopped".to_owned()
    }
}

impl Local {
    /// Asks all tasks to stop in good order, and waits for them.
    fn stop(&mut self) {
        self.queue.clear();
        for child in self
            .places
            .iter_mut()
            .filter_map(|place| place.child.as_mut())
        {
            system::ask_to_stop(child);
        }
        let children = self
            .places
            .iter_mut()
            .filter_map(|place| place.child.take());
        for mut child in children {
            // It has ended or cannot be waited for; neither keeps the others.
            let _ = child.wait();
        }
    }
}

/// A failure of this process does not leave tasks behind.
impl Drop for Local {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::Word;
    use super::super::job::example;
    use super::*;

    #[test]
    fn some_tasks_run_at_a_time_and_all_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let same = |word: &str| Word::Same(word.to_owned());
        let numbered = Word::Numbered {
            before: "echo this is ".to_owned(),
            after: String::new(),
        };
        let job = Job {
            command: vec![same("sh"), same("-c"), numbered],
            folder: folder.path().to_owned(),
            work_dir: folder.path().to_owned(),
            ..example()
        };
        let mut local = Local::new(2, true);
        local.prepare(&job, &[1, 2, 5]).unwrap();
        let id = local.submit(&job, &[1, 2, 5]).unwrap();
        assert_eq!(local.queue.len(), 1);
        while !local.tasks(&id).unwrap().are_over() {
            std::thread::yield_now();
        }
        for task in [1, 2, 5] {
            let log = std::fs::read_to_string(job.log(task)).unwrap();
            assert_eq!(log, format!("this is {task}\n"));
        }
        assert!(!job.log(3).exists());
    }
}
