//! The black-box tests of contests on a cluster: shards that schedulers run, kill and start again, and their results. They run
//! `referee cluster`, which starts the `referee-cluster` that is built beside it.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[macro_use]
extern crate testkit;

mod hyperqueue;
mod shards;
mod slurm;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use testkit::arena::until_within;
use testkit::contest::without_times;
use testkit::list::Tests;
use testkit::programs::{Folder, built, text_of};

fn list(tests: &mut Tests) {
    hyperqueue::tests(tests);
    shards::tests(tests);
    slurm::tests(tests);
}

/// Python with the packages of `requirements.txt`.
const PYTHON: &str = "programs/cluster/tests/.venv/bin/python";

/// A scheduler takes its time before it starts anything.
const PATIENCE: Duration = Duration::from_secs(240);

/// Waits until something holds.
fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds);
}

/// The number of shards that the contests of these tests have.
const SHARDS: &str = "8";
const ALL_SHARDS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8"];

/// The words of a tournament of six players in 30 series, two of whom take their time.
const TOURNAMENT: [&str; 13] = [
    "tournament",
    "A=good",
    "B=good",
    "C=mediocre",
    "D=mediocre",
    "E=awful",
    "F=awful",
    "--games",
    "16",
    "--series",
    "4",
    "--seed",
    "7",
];

/// The referee that has `scheduler` play this tournament.
fn tournament(folder: &Folder, scheduler: &str, out: &str) -> Command {
    let mut referee = Command::new(built("referee"));
    referee.args(["cluster", scheduler, "--shards", SHARDS, "--out", out, "--"]);
    referee.args(TOURNAMENT).current_dir(folder.path(""));
    referee
}

/// Checks that the record `out` is that of one run, but for times.
fn is_that_of_one_run(folder: &Folder, out: &str) {
    let mut referee = Command::new(built("referee"));
    referee.args(TOURNAMENT).current_dir(folder.path(""));
    let one = output(referee.args(["--quiet", "--out", "one.jsonl"]));
    assert!(one.status.success(), "{one:?}");
    let expected = without_times(&text_of(folder.path("one.jsonl")));
    // A header, 15 pairs of players, and four series of four games for each.
    assert_eq!(expected.len(), 1 + 15 * 4 * 5);
    assert_eq!(without_times(&text_of(folder.path(out))), expected);
}

/// Checks that the same command, typed again, plays nothing and leaves the record as it is.
fn is_over(command: &mut Command, record: &str) {
    let before = fs::read(record).unwrap();
    let again = output(command);
    assert!(again.status.success(), "{again:?}");
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(
        !said.contains("tasks ended") && !said.contains("submitted"),
        "{said}"
    );
    assert!(String::from_utf8_lossy(&again.stdout).contains("240 games in 60 series"));
    assert_eq!(fs::read(record).unwrap(), before);
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap()
}

/// The records of attempts at the shard of this number.
fn attempts(folder: &Folder, out: &str, shard: &str) -> Vec<PathBuf> {
    let begin = format!("shard-{shard}-of-{SHARDS}.");
    let Ok(files) = fs::read_dir(folder.path(&format!("{out}.shards"))) else {
        return Vec::new();
    };
    let names = files.map(|file| file.unwrap().path());
    let is_attempt = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(&begin) && path.extension().is_some_and(|ending| ending == "jsonl")
    };
    names.filter(is_attempt).collect()
}

/// Sends a signal to one of these shards in the middle of its work: once it has a whole series and some that are left.
/// Returns which one it is, and the number of its process.
fn signal_one(folder: &Folder, out: &str, shards: &[&str], signal: Signal) -> (String, i32) {
    let mut signalled = None;
    until("a shard is in the middle of its work", || {
        for shard in shards {
            let in_the_middle = |path: &&PathBuf| {
                (1..4).contains(&text_of(path).matches("battleship-series").count())
            };
            let Some(attempt) = attempts(folder, out, shard)
                .iter()
                .find(in_the_middle)
                .cloned()
            else {
                continue;
            };
            let process = process_in(&attempt);
            // It may have ended since it was looked at.
            if kill_process(Pid::from_raw(process).unwrap(), signal).is_ok() {
                signalled = Some(((*shard).to_owned(), process));
                return true;
            }
        }
        false
    });
    signalled.unwrap()
}

/// The number of the process that writes an attempt: `shard-1-of-8.HOST-PROCESS-TIME.jsonl`.
fn process_in(attempt: &Path) -> i32 {
    let name = attempt.file_name().unwrap().to_str().unwrap();
    name.rsplit('-').nth(1).unwrap().parse().unwrap()
}

fn signal(process: i32, signal: Signal) {
    kill_process(Pid::from_raw(process).unwrap(), signal).unwrap();
}

/// Ends every process that has `mark` in its environment, each by its number, when this is dropped.
struct Marked(String);

impl Marked {
    fn processes(&self) -> Vec<i32> {
        let own = std::process::id().cast_signed();
        let all = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            entry
                .ok()?
                .file_name()
                .to_str()?
                .parse::<i32>()
                .ok()
                .filter(|id| *id != own)
        });
        let mark = self.0.as_bytes();
        let is_marked = |id: &i32| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|part| part == mark)
        };
        all.filter(is_marked).collect()
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        // Again and again: one of them may start another just before it ends. Not for ever, as this may be a failed test.
        for _ in 0..1_000 {
            let processes = self.processes();
            if processes.is_empty() {
                return;
            }
            for id in processes {
                let _ = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL);
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
