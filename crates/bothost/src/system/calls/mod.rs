//! The services that the rest of the crate needs from a page in a browser, by WASI. There are no processes and no threads: a
//! bot is a function of the page's, which receives lines and returns its replies at once.

#![allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")]

mod player;
#[path = "../unsupported.rs"]
mod unsupported;

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

pub(crate) use self::player::{Process, Streams, Waiter};
pub(crate) use self::unsupported::{SUPERVISES, Usage, paths, test_sandbox};
pub use self::unsupported::{check_proc, close_on_exec_from, pin, supervise_if_asked};
use super::BotProgram;

/// Scripts have no first line here that names their interpreter.
pub(crate) fn fault_of_script(_program: &BotProgram) -> Option<String> {
    None
}

/// Every user can read a file here, unless its owner says otherwise.
pub(crate) fn let_others_read(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Files have no limit of their size here.
///
/// # Errors
/// None.
pub fn survive_file_size_limit() -> io::Result<()> {
    Ok(())
}

/// There are no signals here.
pub fn hear_all_signals() {}

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

/// Returns how a player ended, as the end of a sentence that begins with its name.
pub(crate) fn how_it_ended(_status: ExitStatus) -> String {
    "ended".to_owned()
}

/// Players have no files here.
pub(crate) fn make_room_for_files(_wanted: u64) -> Option<u64> {
    None
}

/// Players are not processes here.
pub(crate) fn tasks_left() -> Option<u64> {
    None
}

/// Returns whether there is no memory left; players need some to start.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

/// The identity of a file that tells it from one that is put in its place: its size, and the time of the last change.
pub(crate) type Identity = (u64, Option<SystemTime>);

/// Returns what tells this file from one that is put in its place.
pub(crate) fn identity_of(file: &Metadata) -> Identity {
    (file.len(), file.modified().ok())
}

/// Returns what to write in place of a player that the page does not have.
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
