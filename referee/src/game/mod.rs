//! One game between the two bots of a lane: the course's `Game::play` loop, and that of the twist game. It emits events and prints nothing.

mod classic;
mod ending;
mod entrant;
mod event;
mod greeting;
mod placement;
mod reply;
mod seated;
mod seeds;
mod setup;
mod twist;

pub(crate) use classic::announce_classic;
pub(crate) use ending::{EndedBy, Ending};
pub(crate) use entrant::{Entrant, tell_apart};
pub(crate) use event::{Event, Listener, Stop};
pub(crate) use greeting::hear_greeting;
pub(crate) use greeting::{Profile, greet};
pub(crate) use placement::place_fleet;
pub(crate) use reply::Over;
pub(crate) use reply::{bad_reply, understand};
pub(crate) use seated::Seated;
pub(crate) use seeds::{bot_seeds, draw_seed, seeds_of_game, usual_first};
pub(crate) use setup::{Match, play};
pub(crate) use twist::announce_twist;
