//! Tasks of a release that need the code of the programs: `cargo xtask man DIR`.

mod man;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Makes what packages have beside the programs.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Write the manual pages of the referee and its players into a folder, dated by
    /// `SOURCE_DATE_EPOCH`
    Man {
        /// The folder for the pages; made if it is not there
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::Man { folder } => man::write(&folder),
    }
}
