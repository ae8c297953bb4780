//! The scripts of `examples/cluster`: with stand-ins for the commands of the schedulers, and with
//! the schedulers themselves, whose tasks are killed.

mod hyperqueue;
mod parallel;
mod scripts;
mod slurm;

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use testkit::arena::until_within;
use testkit::list::Tests;
use testkit::programs::{built, project_file};
use testkit::run::{Dir, Run};

pub(crate) fn tests(tests: &mut Tests) {
    hyperqueue::tests(tests);
    parallel::tests(tests);
    scripts::tests(tests);
    slurm::tests(tests);
}

/// Schedulers take seconds to start a task.
const PATIENCE: Duration = Duration::from_secs(240);

/// A tournament of six players in 60 series. Two players take their time, and the command of one
/// has a blank.
const TOURNAMENT: &str = r#"tournament A=good B=good C=mediocre D=mediocre E=awful "F=sh 'my bot.sh'" --games 16 --series 4 --seed 7"#;

const SHARDS: u32 = 8;

fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds);
}

/// A folder in which a script plays a contest.
struct Cluster {
    dir: Dir,
    script: &'static str,
    /// The environment of the script.
    variables: Vec<(&'static str, String)>,
}

impl Cluster {
    /// The programs in the folder `bin` come first on the PATH.
    fn new(script: &'static str) -> Cluster {
        let dir = Dir::new();
        let awful = built("awful-bot");
        dir.file("my bot.sh", format!("exec '{awful}'\n"));
        let programs = Path::new(&awful).parent().unwrap().display();
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{programs}:{path}", dir.path("bin").display());
        Cluster {
            dir,
            script,
            variables: vec![("PATH", path)],
        }
    }

    /// Writes a program into the folder `bin`.
    fn program(&self, name: &str, script: &str) {
        let name = format!("bin/{name}");
        let text = format!("#!/bin/sh\n{script}\n");
        self.dir.file(&name, text).executable(&name);
    }

    /// Plays a contest, with its record in `my cup.jsonl`.
    fn play(&self, shards: u32, contest: &str) -> Run<'_> {
        let script = project_file("examples/cluster").join(self.script);
        let words = format!("{shards} 'my cup.jsonl' {contest}");
        let run = self.dir.program(script.to_str().unwrap(), words);
        let variables = self.variables.iter();
        let run = variables.fold(run, |run, (name, value)| run.env(name, value));
        run.patient(10 * PATIENCE)
    }

    /// The number of series that a shard has in its record.
    fn series(&self, shard: u32) -> usize {
        let record = self.dir.path(&format!("my cup.jsonl.shards/{shard}.jsonl"));
        let text = fs::read_to_string(record).unwrap_or_default();
        text.matches("\"battleship-series\"").count()
    }

    /// The processes of referees that play a shard, without copies that are about to become bots.
    fn processes(&self, shard: u32) -> Vec<i32> {
        let folder = self.dir.path("").canonicalize().unwrap();
        let words = format!("\0--shard\0{shard}/{SHARDS}\0");
        let is_referee = |process: &i32| {
            let place = format!("/proc/{process}");
            let command = fs::read(format!("{place}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(&words)
                && fs::read_link(format!("{place}/cwd")).is_ok_and(|cwd| cwd == folder)
        };
        let referees: Vec<i32> = processes().filter(is_referee).collect();
        let is_first =
            |process: &&i32| parent(**process).is_some_and(|parent| !referees.contains(&parent));
        referees.iter().filter(is_first).copied().collect()
    }

    /// Stops one of these shards when it has some of its series. Returns the shard and its process.
    fn stop_shard(&self, shards: &[u32]) -> (u32, i32) {
        let mut stopped = None;
        until("a shard has some of its series", || {
            for shard in shards {
                let is_halfway = || (1..4).contains(&self.series(*shard));
                if let [process] = self.processes(*shard)[..]
                    && is_halfway()
                    && send(process, Signal::STOP)
                {
                    // The shard may have played on before the signal.
                    if is_halfway() {
                        stopped = Some((*shard, process));
                        return true;
                    }
                    send(process, Signal::CONT);
                }
            }
            false
        });
        stopped.unwrap()
    }

    /// Kills one of these shards when it has some of its series. Returns the shard.
    fn kill_shard(&self, shards: &[u32]) -> u32 {
        let (shard, process) = self.stop_shard(shards);
        assert!(send(process, Signal::KILL), "{process} of {shard}");
        shard
    }

    /// Presses Ctrl-C when a shard has a series. The script ends, and not only the command that it
    /// waits for.
    fn interrupt(&self) {
        let press = |id: u32| {
            until("a shard has a series", || {
                (1..=SHARDS).any(|shard| self.series(shard) > 0)
            });
            let group = Pid::from_raw(id.cast_signed()).unwrap();
            kill_process_group(group, Signal::INT).unwrap();
        };
        let run = self.play(SHARDS, TOURNAMENT).leading();
        run.until(|| true, press).exits(130);
    }

    /// Checks that the record is that of one run, and that the same command changes nothing.
    fn check_record(&self) {
        let one = self.dir.run(TOURNAMENT).args("--quiet --out one.jsonl");
        one.patient(PATIENCE).succeeds();
        let record = self.dir.record("one.jsonl");
        // A header, 15 pairs of players, and four series of four games for each.
        assert_eq!(record.lines.len(), 1 + 15 * 4 * 5);
        assert_eq!(self.dir.record("my cup.jsonl"), record);
        let text = self.dir.text("my cup.jsonl");
        self.play(SHARDS, TOURNAMENT).succeeds();
        assert_eq!(self.dir.text("my cup.jsonl"), text);
    }
}

fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn parent(process: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("PPid:"))?;
    line.trim().parse().ok()
}

/// Returns whether the process was there.
fn send(process: i32, signal: Signal) -> bool {
    kill_process(Pid::from_raw(process).unwrap(), signal).is_ok()
}

/// Kills, when dropped, every process that has this text in its environment.
struct ProcessGuard(String);

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        let mark = self.0.as_bytes();
        let own = std::process::id().cast_signed();
        // A process may start another just before it is killed. The limit is for a failed test.
        for _ in 0..1_000 {
            let is_marked = |process: &i32| {
                let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
                *process != own && environment.windows(mark.len()).any(|part| part == mark)
            };
            let marked: Vec<i32> = processes().filter(is_marked).collect();
            if marked.is_empty() {
                return;
            }
            for process in marked {
                send(process, Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
