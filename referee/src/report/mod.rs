//! Games and contests for people: the transcript of a game as the course's sample program prints it, how a contest
//! goes and what it comes to; and for programs: events and summaries.

mod bundles;
mod check;
mod csv;
mod events;
mod fleet_orders;
mod keyboard;
mod match_summary;
mod progress;
mod slides;
mod standings;
mod transcript;

pub use bundles::Bundles;
pub use check::CheckPrinter;
pub use csv::standings_csv;
pub use events::EventStream;
pub use keyboard::Keyboard;
pub use match_summary::match_summary;
pub use progress::Progress;
pub use slides::Slides;
pub use standings::{ranking, tournament_summary};
pub use transcript::Transcript;
