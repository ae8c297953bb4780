//! How many pairs of bots this machine has room for, before the first one is started.

use std::fmt;

use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};

/// The descriptors of this process that a pair of bots takes: for each bot its three pipes, one for its exit and one for
/// its supervisor's report; and while a bot is being started, the other ends of its pipes and std's own.
const FILES_OF_PAIR: u64 = 16;

/// Descriptors for everything else: streams, records, libraries.
const FILES_BESIDES: u64 = 32;

/// The processes and threads that a pair of bots takes: two bots with their supervisors, the thread that plays, and one
/// that starts a bot. What the bots start themselves is not known.
const TASKS_OF_PAIR: u64 = 6;

/// Processes and threads for everything else.
const TASKS_BESIDES: u64 = 4;

/// Why a number of pairs has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// What there is too little of.
    what: Scarce,
    /// How much of it there is.
    limit: u64,
    /// How many pairs have room, of all the resources that were looked at.
    pub pairs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scarce {
    Files,
    Tasks,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoRoom { what, limit, .. } = self;
        match what {
            Scarce::Files => write!(f, "a process may have {limit} open files (ulimit -Hn)"),
            Scarce::Tasks => {
                write!(f, "this user may start {limit} more processes and threads (ulimit -u)")
            }
        }
    }
}

impl std::error::Error for NoRoom {}

/// Makes room for so many `pairs` of bots at the same time: raises the soft limit of open files to the hard one if it is
/// too low.
///
/// # Errors
/// If the limits of this process leave less room. That there is room now does not say that there will be: other programs
/// of the user count as well.
pub fn make_room(pairs: usize) -> Result<(), NoRoom> {
    let pairs = pairs as u64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|limit| limit < FILES_BESIDES + pairs * FILES_OF_PAIR) {
        // If that is refused, the soft limit is what counts, and the pairs beyond it fail to start: no game is lost.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    let files = getrlimit(Resource::Nofile).current;
    let tasks = tasks_left();
    let fit = |there: Option<u64>, besides, each| {
        there.map_or(u64::MAX, |there| there.saturating_sub(besides) / each)
    };
    let by_files = fit(files, FILES_BESIDES, FILES_OF_PAIR);
    let by_tasks = fit(tasks, TASKS_BESIDES, TASKS_OF_PAIR);
    let fitting = by_files.min(by_tasks);
    if fitting >= pairs {
        return Ok(());
    }
    let (what, limit) =
        if by_files <= by_tasks { (Scarce::Files, files) } else { (Scarce::Tasks, tasks) };
    let limit = limit.unwrap_or(u64::MAX);
    Err(NoRoom { what, limit, pairs: usize::try_from(fitting).unwrap_or(usize::MAX) })
}

/// Returns how many processes and threads this user may still start; `None` if any number, or if it is unknown.
fn tasks_left() -> Option<u64> {
    // The kernel does not apply this limit to root.
    if geteuid().is_root() {
        return None;
    }
    let limit = getrlimit(Resource::Nproc).current?;
    Some(limit.saturating_sub(tasks_of(geteuid().as_raw())?))
}

/// Returns how many threads the processes of a user have, as the kernel counts them for its limit.
fn tasks_of(user: u32) -> Option<u64> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let threads = processes.filter_map(|process| {
        // One that has ended in the meantime does not count.
        let status = std::fs::read_to_string(process.path().join("status")).ok()?;
        let field = |name| status.lines().find_map(|line| line.strip_prefix(name));
        let owner = field("Uid:")?.split_whitespace().next()?.parse::<u32>().ok()?;
        (owner == user).then(|| field("Threads:")?.trim().parse::<u64>().ok()).flatten()
    });
    Some(threads.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pair_has_room_and_a_million_have_not() {
        assert_eq!(make_room(1), Ok(()));
        if let Err(none) = make_room(1_000_000) {
            assert!(none.pairs >= 1 && none.pairs < 1_000_000, "{none:?}");
            assert!(none.to_string().contains("ulimit"), "{none}");
        }
    }

    #[test]
    fn the_threads_of_this_process_are_counted() {
        let user = geteuid().as_raw();
        assert!(tasks_of(user).is_some_and(|tasks| tasks >= 1));
    }
}
