//! Whether a bot keeps to the protocol: a list of steps, each tried on the bot itself, each with what was seen, what was
//! expected and the usual cause of the difference. It emits the steps as they are done and prints nothing.
//!
//! From the ground up: `asked`, `report`, `halt` and `setup` are plain types; `examination` is a check in progress;
//! `session` is the dialogue with one process of the bot; `play` is a game in it; `steps` tries one thing each, and
//! `examine` goes through them. `recorded` names the cause of a recorded fault.

mod advice;
mod asked;
mod boards;
mod dialogue_log;
mod examination;
mod examine;
mod halt;
mod placing;
mod play;
mod recorded;
mod report;
mod session;
mod setup;
mod shots;
mod step;
mod steps;

pub use examine::{examine, examine_basics};
pub use recorded::{RecordedFault, recorded_fault};
pub use report::{Finding, Outcome, Report, StepReport};
pub use setup::CheckSetup;
