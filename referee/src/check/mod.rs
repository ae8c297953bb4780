//! Whether a bot keeps to the protocol: a list of steps, each tried on the bot itself, each with what was seen, what was
//! expected and the usual cause where it was not kept to. It emits the steps as they are done and prints nothing.

mod advice;
mod classic_play;
mod examination;
mod heard;
mod past;
mod play;
mod report;
mod seas;
mod session;
mod shots;
mod step;
mod steps;
mod twist_play;

pub(crate) use examination::{Conditions, examine};
pub(crate) use past::{Past, examine_past};
pub(crate) use report::{Finding, Outcome, Report, StepReport};
