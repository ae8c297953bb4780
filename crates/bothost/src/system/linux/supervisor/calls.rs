//! The calls of a supervisor that std and rustix have no safe way for: to fork, to become another
//! program, and to handle inherited descriptors.

#![allow(unsafe_code, reason = "this is what the module is for")]

use std::convert::Infallible;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::process::Pid;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGPIPE, SIGTERM};

use crate::program::BotProgram;
use crate::system::find_on_path;

/// The exit status of a copy that panics.
const PANICKED: i32 = 101;

/// Starts a copy of this process, since what confines a process has to be done by that process
/// itself before it becomes the bot. The copy runs `child` and ends with the status that it
/// returns. The copy has the usual handlers of signals, and all descriptors. Returns its number.
///
/// Only for a process with one thread: in the copy other threads would have vanished in the middle
/// of what they did.
///
/// # Errors
/// Those of fork(2).
pub(crate) fn fork(child: impl FnOnce() -> i32) -> io::Result<Pid> {
    // SAFETY: a supervisor has no second thread, so the copy finds every lock free and every
    // structure whole, and may do whatever this process could.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            for signal in [SIGTERM, SIGHUP, SIGINT, SIGCHLD, SIGPIPE] {
                // A handler of the supervisor writes to a socket that it shares with this copy. And
                // Rust has SIGPIPE ignored, which a program that this one becomes would inherit.
                // SAFETY: the default action runs no code of this process.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            // A panic must not unwind into the code of the supervisor, which would run twice.
            let status = catch_unwind(AssertUnwindSafe(child)).unwrap_or(PANICKED);
            // SAFETY: ends the process without running what the supervisor has left to be run at
            // its end.
            unsafe { libc::_exit(status) }
        }
        pid => Ok(Pid::from_raw(pid).expect("fork names the child by a positive number")),
    }
}

/// Becomes `program`, with the environment of this process.
///
/// As [`std::os::unix::process::CommandExt::exec`], but a file that the kernel does not know as a
/// program is not given to a shell, as C libraries do: such a file would be run line by line, and
/// its author would not be told what is wrong.
///
/// # Errors
/// Those of execve(2).
pub(crate) fn exec(program: &BotProgram) -> io::Result<Infallible> {
    let file = find_on_path(&program.file).ok_or(Errno::NOENT)?;
    let file = CString::new(file.into_os_string().into_vec())?;
    let words = [&program.file].into_iter().chain(&program.arguments);
    let words = words.map(|word| CString::new(word.as_bytes()));
    let words = words.collect::<Result<Vec<_>, _>>()?;
    let mut pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).collect();
    pointers.push(ptr::null());
    // SAFETY: the file and the words end with a zero byte, the list with a null pointer, and all of
    // them live until the call returns.
    unsafe { libc::execv(file.as_ptr(), pointers.as_ptr()) };
    Err(io::Error::last_os_error())
}

/// Has every open descriptor from `first` on closed in the programs that this process starts. Call
/// it before there are other threads.
pub fn close_on_exec_from(first: i32) {
    // Marked and not closed: this process may use them, and a descriptor closed behind the back of
    // its owner would be given to the next file that is opened. Rust marks all that it opens; this
    // is for what was inherited. Without /proc the open ones are unknown, and stay.
    let open = std::fs::read_dir("/proc/self/fd").into_iter().flatten();
    for entry in open.flatten() {
        if let Some(Ok(number)) = entry.file_name().to_str().map(str::parse)
            && number >= first
        {
            let _ = close_on_exec(number);
        }
    }
}

fn close_on_exec(number: RawFd) -> rustix::io::Result<()> {
    // SAFETY: borrowed for one call, which fails if the descriptor is not open.
    let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl_setfd(descriptor, FdFlags::CLOEXEC)
}

/// Takes the descriptor `number`, which this process has inherited and nothing else in it uses. The
/// programs that this process starts do not inherit it.
///
/// # Errors
/// If it is a standard stream, or nothing is open under that number.
pub(super) fn inherited(number: RawFd) -> io::Result<OwnedFd> {
    if number <= 2 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    close_on_exec(number)?;
    // SAFETY: it is open, and the number was given to this process on its command line for this one
    // use: nothing else in it has opened, or will close, it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Closes all descriptors but those in `kept`. Only in a copy of another process that ends without
/// dropping what it has of that one: nothing else there may use, or close again, what was closed
/// here.
pub(super) fn close_all_but(kept: impl Iterator<Item = RawFd>) {
    let mut kept: Vec<_> = kept.map(RawFd::unsigned_abs).collect();
    kept.sort_unstable();
    let mut first = 0;
    for number in kept.into_iter().chain([u32::MAX]) {
        if number > first {
            // SAFETY: the caller answers for the owners.
            unsafe { libc::syscall(libc::SYS_close_range, first, number - 1, 0) };
        }
        first = number.saturating_add(1);
    }
}

/// Puts the null device in the place of the standard streams of this process, so that the bot alone
/// holds its pipes: the referee sees the end of its output, or a closed input, at the moment the
/// bot closes them.
///
/// # Errors
/// If there is no null device.
pub(crate) fn give_up_streams() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null");
    let null = null.map_err(|error| io::Error::new(error.kind(), format!("/dev/null: {error}")))?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}
