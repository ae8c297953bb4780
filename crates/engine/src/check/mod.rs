//! Whether a bot keeps to the protocol: a list of steps, each tried on the bot itself, each with what was seen, what was
//! expected and the usual cause of the difference. It emits the steps as they are done and prints nothing.
//!
//! From the ground up: `asked`, `report`, `halt` and `setup` are plain types; `examination` is a check in progress;
//! `session` is the dialogue with one process of the bot; `play` is a game in it; `steps` tries one thing each; `examine`
//! and `past` go through the steps, `position` through positions; `recorded` tells what it can without a process.

mod advice;
mod asked;
mod boards;
mod dialogue_log;
mod examination;
mod examine;
mod halt;
mod past;
mod placing;
mod play;
mod position;
mod recorded;
mod report;
mod retrace;
mod session;
mod setup;
mod shots;
mod step;
mod steps;

pub use examine::{examine, examine_basics};
pub use past::{Past, examine_past};
pub use position::{BadPosition, Expected, NothingExpected, Position, examine_positions};
pub use recorded::{RecordedFault, recorded_fault};
pub use report::{Finding, Outcome, Report, StepReport};
pub use retrace::{Compared, Retraced, retrace};
pub use setup::CheckSetup;
