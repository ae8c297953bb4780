//! Reads lines that a person types, until the referee is interrupted.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::game::Stop;
use bothost::Interrupt;

/// Longer lines are cut: people do not type them.
const MAX_TYPED: usize = 4096;

/// A person who types at the referee's standard input.
#[derive(Clone, Debug)]
pub(crate) struct Keyboard {
    interrupt: Arc<Interrupt>,
}

impl Keyboard {
    /// Returns the keyboard, whose waits `interrupt` ends.
    pub(crate) fn new(interrupt: Arc<Interrupt>) -> Keyboard {
        Keyboard { interrupt }
    }

    /// Reads a line, without its end, and not a byte beyond it: what follows may be meant for another process, as a
    /// human player's. The end of the input ends a line too. Returns `None` if the input ends before the line begins.
    ///
    /// # Errors
    /// If the referee is interrupted meanwhile, or if reading fails.
    pub(crate) fn read(&self) -> Result<Option<String>, Stop> {
        let mut line = Vec::new();
        loop {
            match self.read_byte()? {
                None if line.is_empty() => return Ok(None),
                None | Some(b'\n') => {
                    return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
                }
                Some(byte) if line.len() < MAX_TYPED => line.push(byte),
                // The rest of a line that is too long is read and dropped, or it would be the next answer.
                Some(_) => {}
            }
        }
    }

    fn read_byte(&self) -> Result<Option<u8>, Stop> {
        let stdin = io::stdin();
        let stdin = stdin.as_fd();
        // Byte by byte and not through std's buffer, which would take all that is there.
        let mut byte = [0];
        loop {
            let mut watched =
                [PollFd::new(&*self.interrupt, PollFlags::IN), PollFd::new(&stdin, PollFlags::IN)];
            match poll(&mut watched, None) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(io::Error::from(error).into()),
            }
            if self.interrupt.is_noted() {
                return Err(Stop::Interrupted);
            }
            match rustix::io::read(stdin, &mut byte) {
                Ok(count) => return Ok((count > 0).then_some(byte[0])),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(io::Error::from(error).into()),
            }
        }
    }
}
