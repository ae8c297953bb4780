//! The classic game: two fleets on boards of up to 10 rows and 10 columns.
//!
//! The classes are those of the course's specification: [`Point`], [`Direction`], [`Game`] (the
//! parameters of a game and its ship types) and [`Board`] (one player's sea).

mod board;
mod cells;
mod fleet;
mod game;
mod in_play;
mod point;
mod scene;
mod sunk;

pub use board::{AttackResult, Board, Placement, PlacementError, UnplacementError};
pub use cells::{CellSet, Cells};
pub use game::{Game, GameError, MAX_COLS, MAX_ROWS, ShipId, ShipType};
pub(crate) use in_play::ClassicInPlay;
pub use point::{Direction, Point};
