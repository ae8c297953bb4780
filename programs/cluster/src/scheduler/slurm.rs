//! Slurm: tasks as a job array.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::job::{plain, quoted, ranges};
use super::tool::{Tool, unexpected};
use super::{ClusterError, Job, Prepared, Scheduler, Tasks};

/// The largest index of an array plus one, and the most jobs at a time, where a site has not set
/// them: slurm.conf(5).
const USUAL: Limits = Limits {
    array: 1001,
    jobs: 10_000,
};

/// The message of a controller about a job that it has just forgotten.
const FORGOTTEN: &str = "Invalid job id";

/// Slurm, by its commands.
#[derive(Debug)]
pub(crate) struct Slurm {
    /// Whether to do without the commands, which then need not be there.
    pub(crate) files_only: bool,
}

/// The limits of a cluster on the size of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    /// `MaxArraySize`.
    array: usize,
    /// `MaxJobCount`.
    jobs: usize,
}

impl Limits {
    /// Returns the limits of this cluster.
    fn ask() -> Result<Limits, ClusterError> {
        let printed = Tool::new("scontrol", "slurm", ["show", "config"]).run()?;
        Limits::read(&printed)
            .ok_or_else(|| unexpected("scontrol show config", &printed, "MaxArraySize"))
    }

    /// Reads what `scontrol show config` prints.
    fn read(printed: &str) -> Option<Limits> {
        let value = |key: &str| {
            let line = printed
                .lines()
                .find(|line| line.split_whitespace().next() == Some(key));
            line?.split_once('=')?.1.trim().parse().ok()
        };
        Some(Limits {
            array: value("MaxArraySize")?,
            jobs: value("MaxJobCount").unwrap_or(USUAL.jobs),
        })
    }

    /// Returns how many of `tasks` one element of an array has to run, so that the array is small
    /// enough.
    fn step(self, tasks: usize) -> Result<usize, ClusterError> {
        // Indexes end one below MaxArraySize. They begin with 1 here.
        let most = self.array.saturating_sub(1).min(self.jobs);
        if most == 0 {
            return Err(ClusterError::Refused(format!(
                "this Slurm runs no job arrays (MaxArraySize is {}): play within one job, without referee cluster, or ask its administrator",
                self.array
            )));
        }
        Ok(tasks.div_ceil(most).max(1))
    }
}

/// Returns the elements of an array that run `tasks`, each a group of `step`.
fn elements(tasks: &[usize], step: usize) -> Vec<usize> {
    let mut elements: Vec<usize> = tasks.iter().map(|task| task.div_ceil(step)).collect();
    elements.dedup();
    elements
}

/// Returns the script of an array of these elements.
fn script(job: &Job, elements: &[usize], step: usize) -> Result<String, ClusterError> {
    let file = job.file("slurm");
    let by_hand = format!("sbatch {}", quoted(plain(&file)?));
    let mut text = format!("#!/bin/sh\n{}", job.heading(&[]));
    let _ = writeln!(
        text,
        "# Add what your site asks for (--partition, --account, --time), then: {by_hand}"
    );
    let array = ranges(elements);
    let name = &job.name;
    let cpus = job.cpus;
    let work_dir = plain(&job.work_dir)?;
    let logs = job.logs();
    let logs = plain(&logs)?;
    let _ = write!(
        text,
        "#SBATCH --job-name={name}
#SBATCH --array={array}
# If a node dies, its tasks start again on another one, and continue where they were.
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cpus}
#SBATCH --chdir=\"{work_dir}\"
#SBATCH --output=\"{logs}/%a.log\"
"
    );
    for option in &job.options {
        if option.contains(['\n', '\r']) {
            let what = format!("{option:?}: an option of sbatch has no line feed");
            return Err(ClusterError::Refused(what));
        }
        let _ = writeln!(text, "#SBATCH {option}");
    }
    let line = job.shell_line();
    if step == 1 {
        let _ = write!(text, "\ntask=$SLURM_ARRAY_TASK_ID\nexec {line}\n");
    } else {
        let tasks = job.tasks;
        let _ = write!(
            text,
            "
# {step} tasks each, since this cluster allows no array of {tasks}. One that fails does not keep the others from running.
task=$(((SLURM_ARRAY_TASK_ID - 1) * {step} + 1))
last=$((task + {step} - 1))
status=0
while [ $task -le $last ] && [ $task -le {tasks} ]; do
    {line} || status=$?
    task=$((task + 1))
done
exit $status
"
        );
    }
    Ok(text)
}

impl Slurm {
    fn limits(&self) -> Result<Limits, ClusterError> {
        match Limits::ask() {
            // To write a script for another machine.
            Err(_) if self.files_only => Ok(USUAL),
            limits => limits,
        }
    }
}

impl Scheduler for Slurm {
    fn name(&self) -> &'static str {
        "slurm"
    }

    fn prepare(&self, job: &Job, tasks: &[usize]) -> Result<Prepared, ClusterError> {
        let step = self.limits()?.step(job.tasks)?;
        let elements = elements(tasks, step);
        job.make_logs()?;
        let file = job.file("slurm");
        std::fs::write(&file, script(job, &elements, step)?).map_err(ClusterError::io(&file))?;
        let mut notes = Vec::new();
        if step > 1 {
            notes.push(format!(
                "this Slurm allows no array of {}: {} elements run {step} tasks each, one after the other",
                job.tasks,
                elements.len()
            ));
        }
        Ok(Prepared {
            by_hand: vec![format!("sbatch {}", quoted(plain(&file)?))],
            notes,
        })
    }

    fn submit(&mut self, job: &Job, _tasks: &[usize]) -> Result<String, ClusterError> {
        let file = job.file("slurm");
        let printed = Tool::new("sbatch", "slurm", ["--parsable", plain(&file)?]).run()?;
        // On a federation the name of the cluster follows.
        let id = printed.trim().split(';').next().unwrap_or_default();
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(unexpected(
                "sbatch --parsable",
                &printed,
                "the number of a job",
            ));
        }
        Ok(id.to_owned())
    }

    fn tasks(&mut self, id: &str) -> Result<Tasks, ClusterError> {
        // The queue and not the accounting, which many sites do not have.
        let arguments = ["--noheader", "--array", "--format=%T %r", "--jobs", id];
        match Tool::new("squeue", "slurm", arguments).run() {
            Ok(printed) => Ok(read_queue(&printed)),
            Err(ClusterError::Failed { said, .. }) if said.contains(FORGOTTEN) => {
                Ok(Tasks::default())
            }
            Err(error) => Err(error),
        }
    }

    fn leave(&mut self, id: &str) -> String {
        format!("job {id} continues without this command; scancel {id} ends it")
    }
}

/// Reads what `squeue` prints: a line for each task that is not over, with its state and why it
/// waits.
fn read_queue(printed: &str) -> Tasks {
    let mut tasks = Tasks::default();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for line in printed.lines() {
        let (state, reason) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match state {
            // Its node is being cleaned up; the task may be over or be queued again after that.
            "RUNNING" | "COMPLETING" | "STAGE_OUT" | "SIGNALING" | "STOPPED" | "SUSPENDED"
            | "CONFIGURING" => tasks.running += 1,
            "" | "COMPLETED" | "CANCELLED" | "FAILED" | "TIMEOUT" | "NODE_FAIL" | "PREEMPTED"
            | "BOOT_FAIL" | "DEADLINE" | "OUT_OF_MEMORY" | "REVOKED" => {}
            // PENDING, and all ways to be queued again.
            _ => {
                tasks.waiting += 1;
                *reasons.entry(reason.trim()).or_default() += 1;
            }
        }
    }
    let reason = reasons
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(reason, _)| reason);
    tasks.reason = reason
        .filter(|reason| !matches!(*reason, "" | "None"))
        .map(ToOwned::to_owned);
    tasks
}

#[cfg(test)]
mod tests {
    use super::super::job::example;
    use super::*;

    #[test]
    fn the_limits_of_a_cluster_are_read() {
        let printed = "Configuration data as of 2026-01-01T00:00:00\nMaxArraySize            = 1001\nMaxDBDMsgs = 20008\n\
                       MaxJobCount             = 10000\n";
        assert_eq!(Limits::read(printed), Some(USUAL));
        assert_eq!(Limits::read("slurm_load_ctl_conf error"), None);
    }

    #[test]
    fn a_job_that_is_too_large_for_an_array_runs_several_tasks_an_element() {
        assert_eq!(USUAL.step(1000).unwrap(), 1);
        assert_eq!(USUAL.step(1001).unwrap(), 2);
        assert_eq!(Limits { array: 5, jobs: 3 }.step(8).unwrap(), 3);
        assert!(Limits { array: 0, jobs: 3 }.step(8).is_err());
        assert_eq!(elements(&[1, 2, 3, 7, 8], 3), [1, 3]);
        assert_eq!(elements(&[2, 5], 1), [2, 5]);
    }

    /// Runs the commands of a script with `printf` for the program, and returns the numbers of the
    /// tasks.
    fn run(script: &str, element: &str) -> String {
        let script = script.replace("/opt/referee", "printf '%s %s %s\\n'");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .env("SLURM_ARRAY_TASK_ID", element)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn a_script_runs_the_tasks_of_its_element() {
        let one = script(&example(), &[1, 2, 3, 8], 1).unwrap();
        assert!(one.contains("\n#SBATCH --array=1-3,8\n"), "{one}");
        assert!(
            one.contains("\n#SBATCH --chdir=\"/home/me/my cup\"\n"),
            "{one}"
        );
        // exec takes no function; the word after it is the program.
        assert_eq!(
            run(&one.replace("exec ", ""), "3"),
            "A=python3 it's.py --shard 3/8\n"
        );
        let three = script(&example(), &[1, 3], 3).unwrap();
        let all = run(&three, "3");
        assert_eq!(
            all,
            "A=python3 it's.py --shard 7/8\nA=python3 it's.py --shard 8/8\n"
        );
    }

    #[test]
    fn options_of_the_site_are_lines_of_the_script() {
        let options = vec!["--partition=short".to_owned(), "--time=2:00:00".to_owned()];
        let text = script(
            &Job {
                options,
                ..example()
            },
            &[1],
            1,
        )
        .unwrap();
        assert!(
            text.contains("\n#SBATCH --partition=short\n#SBATCH --time=2:00:00\n"),
            "{text}"
        );
        let bad = Job {
            options: vec!["a\nrm".to_owned()],
            ..example()
        };
        assert!(script(&bad, &[1], 1).is_err());
    }

    #[test]
    fn the_queue_is_counted_by_states() {
        let queue = "RUNNING None\nPENDING Resources\nPENDING Resources\nPENDING Priority\nCOMPLETING None\n";
        let reason = Some("Resources".to_owned());
        assert_eq!(
            read_queue(queue),
            Tasks {
                running: 2,
                waiting: 3,
                reason
            }
        );
        assert!(read_queue("").are_over());
        assert_eq!(read_queue("REQUEUED None\n").waiting, 1);
    }
}
