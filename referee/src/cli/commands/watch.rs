//! `referee watch`: the games of a record, while they are played or afterwards.

use std::path::PathBuf;

use clap::Args;

use crate::cli::completion::values;
use crate::cli::exit::Failure;
use crate::cli::in_browser::show_records;
use engine::terms::headings;

#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    /// The record: of a match or a tournament, which may still be played, or of single games (play --record)
    #[arg(value_name = "RECORD", add = values::records())]
    record: PathBuf,
    /// Open the browser too
    #[arg(long, help_heading = headings::OUTPUT)]
    open: bool,
    /// Use a browser, as the command does in any case
    #[arg(long, hide = true)]
    web: bool,
}

pub(crate) const EXAMPLES: &str = "\
The page is that of referee report, in a browser on this machine. Its address
is printed. It shows new games as they are recorded.
Ctrl-C ends the command, with exit code 0.

Examples:
  referee watch cup.jsonl --open";

/// Shows the games of a record.
pub(crate) fn run(arguments: &WatchArguments) -> Result<(), Failure> {
    // Earlier versions required --web, so it is accepted.
    let WatchArguments {
        record,
        open,
        web: _,
    } = arguments;
    show_records(record, *open)
}
