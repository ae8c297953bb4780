//! A copy of this process that does something else: the way in which a supervisor starts its bot, since what
//! confines a process has to be done by that process itself before it becomes the bot.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustix::process::Pid;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGPIPE, SIGTERM};

/// The exit status of a copy that panics.
const PANICKED: i32 = 101;

/// Starts a copy of this process that runs `child` and ends with the status that it returns. The copy has the usual
/// handlers of signals, and all descriptors. Returns its number.
///
/// Only for a process with one thread: in the copy other threads would have vanished in the middle of what they did.
///
/// # Errors
/// Those of fork(2).
#[allow(unsafe_code, reason = "std and rustix have no safe fork")]
pub(super) fn fork(child: impl FnOnce() -> i32) -> io::Result<Pid> {
    // SAFETY: a supervisor has no second thread, so the copy finds every lock free and every structure whole, and may do
    // whatever this process could.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            for signal in [SIGTERM, SIGHUP, SIGINT, SIGCHLD, SIGPIPE] {
                // A handler of the supervisor writes to a socket that it shares with this copy. And Rust has SIGPIPE
                // ignored, which a program that this one becomes would inherit.
                // SAFETY: the default action runs no code of this process.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            // A panic must not unwind into the code of the supervisor, which would run twice.
            let status = catch_unwind(AssertUnwindSafe(child)).unwrap_or(PANICKED);
            // SAFETY: ends the process without running what the supervisor has left to be run at its end.
            unsafe { libc::_exit(status) }
        }
        pid => Ok(Pid::from_raw(pid).expect("fork names the child by a positive number")),
    }
}
