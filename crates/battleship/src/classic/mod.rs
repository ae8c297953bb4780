//! The classic game: two fleets on boards of up to 10 rows and 10 columns.
//!
//! The classes are those of the course's specification: [`Point`], [`Direction`], [`Game`] (the parameters
//! of a game and its ship types), [`Board`] (one player's sea) and [`Player`]. [`State`] is a game in progress.

mod board;
mod cells;
mod game;
mod player;
mod point;
mod referee;
mod state;
mod sunk;

pub use board::{AttackError, Board, Placement, PlacementError, Shot, UnplacementError};
pub use cells::{CellSet, Cells};
pub use game::{Game, GameError, MAX_COLS, MAX_ROWS, ShipId, ShipType};
pub use player::{AttackResult, NoAttackResult, Player};
pub use point::{Direction, Point};
pub(crate) use referee::Classic;
pub use state::State;
