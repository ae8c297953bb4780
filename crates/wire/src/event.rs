//! What happens in a game, for those who listen.

use std::any::Any;
use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::{Ending, Side};

/// Something that happens in a game. A `position` is what the game shows of itself at that moment,
/// of a type that the game's crate names: `battleship::table::InPlay` for Battleship.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// The turns begin.
    Begun {
        /// The game before its first turn.
        position: &'e dyn Any,
    },
    /// A player is asked for its turn.
    Asked {
        /// The player.
        side: Side,
        /// The game before the turn.
        position: &'e dyn Any,
    },
    /// A player has had its turn.
    Played {
        /// The player.
        side: Side,
        /// The time that the player took.
        time: Duration,
        /// The game after the turn.
        position: &'e dyn Any,
    },
    /// A player has said something that the game does not depend on, before its reply.
    Comment {
        /// The player.
        side: Side,
        /// The line, which begins with `#`, without its end.
        line: &'e [u8],
    },
    /// The game is over.
    Ended {
        /// The ending.
        ending: &'e Ending,
        /// The game at its end, which may come before its first turn; `None` if it never began.
        position: Option<&'e dyn Any>,
    },
}

/// The reason of a listener for stopping the game.
#[derive(Debug, Error)]
pub enum Stop {
    /// The referee was asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The listener cannot write down what it receives.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Stop> for io::Error {
    fn from(stop: Stop) -> io::Error {
        match stop {
            Stop::Interrupted => io::ErrorKind::Interrupted.into(),
            Stop::Io(error) => error,
        }
    }
}

/// Receives events of one kind: those of a game, or of a contest.
pub trait Listener<E: ?Sized> {
    /// Receives `event`.
    ///
    /// # Errors
    /// If what the event is of has to stop.
    fn on_event(&mut self, event: &E) -> Result<(), Stop>;
}

/// Receives the events of a game.
pub type GameListener<'l> = dyn for<'e> Listener<Event<'e>> + 'l;

/// Listens to nothing.
impl<E: ?Sized> Listener<E> for () {
    fn on_event(&mut self, _event: &E) -> Result<(), Stop> {
        Ok(())
    }
}

/// Listeners in a row receive each event in that order.
impl<E: ?Sized, L: Listener<E> + ?Sized> Listener<E> for Vec<&mut L> {
    fn on_event(&mut self, event: &E) -> Result<(), Stop> {
        self.iter_mut()
            .try_for_each(|listener| listener.on_event(event))
    }
}
