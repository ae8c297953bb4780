//! `HyperQueue`: tasks as a task array.

use std::fmt::Write;

use serde::Deserialize;

use super::job::{plain, quoted, ranges};
use super::tool::{Tool, unexpected};
use super::{ClusterError, Job, Prepared, Scheduler, Tasks};

/// Number of times that a task may lose its worker before it counts as failed.
const CRASHES: &str = "20";

/// `HyperQueue`, by its command `hq`.
#[derive(Debug)]
pub(crate) struct HyperQueue;

/// The output of `hq submit`.
#[derive(Deserialize)]
struct Submitted {
    id: u64,
}

/// A job in the output of `hq job info`.
#[derive(Deserialize)]
struct Described {
    info: Info,
}

#[derive(Deserialize)]
struct Info {
    task_stats: Stats,
}

#[derive(Deserialize)]
struct Stats {
    running: usize,
    waiting: usize,
}

/// Returns the arguments of `hq` that submit `tasks`.
fn arguments(job: &Job, tasks: &[usize]) -> Result<Vec<String>, ClusterError> {
    let file = job.file("hq.sh");
    let mut words = vec!["submit".to_owned()];
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
    option("--name", &job.name);
    option("--array", &ranges(tasks));
    option("--cpus", &job.cpus.to_string());
    if job.pinned {
        // Otherwise two tasks of a worker would bind themselves to the same core.
        option("--pin", "taskset");
    }
    option("--crash-limit", CRASHES);
    option("--cwd", plain(&job.work_dir)?);
    // The script keeps its output itself: here a restart would empty the file.
    option("--stdout", "none");
    option("--stderr", "none");
    words.extend(job.options.iter().cloned());
    words.extend(["--", "/bin/sh", plain(&file)?].map(ToOwned::to_owned));
    Ok(words)
}

/// Returns the command that submits `tasks`, as a person types it.
fn by_hand(job: &Job, tasks: &[usize]) -> Result<String, ClusterError> {
    let words: Vec<String> = arguments(job, tasks)?
        .iter()
        .map(|word| quoted(word))
        .collect();
    Ok(format!("hq {}", words.join(" ")))
}

fn script(job: &Job, tasks: &[usize]) -> Result<String, ClusterError> {
    let logs = job.logs();
    let mut text = format!("#!/bin/sh\n{}", job.heading(&[]));
    let _ = write!(
        text,
        "# One task of the array that this submits:
#   {}
task=$HQ_TASK_ID
exec >>\"{}/$task.log\" 2>&1
exec {}
",
        by_hand(job, tasks)?,
        plain(&logs)?,
        job.shell_line()
    );
    Ok(text)
}

impl Scheduler for HyperQueue {
    fn name(&self) -> &'static str {
        "hyperqueue"
    }

    fn prepare(&self, job: &Job, tasks: &[usize]) -> Result<Prepared, ClusterError> {
        job.make_logs()?;
        let file = job.file("hq.sh");
        std::fs::write(&file, script(job, tasks)?).map_err(ClusterError::io(&file))?;
        Ok(Prepared {
            by_hand: vec![by_hand(job, tasks)?],
            notes: Vec::new(),
        })
    }

    fn submit(&mut self, job: &Job, tasks: &[usize]) -> Result<String, ClusterError> {
        let arguments = arguments(job, tasks)?;
        let json = ["--output-mode", "json"].into_iter();
        let printed = Tool::new(
            "hq",
            "hyperqueue",
            json.chain(arguments.iter().map(String::as_str)),
        )
        .run()?;
        let submitted: Result<Submitted, _> = serde_json::from_str(&printed);
        let submitted =
            submitted.map_err(|_| unexpected("hq submit", &printed, "the id of a job as JSON"))?;
        Ok(submitted.id.to_string())
    }

    fn tasks(&mut self, id: &str) -> Result<Tasks, ClusterError> {
        let arguments = ["--output-mode", "json", "job", "info", id];
        let printed = Tool::new("hq", "hyperqueue", arguments).run()?;
        let jobs: Result<Vec<Described>, _> = serde_json::from_str(&printed);
        let jobs = jobs.map_err(|_| unexpected("hq job info", &printed, "a job as JSON"))?;
        // None if the server was restarted since, and has forgotten it.
        Ok(jobs.first().map_or_else(Tasks::default, |job| Tasks {
            running: job.info.task_stats.running,
            waiting: job.info.task_stats.waiting,
            reason: None,
        }))
    }

    fn leave(&mut self, id: &str) -> String {
        format!("job {id} continues without this command; hq job cancel {id} ends it")
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::example;
    use super::*;

    #[test]
    fn a_job_is_submitted_as_an_array_of_the_tasks_that_are_left() {
        let job = Job {
            options: vec!["--time-request".to_owned(), "1h".to_owned()],
            ..example()
        };
        let line = by_hand(&job, &[2, 3, 7]).unwrap();
        let expected = "hq submit --name cup --array '2-3,7' --cpus 2 --pin taskset --crash-limit 20 --cwd \
                        '/home/me/my cup' --stdout none --stderr none --time-request 1h -- /bin/sh \
                        '/home/me/my cup/cup.jsonl.shards/cup.hq.sh'";
        assert_eq!(line, expected);
        let text = script(&example(), &[1]).unwrap();
        assert!(
            text.contains("exec /opt/referee \"A=python3 it's.py\" --shard \"$task\"/8\n"),
            "{text}"
        );
    }

    #[test]
    fn what_hq_prints_is_read() {
        let printed = r#"[{"info": {"id": 1, "name": "cup", "task_count": 8, "task_stats": {"canceled": 0,
            "failed": 1, "finished": 3, "running": 2, "waiting": 2}}, "tasks": []}]"#;
        let jobs: Vec<Described> = serde_json::from_str(printed).unwrap();
        assert_eq!(
            (
                jobs[0].info.task_stats.running,
                jobs[0].info.task_stats.waiting
            ),
            (2, 2)
        );
    }
}
