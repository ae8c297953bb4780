//! The reports of a supervisor on its bot.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A report on a bot, fit to be shown. A supervisor never reports on the bot's standard error or by an exit status, where a
/// bot could say the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SupervisorReport {
    /// The machine could not start the bot: why.
    MachineFailed(String),
    /// The bot's program could not be started: why.
    NotStarted(String),
    /// The supervisor has ended the bot, which took more than its sandbox allows: of what.
    UsedTooMuch(String),
    /// The names of the processes that the bot has left behind.
    LeftBehind(Vec<String>),
    /// The processor time of the bot and of all processes it has started, which have ended.
    Computed(Duration),
    /// The status of the bot, as wait(2) has it.
    Ended(i32),
    /// A folder that could not be removed, and why.
    NotRemoved(String),
    /// An order has been followed.
    Done,
}
