//! The services that the rest of the crate needs from a page in a browser, by WASI. There are no
//! processes and no threads: a bot is a function of the page's, which receives lines and returns
//! its replies at once.

#![allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")]

#[path = "../not_unix.rs"]
mod not_unix;
mod player;
#[path = "../unsupported.rs"]
mod unsupported;

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(crate) use self::not_unix::{
    Identity, fault_of_script, identity_of, let_others_read, raise_file_limit, tasks_left,
};
pub use self::not_unix::{hear_all_signals, survive_file_size_limit};
pub(crate) use self::player::{Process, Streams, Waiter};
pub(crate) use self::unsupported::{SUPERVISES, Usage, paths, test_sandbox};
pub use self::unsupported::{check_proc, close_on_exec_from, pin, supervise_if_asked};
use super::BotProgram;

/// Nothing is looked for here.
#[must_use]
pub fn find_on_path(_file: &OsStr) -> Option<PathBuf> {
    None
}

/// A player that ends here says why.
#[must_use]
pub fn is_crash(_status: ExitStatus) -> bool {
    false
}

/// Returns the end of a player, as the end of a sentence that begins with its name.
pub(crate) fn how_it_ended(_status: ExitStatus) -> String {
    "ended".to_owned()
}

/// Returns whether there is no memory left; players need some to start.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

/// Returns the message about a player that the page does not have.
pub(crate) fn advice(program: &BotProgram, _error: &io::Error) -> String {
    format!("this page has no player {}", program.file.display())
}

/// Nothing ends a wait here: a page that stops a contest ends its worker.
#[derive(Debug)]
pub(crate) struct Wakeup;

impl Wakeup {
    pub(crate) fn new() -> io::Result<Wakeup> {
        Ok(Wakeup)
    }

    pub(crate) fn listen(&self, _noted: &Arc<AtomicBool>, _exit_code: u8) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn wake(&self) {}

    /// Lets `time` pass on the clock of the page.
    pub(crate) fn wait(&self, time: Option<Duration>) -> io::Result<()> {
        time.into_iter().for_each(std::thread::sleep);
        Ok(())
    }
}
