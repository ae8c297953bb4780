//! One game.

mod classic;
mod demo;
mod twist;
