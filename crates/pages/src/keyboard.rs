//! Reads lines that a person types, until the referee is interrupted.

use std::sync::Arc;

use bothost::Interrupt;

use arena::game::Stop;
use arena::system;

/// Longer lines are cut: people do not type them.
const MAX_TYPED: usize = 4096;

/// A person who types at the referee's standard input.
#[derive(Clone, Debug)]
pub struct Keyboard {
    interrupt: Arc<Interrupt>,
}

impl Keyboard {
    /// Returns the keyboard, whose waits `interrupt` ends.
    #[must_use]
    pub fn new(interrupt: Arc<Interrupt>) -> Keyboard {
        Keyboard { interrupt }
    }

    /// Reads a line, without its end, and not a byte beyond it: what follows may be meant for
    /// another process, as a human player's. The end of the input ends a line too. Returns `None`
    /// if the input ends before the line begins.
    ///
    /// # Errors
    /// If the referee is interrupted meanwhile, or if reading fails.
    pub fn read(&self) -> Result<Option<String>, Stop> {
        let mut line = Vec::new();
        loop {
            match self.read_byte()? {
                None if line.is_empty() => return Ok(None),
                None | Some(b'\n') => {
                    return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
                }
                Some(byte) if line.len() < MAX_TYPED => line.push(byte),
                // The rest of a line that is too long is read and dropped, or it would be the next
                // answer.
                Some(_) => {}
            }
        }
    }

    fn read_byte(&self) -> Result<Option<u8>, Stop> {
        system::typed_byte(&self.interrupt).map_err(|error| {
            if self.interrupt.is_noted() {
                Stop::Interrupted
            } else {
                error.into()
            }
        })
    }
}
