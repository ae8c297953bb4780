//! `referee bot`: one of the shipped bots.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::exploit::PATIENT;
use engine::game::SHIPPED;

#[derive(Debug, Args)]
pub(crate) struct BotArguments {
    /// Kind of the bot
    #[arg(value_parser = PossibleValuesParser::new(kinds()))]
    pub(crate) kind: String,
    /// Its name for itself
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// In this many of 100 turns of the classic game `good` attacks anywhere
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    pub(crate) careless: u8,
}

/// The kinds, of which those that are not for people are hidden.
fn kinds() -> impl Iterator<Item = PossibleValue> {
    let hidden = PATIENT.map(|name| PossibleValue::new(name).hide(true));
    SHIPPED.map(PossibleValue::from).into_iter().chain(hidden)
}
