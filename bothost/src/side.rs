//! The two bots of a lane: the sides of a game.

pub use battleship::Side;
