//! Playing in a browser, which `referee-web` does: the options for it, and where it takes part in a
//! game.

use std::time::Duration;

use crate::options::{headings, time_limit};
use arena::game::Entrant;
use arena::record::GameLine;
use battleship::BySide;
use bothost::Interrupt;
use clap::Args;
use screen::live::Teller;
use screen::story::Next;

use super::exit::Failure;
use super::play::PlayPlan;

/// Options for the browser.
#[derive(Clone, Debug, Default, Args)]
pub struct BrowserOptions {
    /// Play in a browser on this machine
    ///
    /// Its address is printed.
    #[arg(long, help_heading = headings::OUTPUT)]
    pub web: bool,
    /// Open the browser too
    #[arg(long, help_heading = headings::OUTPUT, requires = "web")]
    pub open: bool,
    /// A person whose page is closed for this long resigns
    #[arg(long, value_name = "TIME", value_parser = time_limit, default_value = "1m", hide = true)]
    pub web_patience: Duration,
}

/// A place other than the terminal where a person plays.
pub trait Seating {
    /// Seats the person among `players`. `line` is what is known of the game. Returns the listener
    /// that shows the game there.
    ///
    /// # Errors
    /// If there is no person, or more than one; or if the machine lacks what the place needs.
    fn begin(
        &mut self,
        plan: &PlayPlan,
        players: &mut BySide<Entrant>,
        line: &GameLine,
    ) -> Result<Teller, Failure>;

    /// Shows the end of the game until the person leaves. Returns the game that the person wants to
    /// play next.
    ///
    /// # Errors
    /// If the machine fails.
    fn end(&mut self, line: &GameLine, interrupt: &Interrupt) -> Result<Option<Next>, Failure>;
}
