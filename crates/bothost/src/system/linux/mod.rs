//! Bots on Linux: a supervisor for each, which confines the bot and ends all that it starts.

mod cgroup;
mod confine;
#[cfg(test)]
#[path = "tests/either.rs"]
mod either;
mod namespaces;
mod orphans;
mod out_of_memory;
pub(crate) mod paths;
pub mod pin;
mod proc;
mod process;
#[path = "../running.rs"]
mod running;
mod selftest;
#[path = "../start.rs"]
mod start;
mod streams;
mod supervisor;
#[cfg(test)]
#[path = "../threads.rs"]
mod threads;
#[path = "../unix/mod.rs"]
mod unix;

use std::io;
pub(crate) use std::os::fd::OwnedFd as Owned;
use std::process::ExitCode;

use rustix::io::Errno;

#[cfg(test)]
pub(crate) use self::either::{BY_THREADS, Streams, Waiter};
pub(crate) use self::proc::Usage;
pub use self::proc::check_proc;
pub(crate) use self::process::Process;
pub(crate) use self::selftest::test_sandbox;
#[cfg(not(test))]
pub(crate) use self::streams::{Streams, Waiter};
pub use self::supervisor::calls::close_on_exec_from;
pub(crate) use self::unix::*;
pub use self::unix::{find_on_path, hear_all_signals, is_crash, survive_file_size_limit};
use crate::StartError;

impl From<Errno> for StartError {
    fn from(error: Errno) -> StartError {
        io::Error::from(error).into()
    }
}

/// Whether bots have supervisors.
pub(crate) const SUPERVISES: bool = true;

/// Does what this program was started for by this library, to supervise a bot or to test a sandbox,
/// and returns the exit code to leave with; `None` if it was started for something else. Call it
/// first in `main`, before there are other threads. It calls `hide` after it has read the words of
/// a bot's command, which every process may read: there they can be overwritten.
#[must_use]
pub fn supervise_if_asked(hide: impl FnOnce()) -> Option<ExitCode> {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let mut words = words.into_iter();
    let work = words.next()?;
    let argument = words.next()?;
    let argument = argument.to_str()?;
    if work == "supervise" {
        hide();
    }
    Some(match work.to_str()? {
        "supervise" => supervisor::supervise(&serde_json::from_str(argument).ok()?, words).into(),
        "self-test" => selftest::main(&serde_json::from_str(argument).ok()?),
        "attack" => selftest::attack(&serde_json::from_str(argument).ok()?),
        _ => return None,
    })
}
