//! Closes the descriptors that the referee's parent has left open, for the programs it starts.

use std::os::fd::BorrowedFd;

use rustix::io::{FdFlags, fcntl_setfd};

/// Has every open descriptor from `first` on closed in the programs that this process starts. Call it before there are
/// other threads.
pub fn close_on_exec_from(first: i32) {
    // Marked and not closed: this process may use them, and a descriptor closed behind the back of its owner would be
    // given to the next file that is opened. Rust marks all that it opens; this is for what was inherited. Without
    // /proc the open ones are unknown, and stay.
    for entry in std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(number) = number.filter(|number| *number >= first) else { continue };
        #[allow(unsafe_code, reason = "std has no safe name for a descriptor that was inherited")]
        // SAFETY: the descriptor is open, as the folder that is just being read says, and no other thread of
        // this process runs yet that could close it; it is borrowed for one call.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
    }
}
