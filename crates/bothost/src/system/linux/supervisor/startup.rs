//! The reports of the processes that a supervisor forks to become its bot: why there is no bot, and
//! how the bot has ended.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::calls::close_all_but;
use crate::program::StartError;

/// The exit status of a supervisor that could not start its bot: what env(1) uses. For a reader of
/// a process list; the referee goes by what is reported.
pub(crate) const NOT_STARTED: u8 = 125;

/// The exit status of a supervisor that does not know how its bot ended.
pub(super) const UNKNOWN: u8 = 128;

/// The ends of the forked processes. The bot inherits none of them.
#[derive(Debug)]
pub(crate) struct Startup {
    /// Closed when the bot's program runs: that is when no forked process has it any more.
    pub(super) failure: Option<PipeWriter>,
    pub(super) status: PipeWriter,
}

impl Startup {
    /// Reports why there will be no bot. Returns the status to end with.
    pub(crate) fn failed(&mut self, error: &StartError) -> i32 {
        let error = serde_json::to_vec(error).expect("text can be written in JSON");
        if let Some(pipe) = &mut self.failure {
            // If the supervisor is gone nobody is left to read it.
            let _ = pipe.write_all(&error);
        }
        NOT_STARTED.into()
    }

    /// Closes every descriptor but the standard streams and those of this.
    pub(crate) fn close_others(&self) {
        let failure = self.failure.as_ref().map(AsRawFd::as_raw_fd);
        let own = [0, 1, 2, self.status.as_raw_fd()];
        close_all_but(own.into_iter().chain(failure));
    }

    /// Returns whether the supervisor, which started this process, is gone. Only after
    /// [`Startup::close_others`].
    pub(crate) fn is_orphaned(&self) -> bool {
        // A pipe without a reader has an error.
        let mut watched = [PollFd::new(&self.status, PollFlags::empty())];
        poll(&mut watched, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// Leaves failures to the bot's own process.
    pub(crate) fn leave_to_bot(&mut self) {
        self.failure = None;
    }

    /// Reports how the bot has ended.
    pub(crate) fn ended(&mut self, status: i32) {
        let _ = self.status.write_all(&status.to_ne_bytes());
    }
}

/// Waits until the program of the bot runs, or until `failure` says why it does not.
pub(super) fn wait_for_program(mut failure: PipeReader) -> Result<(), StartError> {
    let mut why = Vec::new();
    failure.read_to_end(&mut why)?;
    if why.is_empty() {
        return Ok(());
    }
    Err(serde_json::from_slice(&why).map_err(io::Error::from)?)
}

/// Reads how a bot has ended; `None` if no process was left to report it.
pub(super) fn reported_status(mut pipe: &PipeReader) -> Option<ExitStatus> {
    let mut status = [0; 4];
    pipe.read_exact(&mut status).ok()?;
    Some(ExitStatus::from_raw(i32::from_ne_bytes(status)))
}
