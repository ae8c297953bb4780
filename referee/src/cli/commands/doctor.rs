//! `referee doctor`: what works on this machine, and how to get the rest.

use std::io::{self, Write};

use crate::cli::diagnosis::Report;
use crate::cli::exit::{self, Failure};

pub(crate) const EXAMPLES: &str = "\
A game is played, the sandbox is tested, and a file is written in the current
folder and removed. The network is not used. The exit code is 0 if games can be
played, and 1 if not.

Examples:
  referee doctor";

/// Prints the report.
pub(crate) fn run() -> Result<(), Failure> {
    let report = Report::make();
    writeln!(io::stdout(), "{}", report.text())?;
    if report.playable {
        Ok(())
    } else {
        Err(Failure::Said(exit::FAULT))
    }
}
