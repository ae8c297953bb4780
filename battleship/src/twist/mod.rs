//! The 12x12 game with a twist: units that move, repair each other and search.

mod admiral;

pub use admiral::Admiral;
