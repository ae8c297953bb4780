//! Whether a game waits for enter after each attack.

use std::io::{self, IsTerminal};

use clap::Args;

#[derive(Debug, Args)]
pub(super) struct PauseArguments {
    /// Wait for enter after each attack [default: if standard input is a terminal]
    #[arg(long, overrides_with = "no_pause")]
    pause: bool,
    /// Do not wait for enter
    #[arg(long, overrides_with = "pause")]
    no_pause: bool,
}

impl PauseArguments {
    /// Returns whether to pause, if either was asked for.
    pub(super) fn choice(&self) -> Option<bool> {
        (self.pause || self.no_pause).then_some(self.pause)
    }

    /// Returns whether a game waits for enter after each attack.
    pub(super) fn pauses(&self) -> bool {
        self.choice().unwrap_or_else(|| io::stdin().is_terminal())
    }
}
