//! Limits of what a sandboxed bot uses: those the kernel sets for each process, and those of all
//! its processes together, which its supervisor counts.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit};

use super::unavailable;
use crate::program::StartError;
use crate::sandbox::{Sandbox, SandboxKind};
use crate::system::cgroup::{Controller, Group};
use crate::system::number_in;

/// Sets what the kernel limits for each process by itself. The memory here is what one process asks
/// for; the memory that all of them have is watched from outside, as [`Use`].
pub(crate) fn set(sandbox: &Sandbox) -> Result<(), StartError> {
    for (resource, limit) in [
        // Not RLIMIT_AS: the Java and Node runtimes reserve many GiB of addresses that they never
        // use, and do not start under a limit of 1 GiB.
        (Resource::Data, sandbox.memory),
        (Resource::Fsize, sandbox.file_size),
        (Resource::Nofile, sandbox.descriptors),
        (Resource::Core, 0),
        // Of all processes of the user: a bot could take every timer and queued signal that its
        // user may have.
        (Resource::Sigpending, QUEUED_SIGNALS),
    ] {
        lower(resource, limit)?;
    }
    // It stops a bomb between two looks from outside; what may be had is counted there, so that it
    // is the same with and without a control group.
    let most = TASKS_BETWEEN_LOOKS * sandbox.threads;
    let most = match sandbox.kind {
        // In a namespace for users only its own processes count.
        SandboxKind::Namespaces => most,
        // Elsewhere all those of the user do, of other bots and of the desktop too. Root's are not
        // bound at all.
        SandboxKind::LandlockOnly => tasks_of_all() + ROOM_FOR_OTHERS * most,
    };
    lower(Resource::Nproc, most)
}

/// Has this process have at most this much of a resource, or as much as its user may have, if that
/// is less.
fn lower(resource: Resource, limit: u64) -> Result<(), StartError> {
    let limit = getrlimit(resource)
        .maximum
        .map_or(limit, |maximum| maximum.min(limit));
    // The hard limit too, or the bot could raise the soft one again.
    let limits = Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
    setrlimit(resource, limits)
        .map_err(|error| unavailable(&format!("the limit of {resource:?}"), &error))
}

/// Returns the number of threads on this machine: at least as many as its user has.
fn tasks_of_all() -> u64 {
    // As in `0.20 0.18 0.12 1/80 11206`: see `proc_loadavg(5)`.
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let all = load
        .split_whitespace()
        .nth(3)
        .and_then(|word| word.split_once('/')?.1.parse().ok());
    all.unwrap_or(u64::from(u16::MAX))
}

/// Number of bots of the same user, each with as many threads and processes, that may be started
/// meanwhile.
const ROOM_FOR_OTHERS: u64 = 8;

/// Number of timers and queued signals that a bot may have. Runtimes use one for each thread at the
/// most.
const QUEUED_SIGNALS: u64 = 1024;

/// Factor by which a bot may exceed its limit of threads and processes before it is found out.
const TASKS_BETWEEN_LOOKS: u64 = 4;

/// The usage of the processes of a bot together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// Bytes of memory; what several of them share counts once.
    memory: u64,
    threads: u64,
}

/// Number of bytes that the kernel may keep in a pipe, and in one end of a pair of sockets, by its
/// defaults.
const BYTES_IN_PIPE: u64 = 64 << 10;
const BYTES_IN_SOCKET: u64 = 208 << 10;

impl Use {
    /// Returns the present use by `processes`, as far as `/proc` tells. What it does not tell
    /// counts in full: `room` is what they may write in memory that belongs to no process, and each
    /// may have this many `descriptors`.
    pub(crate) fn of(processes: &[Pid], room: u64, descriptors: u64) -> Use {
        let mut all = Use {
            memory: room,
            threads: 0,
        };
        let mut buffers = HashSet::new();
        for pid in processes {
            let folder = PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()));
            let status = folder.join("status");
            // In KiB. The proportional share divides each page by the number of processes that map
            // it, so the sum counts what is shared once. Resident sizes count a shared library, or
            // memory shared after a fork, for every process; but a process can keep its shares from
            // being read, and not its size.
            let mapped = number_in(&folder.join("smaps_rollup"), "Pss:")
                .or_else(|| number_in(&status, "VmRSS:"));
            let tables = number_in(&status, "VmPTE:");
            all.memory += (mapped.unwrap_or(0) + tables.unwrap_or(0)) << 10;
            all.threads += number_in(&status, "Threads:").unwrap_or(1);
            match fs::read_dir(folder.join("fd")) {
                Ok(open) => {
                    let open = open.flatten();
                    buffers.extend(open.filter_map(|entry| fs::read_link(entry.path()).ok()));
                }
                // A program that may be executed and not read keeps its process from being looked
                // into.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    all.memory += descriptors * BYTES_IN_SOCKET;
                }
                // It has ended.
                Err(_) => {}
            }
        }
        for name in &buffers {
            all.memory += match name.to_str() {
                Some(name) if name.starts_with("pipe:") => BYTES_IN_PIPE,
                Some(name) if name.starts_with("socket:") => BYTES_IN_SOCKET,
                _ => 0,
            };
        }
        all
    }

    /// Returns the limit of `sandbox` that is broken and not held by `group`, as the end of a
    /// sentence; `None` if all are kept.
    pub(crate) fn excess(self, sandbox: &Sandbox, group: &Group) -> Option<String> {
        // Threads first: a fork bomb also takes memory, but the number of processes says what it
        // is.
        if self.threads > sandbox.threads && !group.has(Controller::Pids) {
            return Some(too_many_tasks(sandbox));
        }
        let too_much = self.memory > sandbox.memory && !group.has(Controller::Memory);
        too_much.then(|| too_much_memory(sandbox))
    }
}

/// Returns the reason to end a bot with too many threads, as the end of a sentence.
pub(crate) fn too_many_tasks(sandbox: &Sandbox) -> String {
    format!("had more than {} threads and processes", sandbox.threads)
}

/// Returns the reason to end a bot with too much memory, as the end of a sentence.
pub(crate) fn too_much_memory(sandbox: &Sandbox) -> String {
    format!("used more than {} MiB of memory", sandbox.memory >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_of_a_process_counts() {
        let (_end, waits) = std::sync::mpsc::channel::<()>();
        std::thread::spawn(move || waits.recv());
        let own = Use::of(&[rustix::process::getpid()], 0, 0);
        assert!(own.threads > 1, "{own:?}");
    }
}
