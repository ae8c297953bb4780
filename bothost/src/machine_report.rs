//! How a supervisor tells the referee that the machine, and not the bot, is why a bot was not started.
//!
//! It says so through a pair of sockets of its own. Standard error and exit statuses are the bot's too: one that is about
//! to lose could claim there that the machine has failed. Sockets, because the two ends of a pipe can be opened through
//! `/proc/PID/fd` by any process of the same user where nothing confines it.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::io::{Errno, FdFlags, fcntl_setfd};

use super::text;

/// The longest report that is read, in bytes; a longer one is cut.
const LONGEST: usize = 1024;

/// The referee's end: what the supervisor has reported.
#[derive(Debug)]
pub(super) struct MachineReport(OwnedFd);

/// The supervisor's end, to be inherited by it alone.
pub(super) struct Reporter(OwnedFd);

impl MachineReport {
    /// Returns the two ends of a new pair. Neither is inherited by any process as long as nothing else is said.
    pub(super) fn new() -> io::Result<(MachineReport, Reporter)> {
        let (read, write) = UnixStream::pair()?;
        read.set_nonblocking(true)?;
        Ok((MachineReport(read.into()), Reporter(write.into())))
    }

    /// Returns what has been reported, fit to be shown; `None` if nothing was.
    pub(super) fn read(&self) -> Option<String> {
        let mut buffer = [0; LONGEST];
        let count = loop {
            match rustix::io::read(&self.0, &mut buffer) {
                Ok(count) => break count,
                Err(Errno::INTR) => {}
                Err(_) => return None,
            }
        };
        (count > 0).then(|| text::shown(&buffer[..count]))
    }
}

impl Reporter {
    /// Returns the number under which a process that inherits this end finds it.
    pub(super) fn number(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// Returns the descriptor that the process is to inherit.
    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// Reports this. A report that cannot be written is lost: then the exit status has to do.
    pub(super) fn report(&self, what: &str) {
        let _ = rustix::io::write(self.0.as_fd(), &what.as_bytes()[..what.len().min(LONGEST)]);
    }

    /// Returns the end that this process inherited under `number`.
    ///
    /// # Errors
    /// If nothing is open under that number.
    pub(super) fn inherited(number: i32) -> io::Result<Reporter> {
        let end = super::descriptors::inherited(number)?;
        // As the one that passed it on: not for the programs that this process starts.
        fcntl_setfd(&end, FdFlags::CLOEXEC)?;
        Ok(Reporter(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reported_is_read_once_and_silence_is_no_report() {
        let (report, reporter) = MachineReport::new().unwrap();
        assert_eq!(report.read(), None);
        reporter.report("no process to spare");
        assert_eq!(report.read().unwrap(), "no process to spare");
        drop(reporter);
        assert_eq!(report.read(), None);
    }

    #[test]
    fn a_report_of_any_length_is_cut() {
        let (report, reporter) = MachineReport::new().unwrap();
        reporter.report(&"ä".repeat(40_000));
        assert!(report.read().unwrap().len() <= 2 * LONGEST);
    }
}
