//! `referee watch`: the games of a record, while they are played or afterwards.

use std::path::PathBuf;

use clap::Args;

use crate::cli::exit::Failure;
use crate::cli::in_browser::{BrowserOptions, show_records};

#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    /// The record: of a match or a tournament, which may still be played, or of single games (play --record)
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    #[command(flatten)]
    browser: BrowserOptions,
}

pub(crate) const EXAMPLES: &str = "\
The page is that of referee report. It shows new games as they are recorded.
Ctrl-C ends the command, with exit code 0.

Examples:
  referee watch cup.jsonl --web --open";

/// Shows the games of a record.
pub(crate) fn run(arguments: &WatchArguments) -> Result<(), Failure> {
    if !arguments.browser.web {
        return Err(Failure::misuse("watch: add --web to watch in a browser"));
    }
    show_records(&arguments.record, &arguments.browser)
}
