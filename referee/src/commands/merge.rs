//! `referee merge`: one record out of several.

use std::path::PathBuf;

use arena::contest::{Contradictions, merge, missing_shards};
use battleship::game_reader::READERS;
use clap::Args;

use super::CommandArgs;
use crate::exit::Failure;
use crate::help::Group;
use crate::{World, listen, note, say};

#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// The records, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the one record to this file, compressed if its name ends in .gz
    #[arg(long, short, value_name = "FILE", required_unless_present = "missing")]
    out: Option<PathBuf>,
    /// Replace the file of --out, if there is one
    #[arg(long)]
    force: bool,
    /// Count the series of the file that is named first where two files contradict each other
    #[arg(long, conflicts_with = "missing")]
    keep_first: bool,
    /// Only print which shards to play again, as the words to type: --shard 2/8
    #[arg(long, conflicts_with_all = ["out", "force"])]
    missing: bool,
}

impl CommandArgs for MergeArguments {
    const NAME: &'static str = "merge";
    const ABOUT: &'static str = "Merge the records of a contest's shards or interrupted parts";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = "Examples:
  referee merge part-1.jsonl part-2.jsonl --out cup.jsonl
  referee merge part-*.jsonl --missing";

    fn run(self, _: &World) -> Result<(), Failure> {
        let interrupt = listen()?;
        let Some(out) = self.out else {
            for shard in missing_shards(&self.files, READERS, &interrupt)? {
                say(&format!("--shard {shard}\n"))?;
            }
            return Ok(());
        };
        let contradictions = if self.keep_first {
            Contradictions::KeepFirst
        } else {
            Contradictions::Refuse
        };
        let merged = merge(
            &self.files,
            &out,
            self.force,
            contradictions,
            READERS,
            &interrupt,
        )?;
        for what in &merged.notes {
            note(what);
        }
        note(&format!(
            "{}: {} series, {} games of {} files",
            out.display(),
            merged.series,
            merged.games,
            self.files.len()
        ));
        Ok(())
    }
}
