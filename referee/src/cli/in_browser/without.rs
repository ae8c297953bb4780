//! A build without a web server.

use std::convert::Infallible;
use std::path::Path;

use bothost::Interrupt;

use crate::cli::commands::play::PlayPlan;
use crate::cli::exit::Failure;
use battleship::BySide;
use engine::game::Entrant;
use engine::live::Teller;
use engine::record::GameRecord;
use screen::story::Next;

/// Refuses an option or a command.
fn without(what: &str) -> Failure {
    Failure::misuse(format!(
        "{what}: this referee was built without its part for browsers; build it with the feature web"
    ))
}

/// A game in a browser, of which this build has none.
#[derive(Debug)]
pub(crate) struct BrowserGame {
    never: Infallible,
}

/// The place where games in a browser are played.
#[derive(Debug)]
pub(crate) struct Hall;

impl BrowserGame {
    /// Refuses to begin one.
    pub(crate) fn begin(
        _plan: &PlayPlan,
        _players: &mut BySide<Entrant>,
        _record: &GameRecord,
        _hall: &mut Option<Hall>,
    ) -> Result<BrowserGame, Failure> {
        Err(without("--web"))
    }

    /// Returns what is to hear it.
    pub(crate) fn teller(&self) -> Teller {
        match self.never {}
    }

    /// Ends it.
    pub(crate) fn end(
        self,
        _record: &GameRecord,
        _interrupt: &Interrupt,
    ) -> Result<Option<Next>, Failure> {
        match self.never {}
    }
}

/// Refuses to show records.
pub(crate) fn show_records(_record: &Path, _opens: bool) -> Result<(), Failure> {
    Err(without("watch"))
}
