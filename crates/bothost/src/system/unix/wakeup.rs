//! The wait that a signal ends.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use super::read_kernel_file;
use crate::Interrupt;

/// A wait that ends when this process is asked to stop.
#[derive(Debug)]
pub(crate) struct Wakeup {
    /// Readable once there was such a signal.
    receiver: UnixStream,
    /// Kept open, since a closed one would make `receiver` readable.
    sender: UnixStream,
}

impl Wakeup {
    /// Returns a wait that no signal ends.
    pub(crate) fn new() -> io::Result<Wakeup> {
        let (receiver, sender) = UnixStream::pair()?;
        Ok(Wakeup { receiver, sender })
    }

    /// Has the signals that ask a program to stop set `noted` and end the wait. One that finds
    /// `noted` set ends this process with `exit_code`.
    pub(crate) fn listen(&self, noted: &Arc<AtomicBool>, exit_code: u8) -> io::Result<()> {
        // A process can inherit that SIGCHLD is ignored, and then the kernel reaps its children by
        // itself: `wait` finds none and their exit status is lost. Any handler replaces that.
        signal_hook::flag::register(SIGCHLD, Arc::default())?;
        // A signal that was ignored at the start stays ignored: that is how nohup(1) and shells
        // protect a background job.
        for signal in [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|signal| !is_ignored(*signal))
        {
            // In this order: a signal that finds the flag set ends the process, then it sets the
            // flag.
            let code = i32::from(exit_code);
            signal_hook::flag::register_conditional_shutdown(signal, code, noted.clone())?;
            signal_hook::flag::register(signal, noted.clone())?;
            signal_hook::low_level::pipe::register(signal, self.sender.try_clone()?)?;
        }
        Ok(())
    }

    /// Ends the wait as a signal does.
    pub(crate) fn wake(&self) {
        // If it is full, it is readable already.
        let _ = (&self.sender).write(&[0]);
    }

    /// Waits until a signal that asks to stop has come, for at most `time`, or for ever without
    /// one. Another signal may end the wait too.
    pub(crate) fn wait(&self, time: Option<Duration>) -> io::Result<()> {
        let timeout = time.and_then(|time| Timespec::try_from(time).ok());
        match poll(
            &mut [PollFd::new(&self.receiver, PollFlags::IN)],
            timeout.as_ref(),
        ) {
            // Another signal, as that of a child that has ended.
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns whether this process inherited that it ignores `signal`, as under `nohup` a hang-up. A
/// system without `/proc` does not say; then it does not.
fn is_ignored(signal: i32) -> bool {
    let status = read_kernel_file(Path::new("/proc/self/status")).unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// To be polled together with pipes; it is never read, so it stays readable.
impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wakeup.receiver.as_fd()
    }
}
