//! The black-box tests of contests on a cluster: shards that schedulers run, kill and start again,
//! and their results. They run `referee cluster`, which starts the `referee-cluster` that is built
//! beside it.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]
#![deny(dead_code, reason = "a test that no list names would never run")]

#[macro_use]
extern crate testkit;

mod hyperqueue;
mod shards;
mod slurm;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use testkit::arena::until_within;
use testkit::list::Tests;
use testkit::programs::text_of;
use testkit::run::{Dir, Run};

fn list(tests: &mut Tests) {
    hyperqueue::tests(tests);
    shards::tests(tests);
    slurm::tests(tests);
}

/// A scheduler takes its time before it starts anything.
const PATIENCE: Duration = Duration::from_secs(240);

fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds);
}

/// A tournament of six players in 60 series, two of whom take their time.
const TOURNAMENT: &str =
    "tournament A=good B=good C=mediocre D=mediocre E=awful F=awful --games 16 --series 4 --seed 7";

/// A folder from which a scheduler is used, and what its clients have in their environment.
struct Cluster {
    dir: Dir,
    scheduler: &'static str,
    variables: Vec<(&'static str, String)>,
}

impl Cluster {
    /// One for whose clients the programs in the folder `bin` come first.
    fn of(scheduler: &'static str) -> Cluster {
        let dir = Dir::new();
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", dir.path("bin").display());
        Cluster {
            dir,
            scheduler,
            variables: vec![("PATH", path)],
        }
    }

    /// Makes a program of the folder `bin`.
    fn program(&self, name: &str, script: &str) {
        let name = format!("bin/{name}");
        let text = format!("#!/bin/sh\n{script}\n");
        self.dir.file(&name, text).executable(&name);
    }

    /// Plays a contest in shards, with its record in `cup.jsonl`.
    fn plays(&self, shards: u32, options: &str, contest: &str) -> Run<'_> {
        let words = format!("--shards {shards} --out cup.jsonl {options} -- {contest}");
        let run = self.dir.run(format!("cluster {} {words}", self.scheduler));
        let variables = self.variables.iter();
        let run = variables.fold(run, |run, (name, value)| run.env(name, value));
        run.patient(10 * PATIENCE)
    }

    /// The records of attempts at the shard of this number.
    fn attempts(&self, shard: u32) -> Vec<PathBuf> {
        let begin = format!("shard-{shard}-of-");
        let files = fs::read_dir(self.dir.path("cup.jsonl.shards"));
        let mut paths: Vec<_> = files
            .into_iter()
            .flatten()
            .map(|file| file.unwrap().path())
            .collect();
        paths.retain(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with(&begin) && path.extension() == Some("jsonl".as_ref())
        });
        paths
    }

    /// Sends a signal to one of these shards in the middle of its work: once it has a whole series
    /// and some that are left. Returns which one it is, and the number of its process.
    fn signal_one(&self, shards: &[u32], signal: Signal) -> (u32, i32) {
        let mut signalled = None;
        until("a shard is in the middle of its work", || {
            for shard in shards {
                for attempt in self.attempts(*shard) {
                    let series = text_of(&attempt).matches("battleship-series").count();
                    let process = process_in(&attempt);
                    // It may have ended since it was looked at.
                    if (1..4).contains(&series) && send(process, signal).is_ok() {
                        signalled = Some((*shard, process));
                    }
                }
            }
            signalled.is_some()
        });
        signalled.unwrap()
    }

    /// Checks that the record is that of one run, and that the same command, typed again, plays
    /// nothing.
    fn is_over(&self) {
        let one = self.dir.run(TOURNAMENT).args("--quiet --out one.jsonl");
        one.patient(PATIENCE).succeeds();
        let record = self.dir.record("one.jsonl");
        // A header, 15 pairs of players, and four series of four games for each.
        assert_eq!(record.lines.len(), 1 + 15 * 4 * 5);
        assert_eq!(self.dir.record("cup.jsonl"), record);
        let before = self.dir.text("cup.jsonl");
        let again = self.plays(8, "", TOURNAMENT).succeeds();
        again.lacks("tasks ended").lacks("submitted");
        again.prints("240 games in 60 series");
        assert_eq!(self.dir.text("cup.jsonl"), before);
    }
}

/// The number of the process that writes an attempt: `shard-1-of-8.HOST-PROCESS-TIME.jsonl`.
fn process_in(attempt: &Path) -> i32 {
    let name = attempt.file_name().unwrap().to_str().unwrap();
    name.rsplit('-').nth(1).unwrap().parse().unwrap()
}

fn send(process: i32, signal: Signal) -> rustix::io::Result<()> {
    kill_process(Pid::from_raw(process).unwrap(), signal)
}

/// Ends every process that has `mark` in its environment, each by its number, when this is dropped.
struct Marked(String);

impl Drop for Marked {
    fn drop(&mut self) {
        let mark = self.0.as_bytes();
        let own = std::process::id().cast_signed();
        // Again and again: one of them may start another just before it ends. Not for ever, as this
        // may be a failed test.
        for _ in 0..1_000 {
            let mut is_any = false;
            for entry in fs::read_dir("/proc").unwrap().flatten() {
                let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
                let Some(Ok(id)) = entry.file_name().to_str().map(str::parse) else {
                    continue;
                };
                if id != own && environment.windows(mark.len()).any(|part| part == mark) {
                    is_any = true;
                    let _ = send(id, Signal::KILL);
                }
            }
            if !is_any {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
