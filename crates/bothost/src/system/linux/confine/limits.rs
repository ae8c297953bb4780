//! Limits of what a sandboxed bot uses: those the kernel sets for each process, and those of all
//! its processes together, which its supervisor counts.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::unavailable;
use crate::program::StartError;
use crate::sandbox::{Sandbox, SandboxKind};

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

/// Number of watches of epoll that a bot may have. The kernel has one limit for all processes of a
/// user, by default a twenty-fifth of the memory, and a bot could leave none to its opponent.
pub(super) const MOST_WATCHES: u64 = 16 << 10;

/// Returns the reason to end a bot with too many threads, as the end of a sentence.
pub(crate) fn too_many_tasks(sandbox: &Sandbox) -> String {
    format!("had more than {} threads and processes", sandbox.threads)
}

/// Returns the reason to end a bot with too much memory, as the end of a sentence.
pub(crate) fn too_much_memory(sandbox: &Sandbox) -> String {
    format!("used more than {} MiB of memory", sandbox.memory >> 20)
}

/// Returns the reason to end a bot with too many watches of epoll, as the end of a sentence.
pub(crate) fn too_many_watches() -> String {
    format!("had more than {MOST_WATCHES} watches of epoll")
}

/// Returns the reason to end a bot with a process that cannot be looked into, as the end of a
/// sentence.
pub(crate) fn not_to_be_counted() -> String {
    "had a process that its supervisor could not look into".to_owned()
}
