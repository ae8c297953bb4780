//! Descriptors that a process of the referee has inherited, or has as a copy of another.

use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};

use rustix::io::{FdFlags, fcntl_setfd};

/// Has every open descriptor from `first` on closed in the programs that this process starts. Call it before there are
/// other threads.
pub fn close_on_exec_from(first: i32) {
    // Marked and not closed: this process may use them, and a descriptor closed behind the back of its owner would be
    // given to the next file that is opened. Rust marks all that it opens; this is for what was inherited. Without
    // /proc the open ones are unknown, and stay.
    for entry in std::fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .flatten()
    {
        let number = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        let Some(number) = number.filter(|number| *number >= first) else {
            continue;
        };
        #[allow(
            unsafe_code,
            reason = "std has no safe name for a descriptor that was inherited"
        )]
        // SAFETY: the descriptor is open, as the folder that is just being read says, and no other thread of
        // this process runs yet that could close it; it is borrowed for one call.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
    }
}

/// Takes the descriptor `number`, which this process has inherited and nothing else in it uses. The programs that this process
/// starts do not inherit it.
///
/// # Errors
/// If it is a standard stream, or nothing is open under that number.
pub(super) fn inherited(number: i32) -> io::Result<OwnedFd> {
    if number <= 2 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    #[allow(
        unsafe_code,
        reason = "std has no safe name for a descriptor that was inherited"
    )]
    // SAFETY: borrowed for one call, which fails if the descriptor is not open.
    let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl_setfd(descriptor, FdFlags::CLOEXEC)?;
    #[allow(unsafe_code, reason = "as above")]
    // SAFETY: it is open, and the number was given to this process on its command line for this one use: nothing
    // else in it has opened, or will close, it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Closes all descriptors but those in `kept`. Only in a copy of another process that ends without dropping what it has
/// of that one: nothing else there may use, or close again, what was closed here.
pub(super) fn close_all_but(kept: &[RawFd]) {
    let mut kept: Vec<_> = kept.iter().map(|number| number.unsigned_abs()).collect();
    kept.sort_unstable();
    let mut first = 0;
    for number in kept.into_iter().chain([u32::MAX]) {
        if number > first {
            #[allow(
                unsafe_code,
                reason = "std has no safe way to close what may have an owner"
            )]
            // SAFETY: the caller answers for the owners.
            unsafe {
                libc::syscall(libc::SYS_close_range, first, number - 1, 0);
            }
        }
        first = number.saturating_add(1);
    }
}

/// The device that takes everything and has nothing.
const NULL: &str = "/dev/null";

/// Puts the null device in the place of the standard streams of this process, so that the bot alone holds its pipes: the
/// referee sees the end of its output, or a closed input, at the moment the bot closes them.
///
/// # Errors
/// If there is no null device.
pub(super) fn give_up_streams() -> io::Result<()> {
    let null = File::options().read(true).write(true).open(NULL);
    let null = null.map_err(|error| io::Error::new(error.kind(), format!("{NULL}: {error}")))?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}
