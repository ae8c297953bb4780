//! The players that the referee comes with, in the table [`SHIPPED`]. Each plays every game, and
//! [`Shipped::program`] makes a program of it that speaks the protocol.

#![forbid(unsafe_code)]

/// The keys that end the input of a terminal, as texts for people name them.
#[cfg(windows)]
macro_rules! end_of_input {
    () => {
        "Ctrl-Z and enter"
    };
}
#[cfg(not(windows))]
macro_rules! end_of_input {
    () => {
        "Ctrl-D"
    };
}

mod any_game;
mod awful;
mod fleet;
mod good;
mod human;
mod mediocre;
mod player;
mod shipped;
mod terminal;
mod twist;

pub use any_game::Person;
pub use fleet::random_fleet;
pub use good::{
    AttackChances, Good, HitChance, Memory, Shooter, Thinking, advise, attacks_needed, review,
};
pub use player::create_player;
pub use shipped::{MARK, SHIPPED, Settings, Shipped};
pub use terminal::Terminal;
pub use twist::{TwistAwful, TwistGood, TwistHuman, TwistMediocre, play_twist};
