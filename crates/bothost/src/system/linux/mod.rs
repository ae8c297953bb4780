//! Bots on Linux: a supervisor for each, which confines the bot and ends all that it starts.

mod cgroup;
pub(crate) mod confine;
#[cfg(test)]
#[path = "tests/either.rs"]
pub(crate) mod either;
mod namespaces;
pub(crate) mod orphans;
pub(crate) mod proc;
pub(crate) mod process;
pub(crate) mod selftest;
pub(crate) mod streams;
pub(crate) mod supervisor;

use std::process::ExitCode;

pub use self::proc::check_proc;
pub use self::supervisor::calls::close_on_exec_from;

/// Does what this program was started for by this library, to supervise a bot or to test a sandbox, and returns the exit code
/// to leave with; `None` if it was started for something else. Call it first in `main`, before there are other threads.
#[must_use]
pub fn supervise_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let (work, argument) = (words.next()?, words.next()?);
    let argument = argument.to_str()?;
    Some(match work.to_str()? {
        "supervise" => supervisor::supervise(&serde_json::from_str(argument).ok()?, words).into(),
        "self-test" => selftest::main(&serde_json::from_str(argument).ok()?),
        "attack" => selftest::attack(&serde_json::from_str(argument).ok()?),
        _ => return None,
    })
}
