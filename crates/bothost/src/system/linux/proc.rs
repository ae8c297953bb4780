//! The descendants of a process and the processor time that they have used, from `/proc`.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

use crate::text;

/// Returns the processes that descend from `ancestor` at this moment. Complete as far as no process forks meanwhile;
/// a caller that kills them has to look again until there are none.
pub(crate) fn descendants_of(ancestor: Pid) -> Vec<Pid> {
    // One pass over all processes and then a walk in memory: every process is read once, so the walk sees
    // each under one parent only. Groups and sessions are of no use here, as a bot may leave them with
    // setsid(2).
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for (pid, parent) in processes() {
        children.entry(parent).or_default().push(pid);
    }
    let mut found = Vec::new();
    let mut from = vec![ancestor.as_raw_nonzero().get()];
    while let Some(parent) = from.pop() {
        let below = children.remove(&parent).unwrap_or_default();
        found.extend(below.iter().filter_map(|pid| Pid::from_raw(*pid)));
        from.extend(below);
    }
    found
}

/// Checks that `/proc` shows the processes that this one knows by their numbers.
///
/// # Errors
/// If it is that of another namespace, as in a new one without a mount of its own (`pid_namespaces(7)`).
pub fn check_proc() -> io::Result<()> {
    let shown = std::fs::read_link("/proc/self")?;
    if shown == Path::new(&std::process::id().to_string()) {
        return Ok(());
    }
    Err(io::Error::other(
        "it shows the processes of another namespace, by other numbers; mount one of this namespace, as unshare --mount-proc does",
    ))
}

/// Returns the children that a thread of a process has started; a child belongs to the thread that started it. To ask each
/// for its children costs far less than to read every process of the machine. Where the kernel does not keep that list
/// (`CONFIG_PROC_CHILDREN`) it is empty, and while processes come and go it may miss one (proc(5) says so), so this is
/// for counting and not for ending them.
pub(crate) fn children_of_task(task: &Path) -> Vec<Pid> {
    let children = std::fs::read_to_string(task.join("children")).unwrap_or_default();
    children
        .split_whitespace()
        .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
        .collect()
}

/// Returns the children of a process as the kernel lists them.
pub(crate) fn children_of(parent: Pid) -> Vec<Pid> {
    tasks(parent)
        .flat_map(|task| children_of_task(&task))
        .collect()
}

/// Returns the name of a process, on one line; `None` if it has ended and is not reaped yet.
pub(crate) fn name_of(pid: Pid) -> Option<String> {
    // A zombie has ended. Only its parent has not asked yet.
    if words_after_name(&stat(pid)?)?.next() == Some("Z") {
        return None;
    }
    let name = std::fs::read(format!("/proc/{}/comm", pid.as_raw_nonzero())).ok()?;
    Some(text::shown(name.trim_ascii_end()))
}

/// Returns the number of a process's session; `None` if the process is gone. It is 0 for each session whose leader is
/// outside of this PID namespace, which rustix's `getsid` takes for impossible.
pub(crate) fn session_of(pid: Pid) -> Option<i32> {
    words_after_name(&stat(pid)?)?.nth(3)?.parse().ok()
}

/// Returns the folder in `/proc` of each thread of a process.
pub(crate) fn tasks(pid: Pid) -> impl Iterator<Item = PathBuf> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    tasks
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

/// Returns every process with its parent.
fn processes() -> impl Iterator<Item = (i32, i32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        // Most other entries of /proc are not numbers. A process that ends before its file is read is left
        // out.
        let pid = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, parent_in(&stat(Pid::from_raw(pid)?)?)?))
    })
}

fn stat(process: Pid) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()
}

/// Returns the words of a line of `/proc/PID/stat` (see proc(5)) from the third on, the process's state.
pub(crate) fn words_after_name(stat: &str) -> Option<impl Iterator<Item = &str>> {
    // The second word is the program's name in parentheses. A program may choose a name with `)` and spaces
    // in it to forge what follows, so the name ends at the last parenthesis of the line.
    Some(stat.rsplit_once(')')?.1.split_whitespace())
}

fn parent_in(stat: &str) -> Option<i32> {
    words_after_name(stat)?.nth(1)?.parse().ok()
}

/// The processor time that the processes of a bot have used up to one moment, as far as `/proc` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    processes: HashMap<Pid, Times>,
    /// The numbers of all threads.
    threads: HashSet<Pid>,
    /// The usage of the processes that the supervisor has reaped.
    reaped: Duration,
    /// Whether a process ended while this was counted.
    has_lost_one: bool,
}

/// The usage of one process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Times {
    /// All its threads, also those that have ended.
    own: Duration,
    /// The children that it has waited for, with theirs.
    waited_for: Duration,
}

impl Usage {
    /// Counts what all descendants of `supervisor` have used so far. What a process used that its parent ignores is lost
    /// when it ends.
    pub(crate) fn of_descendants(supervisor: Pid) -> Usage {
        let reaped = times_of(supervisor).map_or(Duration::ZERO, |times| times.waited_for);
        let mut usage = Usage {
            reaped,
            ..Usage::default()
        };
        let mut from = vec![supervisor];
        while let Some(process) = from.pop() {
            let mut has_threads = false;
            let mut of_threads = Duration::ZERO;
            for task in tasks(process) {
                has_threads = true;
                from.extend(children_of_task(&task));
                if process != supervisor {
                    usage.threads.extend(number_of(&task));
                    of_threads += time_of_task(&task).unwrap_or_default();
                }
            }
            usage.has_lost_one |= !has_threads && process != supervisor;
            if process == supervisor {
                continue;
            }
            if let Some(times) = times_of(process) {
                // Two sources, neither complete. `stat` counts in ticks of a hundredth of a second, in which a fast bot
                // plays a whole game, but has the threads that have ended. `schedstat` counts nanoseconds, but only of
                // threads that live. Both are at most the truth, so the greater is the better.
                let own = times.own.max(of_threads);
                usage.processes.insert(process, Times { own, ..times });
            }
        }
        usage
    }

    /// Returns the sum.
    pub(crate) fn total(&self) -> Duration {
        let all = self
            .processes
            .values()
            .map(|times| times.own + times.waited_for);
        all.sum::<Duration>() + self.reaped
    }

    /// Returns what was used since an earlier moment: at most the truth.
    pub(crate) fn since(&self, earlier: &Usage) -> Duration {
        let before = |pid| earlier.processes.get(pid).copied().unwrap_or_default();
        let growth = |of: fn(&Times) -> Duration| -> Duration {
            let grown = |(pid, now)| of(now).saturating_sub(of(&before(pid)));
            self.processes.iter().map(grown).sum()
        };
        // A process that has ended since counts to the one that has waited for it, and part of that was counted before.
        let ended = earlier
            .processes
            .iter()
            .filter(|(pid, _)| !self.processes.contains_key(pid));
        let counted: Duration = ended.map(|(_, times)| times.own + times.waited_for).sum();
        let waited_for =
            growth(|times| times.waited_for) + self.reaped.saturating_sub(earlier.reaped);
        growth(|times| times.own) + waited_for.saturating_sub(counted)
    }

    /// Returns whether a thread that was not there at an `earlier` moment runs, or would if it had a core. The time of
    /// processes that live for a few milliseconds is lost when they end, but one of them always runs.
    pub(crate) fn has_started_one(&self, earlier: &Usage) -> bool {
        self.has_lost_one
            || self
                .threads
                .difference(&earlier.threads)
                .any(|task| runs(*task))
    }

    /// Returns whether one of the threads runs, or would if it had a core.
    pub(crate) fn is_running(&self) -> bool {
        self.threads.iter().any(|task| runs(*task))
    }
}

/// Returns the processor time of all descendants of this process that have ended and been waited for.
pub(crate) fn of_ended_children() -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    #[allow(unsafe_code, reason = "rustix has no getrusage")]
    // SAFETY: the pointer is to a structure of the type that the call fills in, and any bytes, also the zeros of a call
    // that failed, are a valid one.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let time = |time: libc::timeval| {
        let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
        seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

fn number_of(task: &Path) -> Option<Pid> {
    Pid::from_raw(task.file_name()?.to_str()?.parse().ok()?)
}

fn time_of_task(task: &Path) -> Option<Duration> {
    let line = std::fs::read_to_string(task.join("schedstat")).ok()?;
    line.split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

fn times_of(process: Pid) -> Option<Times> {
    let (own, waited_for) = ticks_in(&stat(process)?)?;
    Some(Times {
        own: in_time(own),
        waited_for: in_time(waited_for),
    })
}

/// Returns whether a thread runs, or waits for a core. `/proc` has every thread under its own number, though it lists
/// processes only.
fn runs(thread: Pid) -> bool {
    let stat = std::fs::read_to_string(format!(
        "/proc/{number}/task/{number}/stat",
        number = thread.as_raw_nonzero()
    ));
    let state = |stat: &str| words_after_name(stat)?.next().map(|state| state == "R");
    // One that has ended in this moment ran a moment ago.
    stat.map_or(true, |stat| state(&stat).unwrap_or(false))
}

fn in_time(ticks: u64) -> Duration {
    // A division by 0 would need a system that does not know its clock.
    let a_second = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_millis(1000 * ticks / a_second)
}

/// Returns the 14th and 15th word of a line of `/proc/PID/stat`, user and system time of the process, added up, and
/// so the two after them, of the children it has waited for.
fn ticks_in(stat: &str) -> Option<(u64, u64)> {
    let mut ticks = words_after_name(stat)?
        .skip(11)
        .map(|word| word.parse::<u64>().ok());
    let mut next = || ticks.next().flatten();
    Some((next()? + next()?, next()? + next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_found_behind_any_name() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194304 100 0 0 0 3 4 5 6 20 0 1 0 900";
        assert_eq!(ticks_in(stat), Some((3 + 4, 5 + 6)));
        assert_eq!(ticks_in("42 (a"), None);
    }

    /// Processes with what each has used and what those that it waited for have, in milliseconds.
    fn usage(processes: &[(i32, u64, u64)], reaped: u64) -> Usage {
        let ms = Duration::from_millis;
        let processes = processes.iter().map(|(pid, own, waited_for)| {
            (
                Pid::from_raw(*pid).unwrap(),
                Times {
                    own: ms(*own),
                    waited_for: ms(*waited_for),
                },
            )
        });
        Usage {
            processes: processes.collect(),
            reaped: ms(reaped),
            ..Usage::default()
        }
    }

    #[test]
    fn time_counts_once_wherever_it_ends_up() {
        let used = |earlier: &[(i32, u64, u64)], now: &[(i32, u64, u64)], reaped| {
            usage(now, reaped).since(&usage(earlier, 10)).as_millis()
        };
        assert_eq!(used(&[(2, 5, 0)], &[(2, 7, 0)], 10), 2);
        assert_eq!(
            used(&[(2, 5, 0)], &[(2, 5, 0), (3, 4, 0)], 10),
            4,
            "a child has begun"
        );
        assert_eq!(
            used(&[(2, 5, 0), (3, 4, 0)], &[(2, 5, 6)], 10),
            2,
            "and was waited for"
        );
        assert_eq!(
            used(&[(2, 5, 0)], &[(2, 5, 6)], 10),
            6,
            "one that was never seen"
        );
        assert_eq!(
            used(&[(2, 5, 0), (3, 4, 0)], &[(2, 5, 0)], 17),
            3,
            "an orphan was reaped"
        );
        // A child that its parent ignores: what it used before it was last seen is known.
        assert_eq!(used(&[(2, 5, 0), (3, 4, 0)], &[(2, 6, 0)], 10), 1);
        assert_eq!(usage(&[(2, 5, 1), (3, 4, 0)], 10).total().as_millis(), 20);
    }

    #[test]
    fn this_thread_runs_and_has_not_just_begun() {
        let own = rustix::thread::gettid();
        assert!(runs(own));
        let usage = Usage {
            threads: HashSet::from([own]),
            ..Usage::default()
        };
        assert!(usage.is_running() && usage.has_started_one(&Usage::default()));
        assert!(!usage.has_started_one(&usage));
    }

    #[test]
    fn a_programs_name_cannot_forge_its_parent() {
        assert_eq!(parent_in("42 (sh) S 7 42 42 0"), Some(7));
        assert_eq!(parent_in("42 (a) S 1 (b) S 7 42"), Some(7));
        assert_eq!(parent_in("42 (sh"), None);
    }
}
