//! The time that a player has.

use std::time::Duration;

/// The time that a player has in a game, decided once when the game is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// No limit, as for a person.
    #[default]
    None,
    /// This long for each reply.
    Wall(Duration),
    /// This long for all replies of a game together. Each reply adds the increment.
    Game {
        /// The time at the beginning of the game.
        total: Duration,
        /// The time that each reply adds.
        increment: Duration,
    },
    /// This many million units of fuel for each reply of a WebAssembly module: the same on every
    /// machine.
    Fuel {
        /// The millions. One lasts for a millisecond of the module's own clock.
        millions: u32,
    },
}

impl Clock {
    /// The time for each reply, by the player's own clock; `None` if a reply has no limit of its
    /// own.
    #[must_use]
    pub fn reply_limit(self) -> Option<Duration> {
        match self {
            Clock::Wall(limit) => Some(limit),
            Clock::Fuel { millions } => Some(Duration::from_millis(millions.into())),
            Clock::Game { .. } | Clock::None => None,
        }
    }
}
