//! The protocol between the referee and a bot, version 1: every line as a type, parsed from bytes
//! and printed. [`Program`](crate::Program) is the loop that lets a bot speak it.
//!
//! `protocol.md` at the root of the project is the normative text.

mod order;
mod reply;
mod request;

pub use order::{Order, OrderResult};
pub use reply::Reply;
pub use request::{Outcome, Request};
pub use wire::line::{MAX_LINE, MalformedLine, VERSION, strip_line_end};
