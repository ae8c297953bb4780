//! `referee doctor`: what works on this machine, and how to get the rest.

use std::io::{self, Write};

use clap::Args;

use crate::cli::diagnosis::Report;
use crate::cli::exit::{self, Failure};
use crate::cli::print_json;

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) const EXAMPLES: &str = "\
A game is played, the sandbox is tested, and a file is written in the current
folder and removed. The network is not used. The exit code is 0 if games can be
played, and 1 if not.

Examples:
  referee doctor
  referee doctor --json";

/// Prints the report.
pub(crate) fn run(arguments: &DoctorArguments) -> Result<(), Failure> {
    let report = Report::make();
    if arguments.json {
        print_json(&report)?;
    } else {
        writeln!(io::stdout(), "{}", report.text())?;
    }
    if report.playable {
        Ok(())
    } else {
        Err(Failure::Said(exit::FAULT))
    }
}
