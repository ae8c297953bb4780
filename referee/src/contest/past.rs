use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::schedule::Series;
use crate::record::{Chunk, ContestFile, ContestHeader, RecordError, RecordReader};

/// More series than this are never written out of order: that many are missing for another reason.
const MOST_LOOSE: usize = 10_000;

/// What the record of a contest has already, series by series.
#[derive(Debug)]
pub(super) struct Past {
    path: PathBuf,
    reader: RecordReader,
    /// Where the last series that was taken ends.
    reached: u64,
    /// How many games an encounter was to have at that place.
    games: u32,
    ahead: Option<Chunk>,
}

impl Past {
    /// Opens the `record` at `path`, which has to be of the contest that `header` describes. Nothing if the record is
    /// empty.
    pub(super) fn open(
        path: &Path,
        record: &ContestFile,
        header: &ContestHeader,
    ) -> Result<Option<Past>, RecordError> {
        if record.is_empty()? {
            return Ok(None);
        }
        let mut reader = record.read()?;
        let Some(there) = reader.read_header()? else { return Ok(None) };
        let mut differences = header.config.differences(&there.config);
        if header.shard != there.shard {
            let word = |shard: &Option<String>| shard.clone().unwrap_or("none".to_owned());
            differences.push(format!(
                "shard: {} there, {} here",
                word(&there.shard),
                word(&header.shard)
            ));
        }
        if !differences.is_empty() || header.id != there.id {
            return Err(RecordError::OtherContest { path: path.to_owned(), differences });
        }
        let (games, reached) = (there.games, reader.offset());
        Ok(Some(Past { path: path.to_owned(), reader, reached, games, ahead: None }))
    }

    /// How many games an encounter was to have, by the last header that has been read.
    pub(super) fn games(&self) -> u32 {
        self.games
    }

    /// The games of `series`, if they come next and are complete.
    pub(super) fn take(&mut self, series: &Series) -> Result<Option<Chunk>, RecordError> {
        let chunk = match self.ahead.take() {
            Some(chunk) => Some(chunk),
            None => self.reader.next_chunk()?,
        };
        let Some(chunk) = chunk else { return Ok(None) };
        if is_whole(&chunk, series) {
            self.reached = chunk.behind;
            self.games = self.reader.header().map_or(self.games, |header| header.games);
            return Ok(Some(chunk));
        }
        self.ahead = Some(chunk);
        Ok(None)
    }

    /// What is behind the last series that was taken.
    pub(super) fn rest(mut self) -> Result<Rest, RecordError> {
        let mut loose = HashMap::new();
        while let Some(chunk) = match self.ahead.take() {
            Some(chunk) => Some(chunk),
            None => self.reader.next_chunk()?,
        } {
            if loose.len() == MOST_LOOSE {
                let what = "a series before this one is missing, but all of them are here from now on; part of \
                            the file has been lost. referee rank still reads it"
                    .to_owned();
                return Err(RecordError::Line { path: self.path, line: chunk.line, what });
            }
            if let Some(end) = &chunk.end {
                loose.insert(end.series - 1, chunk);
            }
        }
        Ok(Rest { reached: self.reached, games: self.games, loose })
    }
}

/// Where a record ends, as far as it is complete.
#[derive(Debug)]
pub(super) struct Rest {
    /// Where that is, in bytes.
    pub(super) reached: u64,
    /// How many games an encounter was to have at that place.
    pub(super) games: u32,
    /// Complete series behind it, by number: they were written when the contest was stopped while one before them was
    /// still being played.
    pub(super) loose: HashMap<usize, Chunk>,
}

/// Whether `chunk` is all of `series`.
pub(super) fn is_whole(chunk: &Chunk, series: &Series) -> bool {
    chunk.end.as_ref().is_some_and(|end| {
        (end.series, end.players, end.games) == (series.number + 1, series.players, series.games)
    })
}
