//! The events of a game, for those who listen.

use std::io;
use std::time::Duration;

use battleship::{GameInPlay, Side, Turn};
use bothost::BotPair;
use thiserror::Error;

use super::Ending;

/// Something that happens in a game.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Both players have placed their ships.
    Placed {
        /// The game before its first turn.
        position: &'e dyn GameInPlay,
    },
    /// It is the turn of `mover`.
    Turn {
        /// The side whose turn it is.
        mover: Side,
        /// The game before the turn.
        position: &'e dyn GameInPlay,
    },
    /// `mover` has had its turn.
    Played {
        /// The side whose turn it was.
        mover: Side,
        /// The turn.
        turn: &'e Turn,
        /// The time that the player took.
        time: Duration,
        /// The game after the turn.
        position: &'e dyn GameInPlay,
    },
    /// A player has said something that the game does not depend on, before its reply.
    Comment {
        /// The player.
        by: Side,
        /// The line, which begins with `#`, without its end.
        line: &'e [u8],
    },
    /// The game is over.
    Ended {
        /// The ending.
        ending: &'e Ending,
        /// The game at its end, which may come before both players have placed their ships; `None` if it never began.
        position: Option<&'e dyn GameInPlay>,
    },
}

/// The reason of a listener for stopping the game.
#[derive(Debug, Error)]
pub enum Stop {
    /// The referee was asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// It cannot write down what it hears.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Hears what happens in a game.
pub trait Listener {
    /// Hears of `event`.
    ///
    /// # Errors
    /// If the game is to stop.
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop>;

    /// May look at the bots, and speak with them, before the player on `mover` is asked for its turn.
    ///
    /// # Errors
    /// If the game is to stop.
    fn before_turn(&mut self, _mover: Side, _bots: &mut BotPair) -> Result<(), Stop> {
        Ok(())
    }
}

/// Listeners in a row hear everything in that order.
impl<L: Listener + ?Sized> Listener for Vec<&mut L> {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        self.iter_mut()
            .try_for_each(|listener| listener.hear(event))
    }

    fn before_turn(&mut self, mover: Side, bots: &mut BotPair) -> Result<(), Stop> {
        self.iter_mut()
            .try_for_each(|listener| listener.before_turn(mover, bots))
    }
}
