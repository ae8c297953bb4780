//! The pause of a game after each attack.

use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;

use crate::options::{headings, time_limit};
use pages::Pause;

#[derive(Args, Debug)]
#[command(next_help_heading = headings::OUTPUT)]
pub(crate) struct PauseOptions {
    /// Wait for enter after each attack, as on a terminal
    ///
    /// The default is to wait if standard input is a terminal.
    ///
    /// At a pause, enter continues. The letter a and enter plays the rest without pauses, as does
    /// the end of the input (Ctrl-D; on Windows Ctrl-Z and enter). The letter q and enter ends the
    /// game as Ctrl-C does: it has no winner, --out keeps it, and the exit code is 130.
    #[arg(long, overrides_with = "no_pause")]
    pause: bool,
    /// Do not wait for enter
    #[arg(long, overrides_with = "pause")]
    no_pause: bool,
    /// Wait this long after each attack, e.g. 300ms
    #[arg(long, value_name = "TIME", value_parser = time_limit, conflicts_with = "pause")]
    pub(super) delay: Option<Duration>,
}

impl PauseOptions {
    /// Returns the pause that was asked for.
    pub(crate) fn choice(&self) -> Option<Pause> {
        match (self.delay, self.pause, self.no_pause) {
            (Some(time), _, _) => Some(Pause::Delay(time)),
            (None, true, _) => Some(Pause::Enter),
            (None, false, true) => Some(Pause::None),
            (None, false, false) => None,
        }
    }

    /// Returns the pause that was asked for, or the usual one.
    pub(crate) fn pause(&self) -> Pause {
        match self.choice() {
            Some(pause) => pause,
            None if io::stdin().is_terminal() => Pause::Enter,
            None => Pause::None,
        }
    }
}
