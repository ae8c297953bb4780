use super::arguments::MergeArguments;
use super::plan::Misuse;
use super::{complain, exit};
use crate::contest::{Merge, MergeError};
use bothost::Interrupt;

/// Puts records together; returns the exit code.
pub(super) fn run(arguments: &MergeArguments, interrupt: &Interrupt) -> anyhow::Result<u8> {
    let MergeArguments { files, out, partial } = arguments;
    let merged = match (Merge { files, out, partial: *partial, interrupt }).run() {
        Ok(merged) => merged,
        Err(error @ MergeError::Interrupted) => {
            complain(&error.to_string());
            return Ok(exit::INTERRUPTED);
        }
        Err(error) => return Err(for_user(error)),
    };
    for note in &merged.notes {
        complain(note);
    }
    let (series, games, n_files) = (merged.series, merged.games, files.len());
    complain(&format!("{}: {series} series, {games} games of {n_files} files", out.display()));
    Ok(exit::DONE)
}

/// What is wrong with the files that somebody named is for them to mend.
fn for_user(error: MergeError) -> anyhow::Error {
    let for_user = match &error {
        MergeError::NotWritten { .. } | MergeError::Interrupted => false,
        MergeError::Record(error) => error.is_of_file(),
        MergeError::NotOpened { .. }
        | MergeError::BeingWritten(_)
        | MergeError::OtherContest { .. }
        | MergeError::OtherGames { .. }
        | MergeError::NoSchedule { .. }
        | MergeError::Plan { .. }
        | MergeError::Foreign { .. }
        | MergeError::NamedTwice(_)
        | MergeError::Doubled(_)
        | MergeError::Missing(_)
        | MergeError::OutIsInput(_)
        | MergeError::OutExists(_) => true,
    };
    if for_user { Misuse::new(error).into() } else { error.into() }
}
