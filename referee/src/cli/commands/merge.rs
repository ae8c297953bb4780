//! `referee merge`: one record out of several.

use battleship::game_reader::READERS;
use std::path::PathBuf;

use clap::Args;

use super::CommandArgs;
use crate::cli::World;
use crate::cli::exit::Failure;
use crate::cli::help::Group;
use crate::cli::{listen, note};
use arena::contest::merge;

#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// The records, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the one record to this file, compressed if its name ends in .gz
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file of --out, if there is one
    #[arg(long)]
    force: bool,
}

impl CommandArgs for MergeArguments {
    const NAME: &'static str = "merge";
    const ABOUT: &'static str = "Merge the records of a contest's shards or interrupted parts";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = "Examples:
  referee merge part-1.jsonl part-2.jsonl --out cup.jsonl";

    fn run(self, _: &World) -> Result<(), Failure> {
        run(&self)
    }
}

/// Merges records.
fn run(arguments: &MergeArguments) -> Result<(), Failure> {
    let MergeArguments { files, out, force } = arguments;
    let interrupt = listen()?;
    let merged = merge(files, out, *force, READERS, &interrupt)?;
    for what in &merged.notes {
        note(what);
    }
    let (series, games, n_files) = (merged.series, merged.games, files.len());
    note(&format!(
        "{}: {series} series, {games} games of {n_files} files",
        out.display()
    ));
    Ok(())
}
