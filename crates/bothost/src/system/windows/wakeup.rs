//! The wait that Ctrl-C ends.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// An event to wait for: the user's request to stop the program.
#[derive(Debug, Default)]
pub(crate) struct Wakeup(Arc<Request>);

/// Whether the request has come.
#[derive(Debug, Default)]
struct Request {
    has_come: Mutex<bool>,
    changed: Condvar,
}

impl Request {
    fn make(&self) {
        *self.has_come.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }
}

impl Wakeup {
    /// Returns a wait that Ctrl-C does not end.
    pub(crate) fn new() -> io::Result<Wakeup> {
        Ok(Wakeup::default())
    }

    /// Has Ctrl-C and Ctrl-Break set `noted` and end the wait. One that finds `noted` set ends this
    /// process with `exit_code`.
    pub(crate) fn listen(&self, noted: &Arc<AtomicBool>, exit_code: u8) -> io::Result<()> {
        let noted = Arc::clone(noted);
        let request = Arc::clone(&self.0);
        // Not C's signals: what asks for the handler that was set before is itself taken for one by
        // Wine. This handler runs in a thread of its own.
        let heard = ctrlc::set_handler(move || {
            if noted.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(exit_code));
            }
            request.make();
        });
        heard.map_err(io::Error::other)
    }

    /// Ends the wait as Ctrl-C does.
    pub(crate) fn wake(&self) {
        self.0.make();
    }

    /// Waits until the request has come, for at most `time`, or for ever without one.
    pub(crate) fn wait(&self, time: Option<Duration>) -> io::Result<()> {
        let has_come = self
            .0
            .has_come
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // It may end early: who waits looks then.
        match time {
            _ if *has_come => {}
            Some(time) => drop(self.0.changed.wait_timeout(has_come, time)),
            None => drop(self.0.changed.wait(has_come)),
        }
        Ok(())
    }
}
