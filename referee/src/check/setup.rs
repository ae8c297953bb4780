//! What a check is made with.

use std::sync::Arc;
use std::time::Duration;

use battleship::protocol::Ruleset;
use bothost::{Interrupt, Launch};

use crate::game::Entrant;

/// Which bot is checked, and how.
#[derive(Clone, Debug)]
pub(crate) struct CheckSetup {
    /// The bot.
    pub(crate) player: Entrant,
    /// The game.
    pub(crate) rules: Ruleset,
    /// The seed of everything that is random in the check.
    pub(crate) seed: u64,
    /// How long the bot may take for a reply.
    pub(crate) limit: Duration,
    /// How long it may take to get ready.
    pub(crate) start_limit: Duration,
    /// How the bot is started.
    pub(crate) launch: Launch,
    /// What may stop the check.
    pub(crate) interrupt: Arc<Interrupt>,
}
