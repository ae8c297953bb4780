//! `referee bot`: one of the shipped bots.

use clap::Args;
use clap::builder::PossibleValuesParser;

use engine::game::SHIPPED;

#[derive(Debug, Args)]
pub(crate) struct BotArguments {
    /// Which bot
    #[arg(value_parser = PossibleValuesParser::new(SHIPPED))]
    pub(crate) kind: String,
    /// Its name for itself
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// In this many of 100 turns of the classic game `good` attacks anywhere
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    pub(crate) careless: u8,
}
