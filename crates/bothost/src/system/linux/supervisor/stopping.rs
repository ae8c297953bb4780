//! Stopping all processes of a bot, and letting them continue.

use std::collections::HashSet;

use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group};

use crate::system::cgroup::Group;
use crate::system::proc;

/// Number of searches for new descendants, if the kernel does not signal them in one pass. A bot that forks faster than it is
/// stopped is found again by the next look of the referee.
const ROUNDS: usize = 20;

/// Stops all descendants of this process, which are in `group`.
pub(super) fn stop(scoped: bool, group: &Group) {
    // By the kernel's freezer, none of them can wake another.
    if !group.freeze(true) {
        signal_all(scoped, Signal::STOP);
    }
}

/// Lets all descendants of this process continue, which are in `group`.
pub(super) fn resume(scoped: bool, group: &Group) {
    if !group.freeze(false) {
        signal_all(scoped, Signal::CONT);
    }
}

/// Sends all descendants of this process a signal.
pub(super) fn signal_all(scoped: bool, signal: Signal) {
    if scoped {
        // kill(-1): rustix has no name for it, but it negates the number of the group, and that of init is 1. The call
        // signals every process that this one may signal, except itself, in one pass inside the kernel; a fork that is
        // under way begins again after the signal, so no child is missed. In the scope these are the descendants;
        // without the scope it would reach the user's whole login.
        let _ = kill_process_group(Pid::INIT, signal);
        return;
    }
    let mut signalled = HashSet::new();
    for _ in 0..ROUNDS {
        let found = proc::descendants_of(getpid()).into_iter();
        let new: Vec<_> = found.filter(|pid| signalled.insert(*pid)).collect();
        if new.is_empty() {
            return;
        }
        for pid in new {
            let _ = kill_process(pid, signal);
        }
    }
}
