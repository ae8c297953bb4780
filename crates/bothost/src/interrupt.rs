//! Ctrl-C and other requests to stop the referee.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::system::Wakeup;

/// Whether the user has asked the referee to stop: Ctrl-C, and on Unix TERM or a hang-up. The first
/// time is only noted, so that a game can end in good order; the second time ends the process at
/// once.
#[derive(Debug)]
pub struct Interrupt {
    noted: Arc<AtomicBool>,
    pub(super) wakeup: Wakeup,
}

impl Interrupt {
    /// Begins to listen for signals. A process should have one of these. The second signal exits
    /// with `exit_code`.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn listen(exit_code: u8) -> io::Result<Interrupt> {
        let interrupt = Interrupt::never()?;
        interrupt.wakeup.listen(&interrupt.noted, exit_code)?;
        Ok(interrupt)
    }

    /// Returns an interrupt that no signal reaches, for games that are played to their end.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn never() -> io::Result<Interrupt> {
        Interrupt::with_flag(Arc::default())
    }

    /// Returns an interrupt with the flag of another one. A wait for a bot under a limit notices the
    /// flag within a tenth of a second.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn with_flag(noted: Arc<AtomicBool>) -> io::Result<Interrupt> {
        Ok(Interrupt {
            noted,
            wakeup: Wakeup::new()?,
        })
    }

    /// Returns the flag that is set once a signal has come.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.noted.clone()
    }

    /// Asks the referee to stop, as a signal does: a person has pressed Ctrl-C on a terminal that
    /// makes no signal of it.
    pub fn note(&self) {
        self.noted.store(true, Ordering::Relaxed);
        self.wakeup.wake();
    }

    /// Returns whether a signal has come.
    #[must_use]
    pub fn is_noted(&self) -> bool {
        // The flag orders nothing else, and the signal handler runs long before its effect is
        // looked for.
        self.noted.load(Ordering::Relaxed)
    }

    /// Waits for `time`, or for ever without one, but not beyond a signal that is noted. Returns
    /// whether none was.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn wait(&self, time: Option<Duration>) -> io::Result<bool> {
        let until = time.and_then(|time| Instant::now().checked_add(time));
        while !self.is_noted() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Ok(true);
            }
            self.wakeup.wait(left)?;
        }
        Ok(false)
    }
}
