//! One record out of several: of the shards of a contest, or of its interrupted parts.
//!
//! The first reading finds out which series is where, and what the schedule has to know of it. Then it is clear what
//! the whole contest consists of, and whether all of it is there, before anything is written. The lines themselves are
//! copied as they are.

mod error;
mod index;
mod lines;
mod numbers;
mod order;

use std::path::{Path, PathBuf};

pub use error::MergeError;

use self::index::{Index, Indexed};
use self::lines::Lines;
use self::order::{Order, order};
use crate::record::{ContestFile, ContestHeader, RecordError};
use bothost::Interrupt;
use wire::game::Readers;

/// The number of bytes that are written at a time. Each write waits for the disk, so they are large; they are all the memory
/// that the lines take.
const WRITTEN_AT_ONCE: usize = 8 << 20;

/// Records that are to become one.
#[derive(Debug)]
pub struct Merge<'m> {
    /// The records of one contest, at least one, in any order.
    pub files: &'m [PathBuf],
    /// The path of the result.
    pub out: &'m Path,
    /// Whether to replace a file at `out`.
    pub force: bool,
    /// The readers of the games that can be in the records.
    pub readers: Readers,
    /// The interrupt that stops it.
    pub interrupt: &'m Interrupt,
}

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The number of series in the one record.
    pub series: usize,
    /// The number of their games.
    pub games: u64,
    /// Notes on what was left out or is missing, a sentence each.
    pub notes: Vec<String>,
}

impl Merge<'_> {
    /// Merges the records.
    ///
    /// # Errors
    /// If they do not belong together, if something is missing in all of them or is there twice, or if they cannot be
    /// read or the one cannot be written. Then there is no such file.
    pub fn run(self) -> Result<Merged, MergeError> {
        self.check_files()?;
        // The files stay open and locked until the end: what the index says of them has to be true when they
        // are copied.
        let (mut files, index) = Index::read(self.files, self.readers, self.interrupt)?;
        let order = order(&index, self.files)?;
        let mut notes = index.notes.clone();
        self.check_whole(&index, &order, &mut notes)?;
        // The result is the whole contest. Everything else of the header is the same in all records; that has
        // been checked.
        let header = ContestHeader {
            shard: None,
            ..index.header.clone()
        };
        let games = self.write(&header, &index, &order, &mut files)?;
        Ok(Merged {
            series: order.count(),
            games,
            notes,
        })
    }

    /// Checks the names before hours are spent on reading; making the file checks again.
    fn check_files(&self) -> Result<(), MergeError> {
        for (place, file) in self.files.iter().enumerate() {
            if self.files[..place].contains(file) {
                return Err(MergeError::NamedTwice(file.clone()));
            }
        }
        let Ok(metadata) = self.out.metadata() else {
            return Ok(());
        };
        // By canonical path, so that a link or `./` does not lead to a file that is read while it is written.
        let canonical = self.out.canonicalize().ok();
        if self
            .files
            .iter()
            .any(|file| file.canonicalize().ok() == canonical)
        {
            return Err(MergeError::OutIsInput(self.out.to_owned()));
        }
        // An empty file is accepted: a job script may have made it, for its permissions.
        if metadata.is_file() && metadata.len() > 0 && !self.force {
            return Err(MergeError::OutExists(self.out.to_owned()));
        }
        Ok(())
    }

    fn check_whole(
        &self,
        index: &Index,
        order: &Order,
        notes: &mut Vec<String>,
    ) -> Result<(), MergeError> {
        if order.left_out > 0 {
            notes.push(format!(
                "{} series are left out: one run would not have played them, since a player was disqualified before, \
                 or it is not known who meets there",
                order.left_out
            ));
        }
        if let Some(doubled) = index.doubled(self.files) {
            return Err(MergeError::Doubled(doubled));
        }
        if let Some(missing) = numbers::missing(&order.missing, order.is_open) {
            return Err(MergeError::Missing(missing));
        }
        Ok(())
    }

    /// Writes the one record; returns the number of its games.
    fn write(
        &self,
        header: &ContestHeader,
        index: &Index,
        order: &Order,
        files: &mut [Lines],
    ) -> Result<u64, MergeError> {
        let mut record = ContestFile::create(self.out, self.force, self.readers).map_err(
            |error| match error {
                RecordError::Exists(path) => MergeError::OutExists(path),
                RecordError::Io { path, error } => MergeError::NotOpened { path, error },
                error @ (RecordError::Locked(_)
                | RecordError::NoHeader(_)
                | RecordError::OtherContest { .. }
                | RecordError::Earlier { .. }
                | RecordError::Line { .. }
                | RecordError::Output(_)
                | RecordError::Gone(_)
                | RecordError::Foreign { .. }
                | RecordError::NotWritten { .. }) => MergeError::Record(error),
            },
        )?;
        let written = self.write_to(&mut record, header, index, order, files);
        if written.is_err() {
            // Best effort: the error that is returned already says what happened.
            // An empty file that was not there before goes with `record`.
            let _ = record.continue_at(0);
        }
        written
    }

    fn write_to(
        &self,
        record: &mut ContestFile,
        header: &ContestHeader,
        index: &Index,
        order: &Order,
        files: &mut [Lines],
    ) -> Result<u64, MergeError> {
        let write = |record: &mut ContestFile, lines: &[u8]| {
            record.write(lines).map_err(MergeError::not_written)
        };
        record
            .append_header(header)
            .map_err(MergeError::not_written)?;
        let (mut lines, mut games) = (Vec::new(), 0);
        let mut takes = order.takes.iter().cloned().flatten().peekable();
        let taken = |found: &Indexed| takes.next_if_eq(&found.series.number).is_some();
        for found in index.firsts().filter(taken) {
            games += u64::from(found.series.games);
            if self.interrupt.is_noted() {
                return Err(MergeError::Interrupted);
            }
            let path = &self.files[found.file];
            files[found.file]
                .copy(found.start, found.behind, &mut lines)
                .map_err(RecordError::io(path))?;
            if lines.len() >= WRITTEN_AT_ONCE {
                write(record, &lines)?;
                lines.clear();
            }
        }
        write(record, &lines)?;
        record.publish().map_err(MergeError::not_written)?;
        Ok(games)
    }
}

#[cfg(test)]
mod tests;
