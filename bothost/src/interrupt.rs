//! Ctrl-C and other requests to stop the referee.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

/// Lets a write beyond the limit of file sizes (`ulimit -f`) fail with an error, where it would end this process without a
/// word. Bots are started with the usual effect of the signal.
///
/// # Errors
/// If the operating system refuses.
pub fn survive_file_size_limit() -> io::Result<()> {
    // A handler, since exec resets it; that a signal is ignored would be inherited.
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Whether the user has asked the referee to stop: Ctrl-C, TERM or a hang-up. The first time is only noted, so that a
/// game can end in good order; the second time ends the process at once.
#[derive(Debug)]
pub struct Interrupt {
    noted: Arc<AtomicBool>,
    /// Readable as soon as a signal has come.
    wake: UnixStream,
    /// Kept open, since a closed one would make `wake` readable.
    waker: UnixStream,
}

impl Interrupt {
    /// Begins to listen for signals. A process should have one of these. The second signal exits with `exit_code`.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn listen(exit_code: u8) -> io::Result<Interrupt> {
        let noted = Arc::new(AtomicBool::new(false));
        let (wake, waker) = UnixStream::pair()?;
        // A process can inherit that SIGCHLD is ignored, and then the kernel reaps its children by itself: `wait`
        // finds none and their exit status is lost. Any handler replaces that.
        signal_hook::flag::register(SIGCHLD, Arc::default())?;
        // A signal that was ignored at the start stays ignored: that is how nohup(1) and shells protect a
        // background job.
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal)) {
            // In this order: a signal that finds the flag set ends the process, then it sets the flag.
            let code = i32::from(exit_code);
            signal_hook::flag::register_conditional_shutdown(signal, code, noted.clone())?;
            signal_hook::flag::register(signal, noted.clone())?;
            signal_hook::low_level::pipe::register(signal, waker.try_clone()?)?;
        }
        Ok(Interrupt { noted, wake, waker })
    }

    /// Returns an interrupt that no signal reaches, for games that are played to their end.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn deaf() -> io::Result<Interrupt> {
        let (wake, waker) = UnixStream::pair()?;
        Ok(Interrupt { noted: Arc::default(), wake, waker })
    }

    /// Asks the referee to stop, as a signal does: a person has pressed Ctrl-C where that is a key and no signal.
    pub fn note(&self) {
        self.noted.store(true, Ordering::Relaxed);
        // If it is full, it is readable already.
        let _ = (&self.waker).write(&[0]);
    }

    /// Returns whether a signal has come.
    #[must_use]
    pub fn is_noted(&self) -> bool {
        // The flag orders nothing else, and the signal handler runs long before its effect is looked for.
        self.noted.load(Ordering::Relaxed)
    }
}

impl Interrupt {
    /// Waits for `time`, or for ever without one, but not beyond a signal that is noted. Returns whether none was.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn wait(&self, time: Option<Duration>) -> io::Result<bool> {
        let until = time.and_then(|time| Instant::now().checked_add(time));
        while !self.is_noted() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            match poll(&mut [PollFd::new(&self.wake, PollFlags::IN)], timeout.as_ref()) {
                Ok(0) => return Ok(true),
                // Another signal, as that of a child that has ended, does not end the wait.
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(false)
    }
}

/// Returns whether this process inherited that it ignores `signal`, as under `nohup` a hang-up. A system without
/// `/proc` does not say; then it does not.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// To be polled together with the pipes; it is never read, so it stays readable.
impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
