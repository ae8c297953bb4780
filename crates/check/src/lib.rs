//! Whether a bot keeps to the protocol: a list of steps, each tried on the bot itself, each with
//! what was seen, what was expected and the usual cause of the difference. The steps are reported
//! as they are done; nothing is printed.
//!
//! `run` tries the `steps`, a table, and keeps what it learns in a `check`; each of them has a
//! dialogue with the bot in a `session`, and a fault gets its `advice`. The steps in `general` need
//! no more than a game, those in `battleship` know its boards and shots. `recorded` names the cause
//! of a recorded fault.

mod advice;
mod check;
mod dialogue_log;
mod failure;
mod judge;
mod recorded;
mod report;
mod request;
mod run;
mod session;
mod steps;

mod general {
    pub(crate) mod games;
    pub(crate) mod habits;
    pub(crate) mod judged;
    pub(crate) mod leave;
    pub(crate) mod talk;
}

mod battleship {
    pub(crate) mod boards;
    mod oblong;
    pub(crate) mod orders;
    pub(crate) mod place;
    pub(crate) mod placing;
    pub(crate) mod play;
    pub(crate) mod results;
    pub(crate) mod shots;
}

pub use check::CheckSetup;
pub use judge::check_judge;
pub use recorded::{RecordedFault, recorded_fault};
pub use report::{CheckReport, Finding, Outcome, StepReport};
pub use run::{check_bot, check_start};
