//! Bots as child processes: start them, ask them under deadlines that no output re-arms, confine
//! them, and end them with everything that they have started.
//!
//! A [`BotPair`] is two bots that play against each other, and the referee's ends of their pipes.
//! What is asked and what the answers mean is the caller's; this library knows of the dialogue only
//! that
//!
//! * it consists of lines of at most [`MAX_LINE`](wire::line::MAX_LINE) bytes, one for each
//!   request;
//! * lines of a bot that begin with `#` are comments, which answer nothing;
//! * `error TEXT` says why a bot is ended, and `quit` asks it to leave, as the end of its input
//!   does.
//!
//! Nothing that a bot says is trusted: not its length (fixed buffers), not its timing (absolute
//! deadlines on non-blocking pipes), not its characters ([`text`]). The answer to a request is
//! always a line, or a [`Fault`] of the bot, or a statement that the machine was too busy to judge.
//!
//! # A referee of another game
//!
//! Two bots guess a number in turns. Each is a program; here a shell runs it.
//!
//! ```
//! # #[cfg(unix)] {
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use bothost::{BotPair, BySide, Clock, Interrupt, Launch, BotProgram, Side};
//!
//! let script = "n=0; while read -r word; do case $word in guess) n=$((n + 1)); echo $n;; quit) exit;; esac; done";
//! let bot = BotProgram {
//!     file: "sh".into(),
//!     arguments: vec!["-c".into(), script.into()],
//!     command_line: "./guesser".to_owned(),
//!     ..BotProgram::default()
//! };
//! let interrupt = Arc::new(Interrupt::never()?);
//! let mut bots = BotPair::start(BySide::new(&bot, &bot), &Launch::unsupervised(), interrupt, None)
//!     .map_err(|(_, error)| error)?;
//! bots.set_clocks(BySide::from_fn(|_| Clock::Wall(Duration::from_secs(5))));
//! let winner = 'game: loop {
//!     for side in Side::BOTH {
//!         let answer = bots.ask(side, format_args!("guess"))?;
//!         if answer.line == b"3" {
//!             break 'game side;
//!         }
//!         bots.tell(side, format_args!("wrong"))?;
//!     }
//! };
//! assert_eq!(winner, Side::One);
//! bots.end(Default::default())?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Launch::supervised_by`] puts a supervisor between the referee and each bot, which ends what
//! the bot leaves behind, even when the referee is killed, and can confine the bot to a
//! [`Sandbox`]. The supervisor is the referee's own executable, whose `main` begins with
//! [`supervise_if_asked`].

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod bot;
mod capacity;
mod deadline;
mod dialogue;
mod excerpt;
mod fault;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod inbox;
mod interrupt;
mod last_words;
mod launch;
mod leaving;
mod local;
mod own_program;
mod pair;
mod pipe;
mod ponder;
mod program;
mod run;
mod sandbox;
mod supervisor_report;
#[cfg_attr(target_os = "linux", path = "system/linux/mod.rs")]
#[cfg_attr(all(unix, not(target_os = "linux")), path = "system/macos.rs")]
#[cfg_attr(windows, path = "system/windows/mod.rs")]
#[cfg_attr(target_os = "wasi", path = "system/calls/mod.rs")]
mod system;
mod wasm;

pub use bot::Oddities;
pub use capacity::{TooManyPairs, ensure_capacity};
pub use deadline::{AskError, Question};
pub use dialogue::{DialogueListener, LineKind};
pub use excerpt::Excerpt;
pub use fault::{Fault, Waited};
pub use interrupt::Interrupt;
pub use launch::{GRACE, Launch};
pub use leaving::{ExitReport, LeaveBy, SecondWait};
pub use local::LocalPlayer;
pub use pair::BotPair;
pub use program::{BotProgram, Flushing, StartError, View};
pub use run::{RunEnd, RunLimits, RunResult, run_to_end};
pub use sandbox::{Enforced, Sandbox, SandboxKind, make_readable};
pub use system::{
    check_proc, close_on_exec_from, find_on_path, hear_all_signals, is_crash, pin,
    supervise_if_asked, survive_file_size_limit,
};
pub use wasm::{HostVerdict, WasmRunner};
pub use wire::{Answer, BySide, Clock, Local, Side, text};
