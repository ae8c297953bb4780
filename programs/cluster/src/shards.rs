//! The shards of a contest: which are complete, and how they become one record.

use battleship::game_reader::READERS;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bothost::Interrupt;
use league::schedule;

use arena::contest::merge;
use arena::record::{ContestHeader, RecordError};
use referee::{Failure, note};

use crate::attempts::{Attempts, attempt_name};
use crate::scheduler::{Left, Work};

/// The shards of a contest in a folder.
pub(crate) struct Shards {
    /// Their folder, as an absolute path.
    pub(crate) folder: PathBuf,
    /// The number.
    pub(crate) n: usize,
    /// The contest.
    pub(crate) plan: schedule::Plan,
}

impl Shards {
    /// Returns the header of the first shard that has one.
    pub(crate) fn header(&self) -> Result<Option<ContestHeader>, RecordError> {
        for (_, attempts) in Attempts::of_all(&self.folder, self.n) {
            if let Some(longest) = attempts.longest()? {
                return Ok(Some(longest.header));
            }
        }
        Ok(None)
    }

    /// Merges all of them into `out`.
    pub(crate) fn merge(&self, out: &Path, interrupt: &Interrupt) -> Result<(), Failure> {
        let mut files = Vec::new();
        for (_, attempts) in Attempts::of_all(&self.folder, self.n) {
            files.extend(attempts.longest()?.map(|longest| longest.path));
        }
        // Under another name until it is whole, so that what is at `out` is all of a contest or an
        // earlier one. And of its own, since the same command may run twice at once.
        let mut part = OsString::from(format!("merged.{}.", attempt_name()));
        // The ending says whether it is compressed.
        part.push(out.file_name().unwrap_or_default());
        let part = self.folder.join(part);
        let merged = merge(&files, &part, true, READERS, interrupt)?;
        std::fs::rename(&part, out).map_err(RecordError::io(out))?;
        for what in &merged.notes {
            note(what);
        }
        let series = merged.series;
        let games = merged.games;
        let out = out.display();
        note(&format!(
            "{out}: {series} series, {games} games of {} shards",
            self.n
        ));
        Ok(())
    }
}

impl Work for Shards {
    type Error = Failure;

    fn left(&mut self) -> Result<Left, Failure> {
        let mut left = Left::default();
        for (shard, attempts) in Attempts::of_all(&self.folder, self.n) {
            let longest = attempts.longest()?;
            left.done += longest.as_ref().map_or(0, |longest| longest.series as u64);
            let has_all = longest.map(|longest| longest.has_all(shard, self.plan));
            if !has_all
                .transpose()
                .map_err(Failure::misuse)?
                .unwrap_or(false)
            {
                left.tasks.push(shard.index() + 1);
            }
        }
        Ok(left)
    }

    fn say(&mut self, what: &str) {
        note(what);
    }
}
