//! One game between the two bots of a lane: the course's `Game::play` loop. It emits events and prints nothing.

mod classic;
mod ending;
mod entrant;
mod event;
mod greeting;
mod placement;
mod reply;
mod seated;
mod seeds;

pub use classic::{Match, default_max_turns, play};
pub use ending::{EndedBy, Ending};
pub use entrant::{Entrant, tell_apart};
pub use event::{Event, Listener, Stop};
pub use greeting::{Profile, greet};
pub use reply::Over;
pub use seated::Seated;
pub use seeds::{bot_seeds, draw_seed};
