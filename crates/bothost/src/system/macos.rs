//! Bots on macOS: a process group for each, and pipes that are served by threads.

#![allow(clippy::unnecessary_wraps, reason = "as on Linux, where it can fail")]

#[path = "running.rs"]
mod running;
#[path = "start.rs"]
mod start;
#[path = "threads.rs"]
mod threads;
#[path = "unix/mod.rs"]
mod unix;
#[path = "unsupervised.rs"]
mod unsupervised;
#[path = "unsupported.rs"]
mod unsupported;

pub(crate) use std::os::fd::OwnedFd as Owned;
use std::time::Duration;

pub(crate) use self::threads::{Streams, Waiter};
pub(crate) use self::unix::*;
pub use self::unix::{find_on_path, hear_all_signals, is_crash, survive_file_size_limit};
pub(crate) use self::unsupervised::Process;
pub(crate) use self::unsupported::{SUPERVISES, Usage, paths, test_sandbox};
pub use self::unsupported::{check_proc, close_on_exec_from, pin, supervise_if_asked};

impl Group {
    /// Returns the processor time of all that were in the group: unknown.
    #[allow(clippy::unused_self, reason = "as on Windows, where it is known")]
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        None
    }
}
