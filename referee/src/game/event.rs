use std::io;
use std::time::Duration;

use battleship::protocol::{Order, OrderResult};
use battleship::twist::State;
use battleship::{AttackResult, Board, Point};
use thiserror::Error;

use super::Ending;
use bothost::Side;

/// Something that happens in a game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'e> {
    /// Both players have placed their ships.
    Placed,
    /// It is the turn of `mover`, who attacks `target`.
    Turn {
        /// Whose turn it is.
        mover: Side,
        /// The opponent's board.
        target: &'e Board<'e>,
    },
    /// `mover` has attacked `target`.
    Attacked {
        /// Whose turn it is.
        mover: Side,
        /// The opponent's board, after the attack.
        target: &'e Board<'e>,
        /// Where the attack was made.
        at: Point,
        /// What became of it.
        result: AttackResult,
        /// How long the player took.
        time: Duration,
    },
    /// Both players of a twist game have placed their units.
    UnitsPlaced {
        /// The game before its first turn.
        state: &'e State,
    },
    /// It is the turn of `mover` in a twist game.
    TurnToOrder {
        /// Whose turn it is.
        mover: Side,
        /// The game at this time.
        state: &'e State,
    },
    /// `mover` has had its turn in a twist game.
    Ordered {
        /// Whose turn it was.
        mover: Side,
        /// What it wanted.
        order: Order,
        /// What became of it.
        result: &'e OrderResult,
        /// How long the player took.
        time: Duration,
        /// The game after that.
        state: &'e State,
    },
    /// The game is over.
    Ended {
        /// How.
        ending: &'e Ending,
        /// Each player's own board, if it came to a classic game.
        boards: Option<[&'e Board<'e>; 2]>,
    },
}

/// Why a listener wants the game to stop.
#[derive(Debug, Error)]
pub(crate) enum Stop {
    /// Somebody asked the referee to stop.
    #[error("interrupted")]
    Interrupted,
    /// It cannot write down what it hears.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Somebody who is told what happens in a game.
pub(crate) trait Listener {
    /// Hears of `event`.
    ///
    /// # Errors
    /// If the game is to stop.
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop>;
}

/// Listeners in a row hear everything in that order.
impl<L: Listener + ?Sized> Listener for Vec<&mut L> {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        self.iter_mut().try_for_each(|listener| listener.hear(event))
    }
}
