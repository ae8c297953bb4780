//! The things that a killed referee must not leave: processes, temporary files, cgroups.

use std::collections::BTreeSet;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// The variable by which the processes of a contest are known: its folder.
pub(super) const MARK: &str = "KILLED_CONTEST";

/// Time that supervisors have for ending their bots and removing what they have made.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);

/// The time to wait where there is nothing that reports its end.
const SLICE: Duration = Duration::from_millis(5);

/// The state before a contest, by which its leftovers are known.
pub(super) struct Leftovers {
    mark: PathBuf,
    cgroups: BTreeSet<PathBuf>,
}

impl Leftovers {
    /// Looks at what there is before the contest with the folder `mark` begins.
    pub(super) fn before(mark: &Path) -> Leftovers {
        Leftovers {
            mark: mark.to_owned(),
            cgroups: cgroups(),
        }
    }

    /// Waits for at most `patience` until nothing is left of the contest, whose temporary files were in `temporary`;
    /// says what is.
    pub(super) fn check(&self, temporary: &Path, patience: Duration) -> Result<(), String> {
        let until = Instant::now() + patience;
        loop {
            let processes = self.processes();
            let left = until.saturating_duration_since(Instant::now());
            if let Some(pid) = processes.first() {
                if left.is_zero() {
                    let all: Vec<_> = processes.iter().map(|pid| command_line(*pid)).collect();
                    return Err(format!("processes are left: {all:?}"));
                }
                if let Some(end) = end_of(*pid) {
                    super::is_readable_within(&end, left.min(10 * SLICE));
                }
                continue;
            }
            // After the last process nothing is removed any more.
            let files = fs::read_dir(temporary)
                .unwrap()
                .flatten()
                .map(|entry| entry.path());
            let files: Vec<_> = files.collect();
            if !files.is_empty() {
                return Err(format!("temporary files are left: {files:?}"));
            }
            // Those of other referees on this machine come and go.
            let cgroups: Vec<_> = cgroups().difference(&self.cgroups).cloned().collect();
            if cgroups.is_empty() {
                return Ok(());
            }
            if left.is_zero() {
                return Err(format!("cgroups are left: {cgroups:?}"));
            }
            std::thread::sleep(SLICE);
        }
    }

    /// Waits until there is a process of the contest.
    pub(super) fn wait_for_a_process(&self) {
        let until = Instant::now() + PATIENCE;
        while self.processes().is_empty() && Instant::now() < until {
            std::thread::sleep(SLICE);
        }
    }

    /// Returns the processes of the contest that have not ended.
    fn processes(&self) -> Vec<i32> {
        let wanted = format!("{MARK}={}", self.mark.display());
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let is_marked = |pid: &i32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == wanted.as_bytes())
        };
        numbers.filter(is_marked).collect()
    }
}

fn end_of(pid: i32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}

fn command_line(pid: i32) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    format!(
        "{pid} {}",
        String::from_utf8_lossy(&words).replace('\0', " ")
    )
}

/// Returns whether the process that has made the group of this name is there: one of another referee, since those of the
/// contest have ended.
fn is_in_use(name: &str) -> bool {
    let maker = name
        .rsplit('-')
        .find(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    maker.is_some_and(|maker| Path::new("/proc").join(maker).exists())
}

/// Returns the folders of this project in all cgroup hierarchies that no process uses.
fn cgroups() -> BTreeSet<PathBuf> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![PathBuf::from("/sys/fs/cgroup")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name();
                if name
                    .to_str()
                    .is_some_and(|name| name.starts_with("battleship") && !is_in_use(name))
                {
                    found.insert(entry.path());
                }
                folders.push(entry.path());
            }
        }
    }
    found
}
