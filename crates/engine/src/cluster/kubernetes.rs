//! Kubernetes: tasks as an indexed job.

use std::fmt::Write;

use serde::Deserialize;

use super::job::{plain, quoted};
use super::tool::{Tool, unexpected};
use super::{ClusterError, Job, Prepared, Scheduler, Tasks};

/// Number of times that a task may fail before it counts as failed, by itself or with its node.
const FAILURES: usize = 20;

/// Kubernetes, by its command `kubectl`.
#[derive(Debug)]
pub struct Kubernetes {
    /// The image with the program and the players.
    pub image: String,
    /// The claim of the volume that every pod and this machine share.
    pub volume: String,
}

/// The output of `kubectl get job`.
#[derive(Deserialize)]
struct Described {
    spec: Spec,
    #[serde(default)]
    status: Status,
}

#[derive(Deserialize)]
struct Spec {
    completions: usize,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Status {
    active: usize,
    ready: usize,
    succeeded: usize,
    failed_indexes: String,
    conditions: Vec<Condition>,
}

#[derive(Deserialize)]
struct Condition {
    r#type: String,
    status: String,
}

impl Described {
    fn tasks(&self) -> Tasks {
        let status = &self.status;
        let is_over = |condition: &Condition| {
            condition.status == "True" && matches!(condition.r#type.as_str(), "Complete" | "Failed")
        };
        if status.conditions.iter().any(is_over) {
            return Tasks::default();
        }
        let over = status.succeeded + count(&status.failed_indexes);
        let left = self.spec.completions.saturating_sub(over);
        let running = status.ready.min(left);
        let reason = (status.active > status.ready).then(|| "pods are being started".to_owned());
        Tasks {
            running,
            waiting: left - running,
            reason,
        }
    }
}

/// Returns how many indexes a text like `1,3-5` names.
fn count(indexes: &str) -> usize {
    let of = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        Some(last.saturating_sub(first) + 1)
    };
    indexes.split(',').filter_map(of).sum()
}

/// Returns a text as YAML takes it: its double-quoted strings are those of JSON.
fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

impl Kubernetes {
    fn manifest(&self, job: &Job, tasks: &[usize]) -> Result<String, ClusterError> {
        let Kubernetes { image, volume } = self;
        let n = tasks.len();
        // Indexes have no gaps and begin with 0, so what is left of a job is looked up in a list.
        let number = if tasks.iter().copied().eq(1..=n) {
            "task=$((JOB_COMPLETION_INDEX + 1))".to_owned()
        } else {
            let numbers: Vec<String> = tasks.iter().map(ToString::to_string).collect();
            format!(
                "set -- {}\nshift \"$JOB_COMPLETION_INDEX\"\ntask=$1",
                numbers.join(" ")
            )
        };
        let mut script = String::new();
        for line in number
            .lines()
            .map(ToOwned::to_owned)
            .chain([format!("exec {}", job.shell_line())])
        {
            // In a block every line has the same indentation, and a line feed within a word would end it.
            if line.contains(char::is_control) {
                let what = "a player's command with a line feed cannot be written to a manifest";
                return Err(ClusterError::Refused(what.to_owned()));
            }
            let _ = writeln!(script, "              {line}");
        }
        if !job.options.is_empty() {
            let what =
                "--scheduler-options: kubectl takes none for a job; edit the manifest instead";
            return Err(ClusterError::Refused(what.to_owned()));
        }
        let (name, cpus) = (text(&job.name), job.cpus);
        let (image, volume, folder) = (text(image), text(volume), text(plain(&job.work_dir)?));
        Ok(format!(
            "{}apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  completionMode: Indexed
  completions: {n}
  parallelism: {n}
  # Each task may fail so often, by itself or with its node, without ending the others.
  backoffLimitPerIndex: {FAILURES}
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: task
          image: {image}
          workingDir: {folder}
          command:
            - /bin/sh
            - -c
            - |
{script}          resources:
            requests:
              cpu: {cpus}
            limits:
              cpu: {cpus}
          volumeMounts:
            - name: shared
              mountPath: {folder}
      volumes:
        - name: shared
          persistentVolumeClaim:
            claimName: {volume}
",
            job.heading(&[
                "The volume is mounted where this folder is, so that paths are the same in a pod."
            ])
        ))
    }

    fn remove(name: &str) -> [&str; 4] {
        ["delete", "job", name, "--ignore-not-found"]
    }
}

impl Scheduler for Kubernetes {
    fn name(&self) -> &'static str {
        "kubernetes"
    }

    fn prepare(&self, job: &Job, tasks: &[usize]) -> Result<Prepared, ClusterError> {
        let file = job.file("yaml");
        std::fs::write(&file, self.manifest(job, tasks)?).map_err(ClusterError::io(&file))?;
        let name = &job.name;
        Ok(Prepared {
            by_hand: vec![
                format!("kubectl {}", Kubernetes::remove(name).join(" ")),
                format!("kubectl apply -f {}", quoted(plain(&file)?)),
                format!("kubectl wait --for=condition=complete --timeout=24h job/{name}"),
            ],
            notes: Vec::new(),
        })
    }

    fn submit(&mut self, job: &Job, _tasks: &[usize]) -> Result<String, ClusterError> {
        let file = job.file("yaml");
        // A job cannot be changed, only created again.
        Tool::new("kubectl", "kubernetes", Kubernetes::remove(&job.name)).run()?;
        Tool::new("kubectl", "kubernetes", ["apply", "-f", plain(&file)?]).run()?;
        Ok(job.name.clone())
    }

    fn tasks(&mut self, id: &str) -> Result<Tasks, ClusterError> {
        let arguments = ["get", "job", id, "--ignore-not-found", "--output=json"];
        let printed = Tool::new("kubectl", "kubernetes", arguments).run()?;
        if printed.trim().is_empty() {
            return Ok(Tasks::default());
        }
        let job: Result<Described, _> = serde_json::from_str(&printed);
        let job = job.map_err(|_| unexpected("kubectl get job", &printed, "a job as JSON"))?;
        Ok(job.tasks())
    }

    fn leave(&mut self, id: &str) -> String {
        format!("job {id} continues without this command; kubectl delete job {id} ends it")
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::example;
    use super::*;

    fn kubernetes() -> Kubernetes {
        Kubernetes {
            image: "registry/referee:1".to_owned(),
            volume: "cup".to_owned(),
        }
    }

    #[test]
    fn what_is_left_of_a_job_is_looked_up_by_its_index() {
        let all = kubernetes()
            .manifest(&example(), &[1, 2, 3, 4, 5, 6, 7, 8])
            .unwrap();
        assert!(all.contains("  completions: 8\n"), "{all}");
        assert!(
            all.contains("              task=$((JOB_COMPLETION_INDEX + 1))\n"),
            "{all}"
        );
        let some = kubernetes().manifest(&example(), &[3, 7]).unwrap();
        assert!(some.contains("  completions: 2\n"), "{some}");
        assert!(some.contains("              set -- 3 7\n"), "{some}");
        assert!(
            some.contains("  workingDir: \"/home/me/my cup\"\n"),
            "{some}"
        );
    }

    #[test]
    fn the_state_of_a_job_is_read() {
        let tasks = |status: &str| {
            let text = format!(r#"{{"spec": {{"completions": 8}}, "status": {status}}}"#);
            serde_json::from_str::<Described>(&text).unwrap().tasks()
        };
        assert_eq!(tasks("{}").waiting, 8);
        let some = tasks(r#"{"active": 4, "ready": 3, "succeeded": 1, "failedIndexes": "2,4-5"}"#);
        assert_eq!((some.running, some.waiting), (3, 1));
        let over = r#"{"succeeded": 8, "conditions": [{"type": "Complete", "status": "True"}]}"#;
        assert!(tasks(over).are_over());
    }
}
