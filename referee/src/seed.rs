//! The seed of a game or a contest.

use std::io;

use super::note;
use arena::game::draw_seed;

/// A seed, and whether it was drawn because none was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    pub(crate) value: u64,
    pub(crate) drawn: bool,
}

impl Seed {
    /// Returns the seed that was given, or draws one.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub(crate) fn given_or_drawn(given: Option<u64>) -> io::Result<Seed> {
        let value = match given {
            Some(value) => value,
            None => draw_seed()?,
        };
        Ok(Seed {
            value,
            drawn: given.is_none(),
        })
    }

    /// Returns a seed that follows from another, so no one has typed it.
    #[must_use]
    pub(crate) fn following(value: u64) -> Seed {
        Seed { value, drawn: true }
    }

    /// Prints the seed if it was drawn, so that what follows can be repeated.
    pub(crate) fn report(self) {
        if self.drawn {
            note(&format!("seed {0}; --seed {0} repeats this", self.value));
        }
    }
}
