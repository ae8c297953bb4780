//! One game between two bots, for every set of rules: it asks, judges, and emits events. It prints nothing.

mod ending;
mod entrant;
mod event;
mod greeting;
mod ready_pair;
mod reply;
mod seeds;
mod source;
mod turns;

pub use ending::{EndedBy, Ending};
pub use entrant::{Entrant, are_same, tell_apart};
pub use event::{Event, Listener, Stop};
pub use greeting::{greet, hear_greeting};
pub use ready_pair::ReadyPair;
pub use reply::{GameStopped, bad_reply, understand};
pub use seeds::{derived_seed, draw_seed, seeds_of_game, usual_first};
pub use source::recognized;
pub use turns::{GameSetup, announce, play};
