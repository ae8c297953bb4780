//! Processes that the kernel ends since the machine runs out of memory: which it ends first, and
//! whether it has ended one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::proc::folder_of;
use super::{number_in, read_kernel_file};

/// The score of a bot that uses little of its memory (`oom_score_adj`, `proc_pid_oom_score_adj(5)`).
/// The kernel ends the process with the highest sum of score and memory, and a point stands for a
/// thousandth of all memory: bots end before the referee and the programs of the user.
const LEAST_SCORE: u64 = 900;

/// The score of a bot that uses all of its memory.
const MOST_SCORE: u64 = 1000;

/// The least difference for which the score of a running process is changed.
const STEP: u64 = 10;

/// Sets the score of the calling process, and of those that it starts from now on, to that of a bot
/// that has just begun.
pub(super) fn expose_to_kernel() {
    // A system that refuses this is no reason to stop.
    let _ = fs::write("/proc/self/oom_score_adj", LEAST_SCORE.to_string());
}

/// The score of the processes of a bot.
#[derive(Debug)]
pub(super) struct Score(u64);

impl Score {
    pub(super) const fn new() -> Score {
        Score(LEAST_SCORE)
    }

    /// Raises or lowers the scores of `processes`, of a bot that uses this much of the memory that
    /// it may have. So the kernel ends the bot that is near its limit, in however many processes
    /// the memory is, and not the one with the largest process.
    pub(super) fn follow(&mut self, used: u64, limit: u64, processes: &[Pid]) {
        let share = u128::from(MOST_SCORE - LEAST_SCORE) * u128::from(used.min(limit));
        let above = share / u128::from(limit.max(1));
        let score = LEAST_SCORE + u64::try_from(above).unwrap_or(0);
        if score.abs_diff(self.0) < STEP {
            return;
        }
        self.0 = score;
        for pid in processes {
            // An ended process has none, and a child has the value of its parent.
            let _ = fs::write(folder_of(*pid).join("oom_score_adj"), score.to_string());
        }
    }
}

/// The time after which an end counts as not related to processes that the kernel ended before.
const RELATED: Duration = Duration::from_secs(10);

/// The number of processes that the kernel has ended for want of memory, looked at from time to
/// time.
#[derive(Debug)]
pub(super) struct Kills {
    counter: PathBuf,
    /// The number at the look before the last one.
    before: u64,
    last: u64,
    at: Instant,
}

impl Kills {
    /// Returns the number for the processes of a bot.
    pub(super) fn of(bot: Pid) -> Kills {
        let groups = read_kernel_file(&folder_of(bot).join("cgroup")).unwrap_or_default();
        let counter = counter_of(&groups);
        let count = count_in(&counter);
        Kills {
            counter,
            before: count,
            last: count,
            at: Instant::now(),
        }
    }

    /// Looks at the number, if the last look was long ago.
    pub(super) fn look(&mut self) {
        // Not more often: the process may take a while to end after the kernel has counted it.
        if self.at.elapsed() >= RELATED {
            self.before = self.last;
            self.last = count_in(&self.counter);
            self.at = Instant::now();
        }
    }

    /// Returns whether a process that ended with `status` was ended by the kernel.
    pub(super) fn explain(&self, status: ExitStatus) -> bool {
        is_killed(status) && count_in(&self.counter) > self.before
    }
}

/// Returns whether a process was killed or, being a shell, reports that its last command was.
fn is_killed(status: ExitStatus) -> bool {
    let kill = Signal::KILL.as_raw();
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(kill)
        || status.code() == Some(128 + kill)
}

/// Returns the file with the number for the control group that a process is in, by its file
/// `cgroup` in `/proc`: of version 1 or, with the groups below, of version 2. The number of a group
/// has all its processes that were ended, whether the machine or a group was full. Without a group
/// that counts memory, it is the file of the whole machine.
fn counter_of(groups: &str) -> PathBuf {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut words = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (words.next(), words.next()) else {
            continue;
        };
        let path = Path::new(path.trim_start_matches('/'));
        if controllers.split(',').any(|name| name == "memory") {
            let top = Path::new("/sys/fs/cgroup/memory");
            files.push(top.join(path).join("memory.oom_control"));
        } else if controllers.is_empty() {
            let top = Path::new("/sys/fs/cgroup");
            // Not each group has the controller.
            let folders = path.ancestors().map(|path| top.join(path));
            files.extend(folders.map(|folder| folder.join("memory.events")));
        }
    }
    let found = files.into_iter().find(|file| file.is_file());
    found.unwrap_or_else(|| "/proc/vmstat".into())
}

/// Returns the number in a file; 0 where the kernel does not count.
fn count_in(counter: &Path) -> u64 {
    number_in(counter, "oom_kill ").unwrap_or(0)
}

/// Returns the memory of this machine, in bytes.
pub(super) fn memory_of_machine() -> u64 {
    number_in(Path::new("/proc/meminfo"), "MemTotal:").map_or(u64::MAX, |kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use rustix::process::getpid;

    use super::*;

    #[test]
    fn only_a_kill_that_the_kernel_counts_is_its_own() {
        let killed = ExitStatus::from_raw(9);
        let of_shell = ExitStatus::from_raw(137 << 8);
        let counter = tempfile::NamedTempFile::new().unwrap();
        let count = |number: u64| {
            let text = format!("low 9\noom_group_kill 9\noom_kill {number}\n");
            fs::write(counter.path(), text).unwrap();
        };
        count(3);
        let mut kills = Kills::of(getpid());
        kills.counter = counter.path().to_owned();
        kills.before = 3;
        kills.last = 3;
        assert!(!kills.explain(killed));
        count(4);
        // It was counted a moment ago.
        kills.look();
        assert!(kills.explain(killed) && kills.explain(of_shell));
        for status in [0, 6, 9 << 8, 15] {
            assert!(!kills.explain(ExitStatus::from_raw(status)), "{status}");
        }
    }

    #[test]
    fn the_counter_of_a_process_is_there() {
        let groups = read_kernel_file(Path::new("/proc/self/cgroup")).unwrap_or_default();
        for groups in [&*groups, "", "4:memory:/none/such\n0::/none", "nonsense"] {
            assert!(counter_of(groups).is_file(), "{groups:?}");
        }
        assert_eq!(counter_of("1:cpu:/"), Path::new("/proc/vmstat"));
    }

    #[test]
    fn a_score_follows_the_share_of_the_limit() {
        let mut score = Score::new();
        for (used, limit, expected) in [
            (0, 100, 900),
            (9, 100, 900),
            (50, 100, 950),
            (55, 100, 950),
            (200, 100, 1000),
            (1, u64::MAX, 900),
        ] {
            score.follow(used, limit, &[]);
            assert_eq!(score.0, expected, "{used} of {limit}");
        }
    }
}
