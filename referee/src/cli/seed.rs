//! The seed of a game or a contest.

use std::io;

use super::complain;
use arena::game::draw_seed;

/// Reads a seed as it is typed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("it is not a number from 0 to {}", u64::MAX))
}

/// A seed, and whether it was drawn because none was given.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    pub value: u64,
    pub drawn: bool,
}

impl Seed {
    /// Returns the seed that was given, or draws one.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub fn given_or_drawn(given: Option<u64>) -> io::Result<Seed> {
        match given {
            Some(value) => Ok(Seed {
                value,
                drawn: false,
            }),
            None => Ok(Seed {
                value: draw_seed()?,
                drawn: true,
            }),
        }
    }

    /// Returns a seed that follows from another, so no one has typed it.
    #[must_use]
    pub fn following(value: u64) -> Seed {
        Seed { value, drawn: true }
    }

    /// Prints the seed if it was drawn, so that what follows can be repeated.
    pub fn report(self) {
        if self.drawn {
            complain(&format!("seed {0}; --seed {0} repeats this", self.value));
        }
    }
}
