//! The wait that Ctrl-C ends.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// An event to wait for: the user's request to stop the program.
#[derive(Debug, Default)]
pub(crate) struct Bell(Arc<Rung>);

/// Whether it has rung.
#[derive(Debug, Default)]
struct Rung {
    has: Mutex<bool>,
    changed: Condvar,
}

impl Rung {
    fn ring(&self) {
        *self.has.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }
}

impl Bell {
    /// Returns a bell that Ctrl-C does not ring.
    pub(crate) fn new() -> io::Result<Bell> {
        Ok(Bell::default())
    }

    /// Has Ctrl-C and Ctrl-Break set `noted` and ring. One that finds it set ends this process with `exit_code`.
    pub(crate) fn listen(&self, noted: &Arc<AtomicBool>, exit_code: u8) -> io::Result<()> {
        let (noted, rung) = (Arc::clone(noted), Arc::clone(&self.0));
        // Not C's signals: what asks for the handler that was set before is itself taken for one by Wine. This handler runs
        // in a thread of its own.
        let heard = ctrlc::set_handler(move || {
            if noted.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(exit_code));
            }
            rung.ring();
        });
        heard.map_err(io::Error::other)
    }

    /// Rings as Ctrl-C does.
    pub(crate) fn ring(&self) {
        self.0.ring();
    }

    /// Waits until it rings or has rung, for at most `time`, or for ever without one.
    pub(crate) fn wait(&self, time: Option<Duration>) -> io::Result<()> {
        let rung = self.0.has.lock().unwrap_or_else(PoisonError::into_inner);
        // It may end early: who waits looks then.
        match time {
            _ if *rung => {}
            Some(time) => drop(self.0.changed.wait_timeout(rung, time)),
            None => drop(self.0.changed.wait(rung)),
        }
        Ok(())
    }
}
