//! The report of a supervisor on its bot.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::StartError;

/// All that a supervisor has reported on its bot so far, fit to be shown. A supervisor never
/// reports on the bot's standard error or by an exit status, where a bot could say the same.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SupervisorReport {
    /// The reason why the bot could not be started.
    pub(super) not_started: Option<StartError>,
    /// The resource of which the bot took more than its sandbox allows, so that the supervisor has
    /// ended it.
    pub(super) used_too_much: Option<String>,
    /// Whether the kernel has ended the bot, which kept its limits, since the machine ran out of
    /// memory.
    #[serde(default)]
    pub(super) ended_for_memory: bool,
    /// The names of the processes that the bot has left behind.
    pub(super) left_behind: Option<Vec<String>>,
    /// The processor time of the bot and of all processes it has started, which have ended.
    pub(super) computed: Option<Duration>,
    /// The status of the bot, as wait(2) has it.
    pub(super) ended: Option<i32>,
    /// A folder that could not be removed, and why.
    pub(super) not_removed: Option<String>,
    /// The number of orders that have been followed.
    pub(super) orders: u32,
}
