//! A build without a web server.

use std::convert::Infallible;
use std::path::Path;

use bothost::Interrupt;

use super::BrowserOptions;
use crate::cli::commands::play::PlayPlan;
use crate::cli::exit::Failure;
use crate::game::Entrant;
use crate::live::Teller;
use crate::record::GameRecord;
use battleship::BySide;

const WITHOUT: &str =
    "--web: this referee was built without its part for browsers; build it with the feature web";

/// A game in a browser, of which this build has none.
#[derive(Debug)]
pub(crate) struct BrowserGame {
    never: Infallible,
}

impl BrowserGame {
    /// Refuses to begin one.
    pub(crate) fn begin(
        _plan: &PlayPlan,
        _players: &mut BySide<Entrant>,
        _record: &GameRecord,
    ) -> Result<BrowserGame, Failure> {
        Err(Failure::misuse(WITHOUT))
    }

    /// Returns what is to hear it.
    pub(crate) fn teller(&self) -> Teller {
        match self.never {}
    }

    /// Ends it.
    pub(crate) fn end(self, _record: &GameRecord, _interrupt: &Interrupt) -> Result<(), Failure> {
        match self.never {}
    }
}

/// Refuses to show records.
pub(crate) fn show_records(_record: &Path, _options: &BrowserOptions) -> Result<(), Failure> {
    Err(Failure::misuse(WITHOUT))
}
