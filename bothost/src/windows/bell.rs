//! What Ctrl-C wakes.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use signal_hook::consts::SIGINT;

/// How often a wait looks whether Ctrl-C was pressed: its handler wakes no thread.
const TICK: Duration = Duration::from_millis(20);

/// What can be waited for: that the user asks the program to stop.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    /// Set by Ctrl-C.
    noted: Mutex<Option<Arc<AtomicBool>>>,
    rung: Condvar,
}

impl Bell {
    /// Returns a bell that Ctrl-C does not ring.
    pub(crate) fn new() -> io::Result<Bell> {
        Ok(Bell::default())
    }

    /// Has Ctrl-C and Ctrl-Break set `noted` and ring. One that finds it set ends this process with `exit_code`.
    pub(crate) fn listen(&self, noted: &Arc<AtomicBool>, exit_code: u8) -> io::Result<()> {
        // In this order: a signal that finds the flag set ends the process, then it sets the flag.
        let code = i32::from(exit_code);
        signal_hook::flag::register_conditional_shutdown(SIGINT, code, noted.clone())?;
        signal_hook::flag::register(SIGINT, noted.clone())?;
        *self.noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(noted.clone());
        Ok(())
    }

    /// Rings as Ctrl-C does.
    pub(crate) fn ring(&self) {
        self.rung.notify_all();
    }

    /// Waits until it rings, for at most `time` and at most some 20 ms: who waits looks then.
    pub(crate) fn wait(&self, time: Option<Duration>) -> io::Result<()> {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if !noted.as_ref().is_some_and(|noted| noted.load(Ordering::Relaxed)) {
            let patience = time.map_or(TICK, |time| time.min(TICK));
            let _ = self.rung.wait_timeout(noted, patience);
        }
        Ok(())
    }
}
