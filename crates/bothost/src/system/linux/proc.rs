//! The descendants of a process and the processor time that they have used, from `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use rustix::process::Pid;

use super::read_kernel_file;
use crate::text;

/// Returns the processes that descend from `ancestor` at this moment. Complete as far as no process
/// forks meanwhile; a caller that kills them has to look again until there are none.
pub(crate) fn descendants_of(ancestor: Pid) -> Vec<Pid> {
    // One pass over all processes and then a walk in memory: every process is read once, so the
    // walk sees each under one parent only. Groups and sessions are of no use here, as a bot may
    // leave them with setsid(2).
    let mut children: HashMap<i32, Vec<Pid>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        // Most other entries of /proc are not numbers. A process that ends before its file is read
        // is left out.
        if let Some(pid) = number_of(&entry.path())
            && let Some(parent) = Stat::of(&entry.path()).and_then(|stat| stat.word(1))
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = vec![ancestor];
    let mut seen = 0;
    while let Some(parent) = found.get(seen) {
        seen += 1;
        let below = children.remove(&parent.as_raw_nonzero().get());
        found.extend(below.into_iter().flatten());
    }
    found.remove(0);
    found
}

/// Checks that `/proc` shows the processes that this one knows by their numbers.
///
/// # Errors
/// If it is that of another namespace, as in a new one without a mount of its own
/// (`pid_namespaces(7)`).
pub fn check_proc() -> io::Result<()> {
    let shown = fs::read_link("/proc/self")?;
    if shown == Path::new(&std::process::id().to_string()) {
        return Ok(());
    }
    Err(io::Error::other(
        "it shows the processes of another namespace, by other numbers; mount one of this namespace, as unshare --mount-proc does",
    ))
}

/// Returns the children that a thread of a process has started; a child belongs to the thread that
/// started it. To ask each for its children costs far less than to read every process of the
/// machine. Where the kernel does not keep that list (`CONFIG_PROC_CHILDREN`) it is empty, and
/// while processes come and go it may miss one (proc(5) says so), so this is for counting and not
/// for ending them.
fn children_of_task(task: &Path) -> Vec<Pid> {
    let children = read_kernel_file(&task.join("children")).unwrap_or_default();
    let children = children.split_whitespace().map(Path::new);
    children.filter_map(number_of).collect()
}

/// Returns the children of a process as the kernel lists them.
pub(crate) fn children_of(parent: Pid) -> Vec<Pid> {
    let tasks = tasks(parent);
    tasks.flat_map(|task| children_of_task(&task)).collect()
}

/// Returns the processes that descend from `ancestor` as the kernel lists them, which costs less
/// than [`descendants_of`].
pub(crate) fn listed_descendants_of(ancestor: Pid) -> Vec<Pid> {
    let mut found = children_of(ancestor);
    let mut seen = 0;
    while let Some(parent) = found.get(seen) {
        seen += 1;
        let below = children_of(*parent);
        found.extend(below);
    }
    found
}

/// Returns the name of a process, on one line; `None` if it has ended and is not reaped yet.
pub(crate) fn name_of(pid: Pid) -> Option<String> {
    // A zombie has ended. Only its parent has not asked yet.
    let state: char = Stat::of(&folder_of(pid))?.word(0)?;
    let name = fs::read(folder_of(pid).join("comm")).ok()?;
    (state != 'Z').then(|| text::shown(name.trim_ascii_end()))
}

/// Returns the number of a process's session; `None` if the process is gone. It is 0 for each
/// session whose leader is outside of this PID namespace, which rustix's `getsid` takes for
/// impossible.
pub(crate) fn session_of(pid: Pid) -> Option<i32> {
    Stat::of(&folder_of(pid))?.word(3)
}

pub(crate) fn folder_of(pid: Pid) -> PathBuf {
    Path::new("/proc").join(pid.as_raw_nonzero().to_string())
}

/// Returns the folder in `/proc` of each thread of a process.
pub(crate) fn tasks(pid: Pid) -> impl Iterator<Item = PathBuf> {
    let tasks = fs::read_dir(folder_of(pid).join("task"));
    tasks.into_iter().flatten().flatten().map(|it| it.path())
}

/// Returns the number in the name of the folder of a process, or of one of its threads.
fn number_of(folder: &Path) -> Option<Pid> {
    Pid::from_raw(folder.file_name()?.to_str()?.parse().ok()?)
}

/// A line of `/proc/PID/stat`: see proc(5).
struct Stat(String);

impl Stat {
    /// Returns the state of the process or thread with this folder; `None` if it has ended.
    fn of(folder: &Path) -> Option<Stat> {
        read_kernel_file(&folder.join("stat")).ok().map(Stat)
    }

    /// Returns the word that follows this many words after the name; the first is the state.
    fn word<T: FromStr>(&self, index: usize) -> Option<T> {
        // The second word is the program's name in parentheses. A program may choose a name with
        // `)` and spaces in it to forge what follows, so the name ends at the last parenthesis of
        // the line.
        let words = self.0.rsplit_once(')')?.1;
        words.split_whitespace().nth(index)?.parse().ok()
    }

    /// Returns user and system time, added up, of the process or, from the fourteenth word on, of
    /// its children.
    fn time(&self, index: usize) -> Option<Duration> {
        let ticks: u64 = self.word::<u64>(index)? + self.word::<u64>(index + 1)?;
        // A division by 0 would need a system that does not know its clock.
        let a_second = rustix::param::clock_ticks_per_second().max(1);
        Some(Duration::from_millis(1000 * ticks / a_second))
    }

    fn times(&self) -> Option<Times> {
        Some(Times {
            own: self.time(11)?,
            waited_for: self.time(13)?,
        })
    }
}

/// The processor time that the processes of a bot have used up to one moment, as far as `/proc`
/// says.
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
    /// Counts what all descendants of `supervisor` have used so far. What a process used that its
    /// parent ignores is lost when it ends.
    pub(crate) fn of_descendants(supervisor: Pid) -> Usage {
        let of_supervisor = Stat::of(&folder_of(supervisor)).and_then(|stat| stat.times());
        let mut usage = Usage {
            reaped: of_supervisor.unwrap_or_default().waited_for,
            ..Usage::default()
        };
        let mut from = children_of(supervisor);
        while let Some(process) = from.pop() {
            let mut has_threads = false;
            let mut of_threads = Duration::ZERO;
            for task in tasks(process) {
                has_threads = true;
                from.extend(children_of_task(&task));
                usage.threads.extend(number_of(&task));
                of_threads += time_of_task(&task).unwrap_or_default();
            }
            usage.has_lost_one |= !has_threads;
            if let Some(times) = Stat::of(&folder_of(process)).and_then(|stat| stat.times()) {
                // Two sources, neither complete. `stat` counts in ticks of a hundredth of a second,
                // in which a fast bot plays a whole game, but has the threads that have ended.
                // `schedstat` counts nanoseconds, but only of threads that live. Both are at most
                // the truth, so the greater is the better.
                let own = times.own.max(of_threads);
                usage.processes.insert(process, Times { own, ..times });
            }
        }
        usage
    }

    /// Returns the sum.
    pub(crate) fn total(&self) -> Duration {
        let all = self.processes.values();
        self.reaped + all.map(|it| it.own + it.waited_for).sum::<Duration>()
    }

    /// Returns the time used since an earlier moment: at most the truth.
    pub(crate) fn since(&self, earlier: &Usage) -> Duration {
        let mut own = Duration::ZERO;
        let mut waited_for = self.reaped.saturating_sub(earlier.reaped);
        for (pid, now) in &self.processes {
            let before = earlier.processes.get(pid).copied().unwrap_or_default();
            own += now.own.saturating_sub(before.own);
            waited_for += now.waited_for.saturating_sub(before.waited_for);
        }
        // A process that has ended since counts to the one that has waited for it, and part of that
        // was counted before.
        let ended = earlier
            .processes
            .iter()
            .filter(|(pid, _)| !self.processes.contains_key(pid));
        let counted: Duration = ended.map(|(_, it)| it.own + it.waited_for).sum();
        own + waited_for.saturating_sub(counted)
    }

    /// Returns whether a thread that was not there at an `earlier` moment runs, or would if it had
    /// a core. The time of processes that live for a few milliseconds is lost when they end, but
    /// one of them always runs.
    pub(crate) fn has_started_one(&self, earlier: &Usage) -> bool {
        let mut new = self.threads.difference(&earlier.threads);
        self.has_lost_one || new.any(|task| runs(*task))
    }

    /// Returns whether one of the threads runs, or would if it had a core.
    pub(crate) fn is_running(&self) -> bool {
        self.threads.iter().any(|task| runs(*task))
    }
}

/// Returns the processor time of all descendants of this process that have ended and been waited
/// for.
pub(crate) fn of_ended_children() -> Duration {
    let usage = usage_of_ended_children();
    [usage.ru_utime, usage.ru_stime]
        .iter()
        .map(|time| {
            let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
            seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
        })
        .sum()
}

/// Returns the most memory that one of these descendants has had, in bytes.
pub(crate) fn largest_of_ended_children() -> u64 {
    let kib = u64::try_from(usage_of_ended_children().ru_maxrss).unwrap_or(0);
    kib << 10
}

fn usage_of_ended_children() -> libc::rusage {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    #[allow(unsafe_code, reason = "rustix has no getrusage")]
    // SAFETY: the pointer is to a structure of the type that the call fills in, and any bytes, also
    // the zeros of a call that failed, are a valid one.
    unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    }
}

fn time_of_task(task: &Path) -> Option<Duration> {
    let line = read_kernel_file(&task.join("schedstat")).ok()?;
    let nanos = line.split_whitespace().next()?.parse();
    nanos.ok().map(Duration::from_nanos)
}

/// Returns whether a thread runs, or waits for a core. `/proc` has every thread under its own
/// number, though it lists processes only.
fn runs(thread: Pid) -> bool {
    let number = thread.as_raw_nonzero().to_string();
    match Stat::of(&folder_of(thread).join("task").join(number)) {
        Some(stat) => stat.word(0) == Some('R'),
        // One that has ended in this moment ran a moment ago.
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_found_behind_any_name() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194304 100 0 0 0 300 400 500 600 20 0 1 0 900";
        // A second has 100 ticks on every Linux.
        let times = Times {
            own: Duration::from_secs(3 + 4),
            waited_for: Duration::from_secs(5 + 6),
        };
        assert_eq!(Stat(stat.to_owned()).times(), Some(times));
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
        for (line, parent) in [
            ("42 (sh) S 7 42 42 0", Some(7)),
            ("42 (a) S 1 (b) S 7 42", Some(7)),
            ("42 (sh", None),
        ] {
            assert_eq!(Stat(line.to_owned()).word(1), parent);
        }
    }
}
