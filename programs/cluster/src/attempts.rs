//! Attempts at a shard: records of one shard by processes that may run at the same time on
//! different nodes.
//!
//! A scheduler that has lost a node starts its tasks again elsewhere, and the lost processes may
//! still run and write. On the file system of a cluster a lock may be unknown, or hold on one node
//! only, so nothing here depends on one: every attempt writes a file that no other process writes,
//! and begins with a copy of all whole series that it finds in the others. The series of a shard
//! are committed in order, so each file is a beginning of the same sequence, and the longest has
//! all that is known.

use battleship::game_reader::READERS;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use arena::contest::series_of;
use arena::record::Shard;
use arena::record::{ContestHeader, RecordError, RecordReader};
use arena::system;
use league::crosstable::Crosstable;
use league::schedule::{Plan, PlanError, Schedule};

/// The attempts at one shard, in a folder with those at others.
#[derive(Clone, Debug)]
pub(crate) struct Attempts {
    folder: PathBuf,
    shard: Shard,
}

/// One attempt, as far as it has whole series.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// Its record.
    pub(crate) path: PathBuf,
    /// The last header in it.
    pub(crate) header: ContestHeader,
    /// The number of its whole series.
    pub(crate) series: usize,
    /// The end of the last of them, in bytes.
    end: u64,
}

impl Attempts {
    /// Returns the attempts at `shard` in `folder`.
    #[must_use]
    pub(crate) fn new(folder: &Path, shard: Shard) -> Attempts {
        Attempts {
            folder: folder.to_owned(),
            shard,
        }
    }

    /// Returns `n` shards, and the attempts at each of them in `folder`.
    #[must_use]
    pub(crate) fn of_all(folder: &Path, n: usize) -> Vec<(Shard, Attempts)> {
        let shards = (0..n).filter_map(move |index| Shard::new(index, n));
        shards
            .map(|shard| (shard, Attempts::new(folder, shard)))
            .collect()
    }

    /// Returns the common beginning of the names of all their records.
    fn prefix(&self) -> String {
        format!("shard-{}.", self.shard.to_string().replace('/', "-of-"))
    }

    /// Returns the attempt with the most whole series, the first by name of several; `None` if none
    /// has a header.
    ///
    /// # Errors
    /// If one of them cannot be read, or is not a record.
    pub(crate) fn longest(&self) -> Result<Option<Attempt>, RecordError> {
        let mut longest: Option<Attempt> = None;
        for path in self.paths().map_err(RecordError::io(&self.folder))? {
            if let Some(attempt) = read(&path)?
                && longest
                    .as_ref()
                    .is_none_or(|longest| longest.has() < attempt.has())
            {
                longest = Some(attempt);
            }
        }
        Ok(longest)
    }

    fn paths(&self) -> io::Result<Vec<PathBuf>> {
        let prefix = self.prefix();
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let is_whole = path
                .extension()
                .is_some_and(|extension| extension == "jsonl");
            if is_whole && name.is_some_and(|name| name.starts_with(&prefix)) {
                paths.push(path);
            }
        }
        // The order of a folder is random, and the merged record must not depend on it.
        paths.sort();
        Ok(paths)
    }

    /// Begins an attempt that is called `name`, unlike any other, with all whole series of the
    /// others. Returns the path of its record, to be resumed.
    ///
    /// # Errors
    /// If another cannot be read, or this cannot be written.
    pub(crate) fn begin(&self, name: &str) -> Result<PathBuf, RecordError> {
        let path = self.folder.join(format!("{}{name}.jsonl", self.prefix()));
        let Some(longest) = self.longest()? else {
            return Ok(path);
        };
        let part = path.with_extension("part");
        // Under another name until it is whole: an attempt that begins now must not take half of it
        // for all there is.
        copy(&longest, &part).map_err(RecordError::io(&part))?;
        std::fs::rename(&part, &path).map_err(RecordError::io(&path))?;
        Ok(path)
    }
}

impl Attempt {
    /// The amount that it has. One that has been extended knows of more games, even if none of them
    /// is in this shard.
    fn has(&self) -> (usize, u32) {
        (self.series, self.header.games)
    }

    /// Returns whether it has all series of `shard` in a contest of `plan`.
    ///
    /// # Errors
    /// If there can be no such contest.
    pub(crate) fn has_all(&self, shard: Shard, plan: Plan) -> Result<bool, PlanError> {
        Ok(self.header.games >= plan.games && self.series >= series_in(shard, plan)?)
    }
}

/// Returns how many series of a contest of `plan` are in `shard`, if no player is disqualified.
fn series_in(shard: Shard, plan: Plan) -> Result<usize, PlanError> {
    let mut schedule = Schedule::new(plan)?;
    let table = Crosstable::new(plan.players);
    let mut count = 0;
    while let Some(round) = schedule.next_round(&table, &|_| false) {
        count += round.filter(|series| shard.takes(series.number)).count();
    }
    Ok(count)
}

/// Returns what the attempt at `path` has; `None` if not even its header is whole.
fn read(path: &Path) -> Result<Option<Attempt>, RecordError> {
    let mut reader = RecordReader::open(path, READERS)?;
    let Some(header) = reader.read_header()?.cloned() else {
        return Ok(None);
    };
    let end = reader.offset();
    let mut attempt = Attempt {
        path: path.to_owned(),
        header,
        series: 0,
        end,
    };
    loop {
        match reader.next_chunk() {
            Ok(Some(chunk)) if series_of(&chunk).is_some() => {
                attempt.series += 1;
                attempt.end = chunk.behind;
                if let Some(header) = reader.header() {
                    attempt.header = header.clone();
                }
            }
            Ok(None) => {
                if let Some(header) = reader.header() {
                    attempt.header = header.clone();
                }
                return Ok(Some(attempt));
            }
            // The beginning of a series, by an attempt that runs or was killed. Nothing whole
            // follows it. Or a line that makes no sense: a node that writes now may let others see
            // the length of a line before its text, and a dying one may leave it so. What is before
            // it is good, and the rest is played again with the same seeds.
            Ok(Some(_)) | Err(RecordError::Line { .. }) => return Ok(Some(attempt)),
            Err(error) => return Err(error),
        }
    }
}

fn copy(from: &Attempt, to: &Path) -> io::Result<()> {
    let mut source = File::open(&from.path)?.take(from.end);
    let mut copy = File::create(to)?;
    if io::copy(&mut source, &mut copy)? != from.end {
        return Err(io::Error::other(
            "an earlier attempt has become shorter while it was read",
        ));
    }
    copy.flush()?;
    copy.sync_data()
}

/// Returns a name for an attempt that no other attempt has.
pub(crate) fn attempt_name() -> String {
    // The number of a process is unique on a node at a time.
    let host = system::host_name();
    let host: String = host
        .chars()
        .filter(|char| char.is_ascii_alphanumeric() || *char == '-')
        .collect();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!(
        "{host}-{}-{}",
        std::process::id(),
        since.unwrap_or_default().as_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use league::schedule::Format;

    /// The record of a match.
    const RECORD: &[u8] = include_bytes!("../tests/match.jsonl");

    fn attempts(folder: &Path) -> Attempts {
        Attempts::new(folder, Shard::new(2, 8).unwrap())
    }

    #[test]
    fn an_attempt_begins_with_all_whole_series_of_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let attempts = attempts(folder.path());
        assert!(attempts.longest().unwrap().is_none());
        let first = attempts.begin("a").unwrap();
        assert_eq!(first, folder.path().join("shard-3-of-8.a.jsonl"));
        let record = RECORD;
        std::fs::write(&first, record).unwrap();
        let whole = attempts.longest().unwrap().unwrap();
        assert!(whole.series > 1, "the example has several series");
        // Of the last series, half is missing.
        std::fs::write(&first, &record[..record.len() - 40]).unwrap();
        std::fs::write(folder.path().join("shard-3-of-8.b.jsonl"), b"{\"format\":").unwrap();
        std::fs::write(folder.path().join("shard-4-of-8.b.jsonl"), record).unwrap();
        let second = attempts.begin("c").unwrap();
        let found = read(&second).unwrap().unwrap();
        assert_eq!(found.series, whole.series - 1);
        assert!(record.starts_with(&std::fs::read(&second).unwrap()));
        assert!(!folder.path().join("shard-3-of-8.c.part").exists());
    }

    #[test]
    fn a_line_that_another_node_has_not_written_yet_ends_an_attempt() {
        let folder = tempfile::tempdir().unwrap();
        let attempts = attempts(folder.path());
        let mut record = RECORD.to_vec();
        let path = attempts.begin("a").unwrap();
        std::fs::write(&path, &record).unwrap();
        let whole = read(&path).unwrap().unwrap();
        record.extend([0; 100]);
        record.push(b'\n');
        std::fs::write(&path, &record).unwrap();
        let found = read(&path).unwrap().unwrap();
        assert_eq!((found.series, found.end), (whole.series, whole.end));
    }

    #[test]
    fn shards_share_all_series() {
        let plan = Plan {
            format: Format::RoundRobin,
            players: 6,
            games: 100,
            series: 20,
        };
        let of = |index| series_in(Shard::new(index, 8).unwrap(), plan).unwrap();
        assert_eq!((0..8).map(of).sum::<usize>(), 15 * 5);
    }
}
