//! One game between the two bots of a lane: the course's `Game::play` loop. It emits events and prints nothing.

mod classic;
mod ending;
mod event;
mod greeting;
mod placement;
mod reply;
mod seeds;

pub use classic::{Match, default_max_turns, play};
pub use ending::{EndedBy, Ending};
pub use event::{Event, Listener, Stop};
pub use greeting::{Profile, greet};
pub use reply::Over;
pub use seeds::{bot_seeds, draw_seed};
