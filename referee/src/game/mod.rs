//! One game between two bots, for every set of rules: it asks, judges, and emits events. It prints nothing.

mod ending;
mod entrant;
mod event;
mod games;
mod greeting;
mod ready_pair;
mod reply;
mod seeds;
mod turns;

pub(crate) use ending::{EndedBy, Ending};
pub(crate) use entrant::{Entrant, SHIPPED, are_same, tell_apart};
pub(crate) use event::{Event, Listener, Stop};
pub(crate) use games::{
    Classic, Played, Position, ResultOf, TurnOf, Twist, WireGame, WithGame, expected_fleet,
    place_fleet,
};
pub(crate) use greeting::{greet, hear_greeting};
pub(crate) use ready_pair::ReadyPair;
pub(crate) use reply::{GameStopped, bad_reply, understand};
pub(crate) use seeds::{MAX_BOT_SEED, derived_seed, draw_seed, seeds_of_game, usual_first};
pub(crate) use turns::{GameSetup, announce, play};
