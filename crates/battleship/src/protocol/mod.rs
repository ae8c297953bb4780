//! The protocol between the referee and a bot, version 1: every line as a type, parsed from bytes and
//! printed. [`Program`](crate::Program) is the loop that lets a bot speak it.
//!
//! `protocol.md` at the root of the project is the normative text.

mod order;
mod reply;
mod request;
mod twist_turn;
mod words;

pub use order::{Order, OrderResult, Sighting, cell_at};
pub use reply::Reply;
pub use request::{Outcome, Request};
pub use twist_turn::{FleetFault, IllegalFleet, fleet_of};
pub use words::{MalformedLine, strip_line_end};

/// The protocol's version.
pub const VERSION: u32 = 1;

/// The longest line, in bytes, without its line end.
pub const MAX_LINE: usize = 4096;
