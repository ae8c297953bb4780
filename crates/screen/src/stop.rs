//! The suspension of this program, as by Ctrl-Z if the terminal makes a signal of it.

#![allow(
    unsafe_code,
    reason = "neither the standard library nor rustix changes what a signal does"
)]

use std::io;

use rustix::process::{Signal, kill_current_process_group};

/// Stops this program, and what was started together with it, until the shell lets them continue;
/// then returns. Returns at once where no shell could: the kernel ignores the signal there.
///
/// # Errors
/// If the group of this program cannot be told.
pub(crate) fn stop() -> io::Result<()> {
    // SAFETY: neither value is a function, and no other code of this program changes what this
    // signal does.
    let before = unsafe { libc::signal(libc::SIGTSTP, libc::SIG_IGN) };
    // The others of a pipeline, without this program.
    let told = kill_current_process_group(Signal::TSTP);
    let again = if before == libc::SIG_IGN {
        libc::SIG_IGN
    } else {
        libc::SIG_DFL
    };
    // SAFETY: as above.
    unsafe { libc::signal(libc::SIGTSTP, again) };
    told?;
    // A signal to the whole program is for any of its threads, and until that one takes it, this
    // one would continue and take the terminal again. One to this thread stops it before the call
    // returns. SAFETY: `raise` has no conditions.
    unsafe { libc::raise(libc::SIGTSTP) };
    Ok(())
}
