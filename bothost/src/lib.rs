//! Bots as child processes: start them, ask them under a deadline that nothing re-arms, end them.
//!
//! Nothing that a bot says is trusted: not its length (fixed buffers), not its timing (absolute deadlines,
//! non-blocking pipes), not its characters ([`text`]).

mod bot;
mod bot_pair;
mod fault;
mod inbox;
mod interrupt;
mod launch;
mod link;
mod parting;
pub mod pin;
mod policy;
#[cfg(unix)]
mod polled;
mod program;
mod question;
mod side;
mod stderr;
pub mod text;
mod threaded;
mod wait;
mod wiretap;

#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod cpu;
#[cfg(target_os = "linux")]
mod descendants;
#[cfg(target_os = "linux")]
mod descriptors;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg(target_os = "linux")]
pub mod sandbox;
#[cfg(target_os = "linux")]
mod supervise;

pub use bot_pair::{BotPair, Oddities};
#[cfg(target_os = "linux")]
pub use descriptors::close_on_exec_from;
pub use fault::{Fault, Waited};
pub use interrupt::Interrupt;
pub use launch::Launch;
pub use parting::{Farewell, Parting};
pub use policy::Sandbox;
pub use program::{Program, StartError};
pub use question::{Answer, AskError, Question};
pub use side::Side;
#[cfg(target_os = "linux")]
pub use supervise::supervise;
pub use wiretap::{Spoken, Wiretap};
