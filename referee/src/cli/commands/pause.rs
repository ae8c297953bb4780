//! The pause of a game after each attack.

use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;

use crate::cli::options::time_limit;
use pages::Pause;

#[derive(Debug, Args)]
pub(super) struct PauseArguments {
    /// Wait for enter after each attack [default: on a terminal]
    ///
    /// The default is to wait if standard input is a terminal.
    ///
    /// At a pause, enter continues. The letter a and enter plays the rest without pauses, as does the end of the input
    /// (Ctrl-D; on Windows Ctrl-Z and enter). The letter q and enter ends the game as Ctrl-C does: it has no winner, --record keeps it, and the exit
    /// code is 130.
    #[arg(long, overrides_with = "no_pause")]
    pause: bool,
    /// Do not wait for enter
    #[arg(long, overrides_with = "pause")]
    no_pause: bool,
    /// Wait this long after each attack, e.g. 300ms
    #[arg(long, value_name = "TIME", value_parser = time_limit, conflicts_with = "pause")]
    delay: Option<Duration>,
}

impl PauseArguments {
    /// Returns the pause that was asked for; `None` if there was no word of it.
    pub(super) fn choice(&self) -> Option<Pause> {
        match (self.delay, self.pause, self.no_pause) {
            (Some(time), ..) => Some(Pause::Delay(time)),
            (None, true, _) => Some(Pause::Enter),
            (None, false, true) => Some(Pause::None),
            (None, false, false) => None,
        }
    }

    /// Returns what a game waits for after each attack.
    pub(super) fn pause(&self) -> Pause {
        let usual = || {
            if io::stdin().is_terminal() {
                Pause::Enter
            } else {
                Pause::None
            }
        };
        self.choice().unwrap_or_else(usual)
    }
}
