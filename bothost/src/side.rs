//! The sides of a game, for its two bots.

pub use battleship::Side;
