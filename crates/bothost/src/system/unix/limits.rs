//! The resource limits of a process.

use std::io;

use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};

use super::number_in;

/// Lets a write beyond the limit of file sizes (`ulimit -f`) fail with an error, instead of ending
/// this process without a message. Bots are started with the usual effect of the signal.
///
/// # Errors
/// If the operating system refuses.
pub fn survive_file_size_limit() -> io::Result<()> {
    // A handler, since exec resets it; that a signal is ignored would be inherited.
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default()).map(drop)
}

/// Lets every signal reach this process and what it starts. Whatever starts the referee may have
/// kept some from itself, and that is inherited: a bot that has to end would not hear of it, nor
/// its supervisor of the end.
#[allow(
    unsafe_code,
    reason = "std and rustix have no function for the mask of signals"
)]
pub fn hear_all_signals() {
    // SAFETY: zeros are a set of signals, which `sigemptyset` makes an empty one in any case;
    // nothing else is passed.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Raises the soft limit of open files to the hard one if it is below `wanted`. Returns the
/// limit then; `None` if any number can be open.
pub(crate) fn raise_file_limit(wanted: u64) -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|limit| limit < wanted) {
        // If that is refused, the soft limit is what counts, and the pairs beyond it fail to start:
        // no game is lost.
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: maximum,
                maximum,
            },
        );
    }
    getrlimit(Resource::Nofile).current
}

/// Returns the number of processes and threads that this user may still start; `None` if any
/// number, or if it is unknown.
pub(crate) fn tasks_left() -> Option<u64> {
    // The kernel does not apply this limit to root.
    if geteuid().is_root() {
        return None;
    }
    let limit = getrlimit(Resource::Nproc).current?;
    Some(limit.saturating_sub(tasks_of(geteuid().as_raw())?))
}

/// Returns the number of threads in the processes of a user, as the kernel counts them for its
/// limit.
fn tasks_of(user: u32) -> Option<u64> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let threads = processes.filter_map(|process| {
        // One that has ended in the meantime does not count.
        let status = process.path().join("status");
        let owner = number_in(&status, "Uid:")?;
        number_in(&status, "Threads:").filter(|_| owner == u64::from(user))
    });
    Some(threads.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_this_process_are_counted() {
        let user = geteuid().as_raw();
        assert!(tasks_of(user).is_some_and(|tasks| tasks >= 1));
    }
}
