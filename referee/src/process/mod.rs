//! Bots as child processes: start them, ask them under a deadline that nothing re-arms, end them.
//!
//! Nothing that a bot says is trusted: not its length (fixed buffers), not its timing (absolute deadlines,
//! non-blocking pipes), not its characters ([`text`]).

mod bot;
mod fault;
mod inbox;
mod interrupt;
mod lane;
mod stderr;
pub mod text;

pub use bot::{Program, StartError};
pub use fault::{Fault, Waited};
pub use interrupt::Interrupt;
pub use lane::{Answer, AskError, Lane, Question, Side, Spoken, Wiretap};
