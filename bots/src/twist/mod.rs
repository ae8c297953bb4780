//! The bots of the 12x12 game with a twist.

mod arena;
mod awful;
mod belief;
mod chart;
mod evidence;
mod fleet;
mod good;
mod guess;
mod human;
mod lines;
mod logbook;
mod mediocre;

pub use arena::play_twist;
pub use awful::TwistAwful;
pub use good::TwistGood;
pub use human::TwistHuman;
pub use mediocre::TwistMediocre;
