//! One game.

mod classic;
mod demo;
mod first_aid;
mod twist;
