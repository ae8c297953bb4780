//! The time limit of tests. The slowest tests are named. None waits for ever: one that does ends the whole run and names what
//! it waited for.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::mem;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// After this long a test is named, as the standard harness does.
const LONG: Duration = Duration::from_secs(60);

/// Many times what the slowest test takes on a busy machine.
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// The exit code of the standard harness after a failure.
const FAILURE: i32 = 101;

/// The tests that run, and since when.
static RUNNING: Mutex<BTreeMap<String, Running>> = Mutex::new(BTreeMap::new());

/// The tests that are over, and how long they took.
static OVER: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// Number of the slowest tests that are named.
const NAMED: usize = 10;

struct Running {
    since: Instant,
    is_named: bool,
}

/// Stands for a test that runs, as long as this lives.
pub(super) struct Entry {
    name: String,
}

impl Entry {
    pub(super) fn of(name: &str) -> Entry {
        running().insert(
            name.to_owned(),
            Running {
                since: Instant::now(),
                is_named: false,
            },
        );
        Entry {
            name: name.to_owned(),
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let since = running().remove(&self.name).map(|running| running.since);
        let took = since.map_or(Duration::ZERO, |since| since.elapsed());
        OVER.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((took, mem::take(&mut self.name)));
    }
}

/// Names the tests that took longest, if more ran than are named.
pub(super) fn report() {
    let mut over = OVER.lock().unwrap_or_else(PoisonError::into_inner);
    if over.len() <= NAMED {
        return;
    }
    over.sort_by(|(one, _), (other, _)| other.cmp(one));
    let all: Duration = over.iter().map(|(took, _)| took).sum();
    let mut text = format!(
        "{} tests took {} s; the slowest:\n",
        over.len(),
        all.as_secs()
    );
    for (took, name) in &over[..NAMED] {
        let _ = writeln!(text, "{:5.1} s {name}", took.as_secs_f64());
    }
    say(&text);
}

fn running() -> MutexGuard<'static, BTreeMap<String, Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts to look after the tests.
pub(super) fn watch() {
    let look = || {
        loop {
            thread::sleep(Duration::from_secs(1));
            look();
        }
    };
    thread::Builder::new()
        .name("limit".to_owned())
        .spawn(look)
        .unwrap();
}

fn look() {
    let mut running = running();
    for (name, test) in running.iter_mut().filter(|(_, test)| !test.is_named) {
        if test.since.elapsed() > LONG {
            test.is_named = true;
            say(&format!(
                "test {name} has been running for over {} seconds\n",
                LONG.as_secs()
            ));
        }
    }
    let stuck: Vec<_> = running
        .iter()
        .filter(|(_, test)| test.since.elapsed() > LONGEST)
        .map(|(name, _)| name.as_str())
        .collect();
    if !stuck.is_empty() {
        let minutes = LONGEST.as_secs() / 60;
        let mut text = format!(
            "these tests still run after {minutes} minutes: {}\n",
            stuck.join(", ")
        );
        for process in descendants(process::id()) {
            let _ = writeln!(text, "  {}", described(process));
            end(process);
        }
        say(&text);
        process::exit(FAILURE);
    }
}

fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Returns the processes that descend from `process`, as far as the kernel lists them: among them is what the tests wait for.
fn descendants(process: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let children = lists.flat_map(|list| {
        list.split_whitespace()
            .filter_map(|id| id.parse().ok())
            .collect::<Vec<u32>>()
    });
    children
        .flat_map(|child| [vec![child], descendants(child)].concat())
        .collect()
}

#[cfg(unix)]
fn end(process: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    let _ = Pid::from_raw(process.cast_signed()).map(|id| kill_process(id, Signal::KILL));
}

/// None is found on other systems.
#[cfg(not(unix))]
fn end(_process: u32) {}

/// Returns the number of a process, what it waits for in the kernel, and its command line.
fn described(process: u32) -> String {
    let read = |name: &str| fs::read(format!("/proc/{process}/{name}")).unwrap_or_default();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace('\0', " ");
    format!(
        "{process} ({}): {}",
        text(read("wchan")),
        text(read("cmdline"))
    )
}
