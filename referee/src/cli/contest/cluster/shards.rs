//! The shards of a contest: which are complete, and how they become one record.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bothost::Interrupt;
use league::schedule;

use super::super::ContestPlan;
use crate::cli::complain;
use crate::cli::exit::Failure;
use crate::cli::scheduler::attempt_name;
use engine::cluster::{Left, Work};
use engine::contest::{Attempts, Merge, ShardedContest};
use engine::record::{ContestHeader, RecordError};

/// The shards of a contest in a folder.
pub(super) struct Shards {
    /// Their folder, as an absolute path.
    pub(super) folder: PathBuf,
    /// The number.
    pub(super) n: usize,
    /// The contest.
    pub(super) plan: schedule::Plan,
}

impl Shards {
    /// Returns the header of the first shard that has one.
    pub(super) fn header(&self) -> Result<Option<ContestHeader>, RecordError> {
        for (_, attempts) in Attempts::of_all(&self.folder, self.n) {
            if let Some(longest) = attempts.longest()? {
                return Ok(Some(longest.header));
            }
        }
        Ok(None)
    }

    /// Merges all of them into `out`.
    pub(super) fn merge(&self, out: &Path, interrupt: &Interrupt) -> Result<(), Failure> {
        let mut files = Vec::new();
        for (_, attempts) in Attempts::of_all(&self.folder, self.n) {
            files.extend(attempts.longest()?.map(|longest| longest.path));
        }
        // Under another name until it is whole, so that what is at `out` is all of a contest or an earlier one.
        // And of its own, since the same command may run twice at once.
        let mut part = OsString::from(format!("merged.{}.", attempt_name()));
        // The ending says whether it is compressed.
        part.push(out.file_name().unwrap_or_default());
        let part = self.folder.join(part);
        let merge = Merge {
            files: &files,
            out: &part,
            partial: false,
            force: true,
            interrupt,
        };
        let merged = merge.run()?;
        std::fs::rename(&part, out).map_err(RecordError::io(out))?;
        for note in &merged.notes {
            complain(note);
        }
        let (series, games, out) = (merged.series, merged.games, out.display());
        complain(&format!(
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
        complain(what);
    }
}

/// Begins another attempt at a shard, if `plan` is one; returns its record and its seed.
pub(in crate::cli::contest) fn attempt(
    plan: &ContestPlan,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let Some((folder, shard)) = plan.attempts.as_deref().zip(plan.shard) else {
        return Ok(None);
    };
    let agreed = ShardedContest::read(folder).map_err(Failure::misuse)?;
    let Some(ShardedContest { seed, shards }) = agreed else {
        let what = "has no contest.json; the same command with --on and --out writes it";
        return Err(Failure::misuse(format!(
            "--attempts: {} {what}",
            folder.display()
        )));
    };
    if shards != shard.of() {
        let what = format!(
            "--shard {shard}: {} is of {shards} shards",
            folder.display()
        );
        return Err(Failure::misuse(what));
    }
    let out = Attempts::new(folder, shard).begin(&attempt_name())?;
    Ok(Some((out, seed)))
}
