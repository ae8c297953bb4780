//! The parameters of a check.

use battleship::Rules;
use std::sync::Arc;
use std::time::Duration;

use bothost::{Interrupt, Launch};

use arena::game::Entrant;

/// The bot that is checked, and the settings of the check.
#[derive(Clone, Debug)]
pub struct CheckSetup {
    /// The bot.
    pub player: Entrant,
    /// The game, with its options; the boards are those of the check.
    pub rules: Rules,
    /// The seed of everything that is random in the check.
    pub seed: u64,
    /// The time that the bot may take for a reply.
    pub limit: Duration,
    /// The time that it may take to get ready.
    pub start_limit: Duration,
    /// The settings for starting the bot.
    pub launch: Launch,
    /// The interrupt that may stop the check.
    pub interrupt: Arc<Interrupt>,
}
