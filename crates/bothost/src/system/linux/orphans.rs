//! The processes that remain of a bot if its supervisor has ended without ending it: killed by a
//! signal, or for want of memory.
//!
//! The referee adopts processes whose parents have ended. So all of its children that it has not
//! started itself, and that were not there before its first supervisor, were a bot's.

use std::collections::HashSet;
use std::io;
use std::process::Child;
use std::sync::{LazyLock, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
};

use super::cgroup::Group;
use super::proc;

/// The time that processes may take to end after KILL.
const PATIENCE: Duration = Duration::from_secs(2);

/// The time between two looks for them.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// The supervisors that this process has started and not yet waited for.
static SUPERVISORS: LazyLock<Mutex<HashSet<u32>>> = LazyLock::new(Mutex::default);

/// The children that this process had before its first supervisor: those of a program that it was
/// before. As the first process of a container it adopts the children of others too, and no child
/// is known to be a bot's.
static OTHERS: OnceLock<Option<HashSet<Pid>>> = OnceLock::new();

fn supervisors() -> MutexGuard<'static, HashSet<u32>> {
    // A panic elsewhere leaves no half of a number.
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a supervisor by `start`. From then on this process adopts what supervisors leave behind.
pub(crate) fn start_supervisor(start: impl FnOnce() -> io::Result<Child>) -> io::Result<Child> {
    static ADOPTS: Once = Once::new();
    // If that is refused, orphans are out of reach, as they would be without it.
    ADOPTS.call_once(|| {
        let is_first = getpid() == Pid::INIT;
        let others = (!is_first).then(|| proc::children_of(getpid()).into_iter().collect());
        let _ = OTHERS.set(others);
        let _ = set_child_subreaper(Some(getpid()));
    });
    // Locked while it starts: a child that is not known yet would be taken for an orphan.
    let mut supervisors = supervisors();
    let child = start()?;
    supervisors.insert(child.id());
    Ok(child)
}

/// Forgets a supervisor that has been waited for.
pub(crate) fn forget_supervisor(number: u32) {
    supervisors().remove(&number);
}

/// Ends all processes below `supervisor`, which lives and takes too long to do so itself. Returns
/// whether none is left.
pub(crate) fn end_below(supervisor: Pid) -> bool {
    Group::of(supervisor).kill();
    end(|| proc::descendants_of(supervisor))
}

/// Ends the processes of bots whose supervisors have ended. Returns whether none is left.
pub(crate) fn end_all() -> bool {
    let Some(Some(others)) = OTHERS.get() else {
        return false;
    };
    end(|| {
        let known = supervisors();
        let own_session = proc::session_of(getpid());
        let mut orphans = proc::children_of(getpid());
        orphans.retain(|pid| {
            let number = pid.as_raw_nonzero().get().unsigned_abs();
            // Bots have sessions of their own; programs that this process starts otherwise have its
            // own.
            !known.contains(&number)
                && !others.contains(pid)
                && proc::session_of(*pid) != own_session
        });
        let below: Vec<_> = orphans
            .iter()
            .copied()
            .flat_map(proc::descendants_of)
            .collect();
        [below, orphans].concat()
    })
}

/// Removes the control group of a supervisor that has ended.
pub(crate) fn remove_group_of(number: u32) {
    let pid = i32::try_from(number).ok().and_then(Pid::from_raw);
    drop(pid.map(Group::of));
}

/// Kills what `find` finds until that is nothing.
fn end(find: impl Fn() -> Vec<Pid>) -> bool {
    let began = Instant::now();
    loop {
        let found = find();
        if found.is_empty() {
            return true;
        }
        if began.elapsed() > PATIENCE {
            return false;
        }
        for pid in found {
            let _ = kill_process(pid, Signal::KILL);
            // Only an adopted one can be waited for.
            while let Err(Errno::INTR) = waitpid(Some(pid), WaitOptions::NOHANG) {}
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}
