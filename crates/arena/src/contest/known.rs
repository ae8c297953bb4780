//! The series that a record of a contest has already, one after the other: a contest that continues
//! takes them from its own record, a merge from several.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::record::{Chunk, ContestHeader, RecordError, RecordReader};
use league::schedule::Series;

/// A record never has more series than this behind one that is missing, since lanes run ahead by a
/// few series each. With more the file was damaged, and memory must not grow with it.
const MOST_LOOSE: usize = 10_000;

/// The series of a record, in the order of its lines.
#[derive(Debug)]
pub(super) struct Known {
    path: PathBuf,
    reader: RecordReader,
    next: Option<Chunk>,
    /// The end of the last series that was taken, in bytes of the text.
    pub(super) reached: u64,
    /// The games of an encounter and the number of players, by the last header before that place.
    pub(super) size: (u32, usize),
}

impl Known {
    /// Returns the series that `reader` finds in the record at `path`; `None` if not even its
    /// header is whole.
    pub(super) fn new(path: &Path, mut reader: RecordReader) -> Result<Option<Known>, RecordError> {
        let Some(header) = reader.read_header()? else {
            return Ok(None);
        };
        // A later header changes the number of games from its own place on.
        let size = size_of(header);
        Ok(Some(Known {
            path: path.to_owned(),
            next: None,
            reached: reader.offset(),
            size,
            reader,
        }))
    }

    /// Returns the series that comes next, or as much of it as there is.
    pub(super) fn peek(&mut self) -> Result<Option<&Chunk>, RecordError> {
        if self.next.is_none() {
            self.next = self.reader.next_chunk()?;
        }
        match &self.next {
            // A user has appended it, and would lose it when the contest is written over it.
            Some(chunk) if chunk.games[0].contest.is_none() => {
                let what = "a game of no contest; move it to a file of its own".to_owned();
                Err(self.about(chunk.line, what))
            }
            next => Ok(next.as_ref()),
        }
    }

    /// Takes the series that [`Known::peek`] has returned.
    pub(super) fn take(&mut self) -> Option<Chunk> {
        let chunk = self.next.take()?;
        self.reached = chunk.behind;
        self.size = self.reader.header().map_or(self.size, size_of);
        Some(chunk)
    }

    /// Returns the complete series that follow, by number: they were written when the contest was
    /// stopped while one before them was still being played.
    pub(super) fn rest(&mut self) -> Result<HashMap<usize, Chunk>, RecordError> {
        let mut loose = HashMap::new();
        while let Some(chunk) = self.peek()? {
            if loose.len() == MOST_LOOSE {
                let line = chunk.line;
                let what = "a series before this one is missing, but all of them are here from now on; part of the \
                            file has been lost. referee rank still reads it";
                return Err(self.about(line, what.to_owned()));
            }
            // Incomplete series are left out and so are played again. A bot that learns in a series
            // has to see it from its first game on.
            let number = series_of(chunk).map(|series| series.number);
            loose.extend(number.zip(self.next.take()));
        }
        Ok(loose)
    }

    /// Returns the number of the last line, if that was cut short.
    pub(super) fn torn_line(&self) -> Option<u64> {
        self.reader.torn_line()
    }

    fn about(&self, line: u64, what: String) -> RecordError {
        RecordError::Line {
            path: self.path.clone(),
            line,
            what,
        }
    }
}

/// Returns the number of games of an encounter, and of players: what may grow.
pub(super) fn size_of(header: &ContestHeader) -> (u32, usize) {
    (header.games, header.config.players.len())
}

/// Returns whether `found` has the first games of `series` and not all of them: a sequential test
/// has decided there.
pub(super) fn is_beginning(found: &Series, series: &Series) -> bool {
    let games = series.games;
    found.games < games && Series { games, ..*found } == *series
}

/// Returns the series of `chunk`; `None` if it is none, or only a part of one.
pub(super) fn series_of(chunk: &Chunk) -> Option<Series> {
    let end = chunk.end.as_ref()?;
    let first_game = chunk.games.first()?.contest.as_ref()?.game;
    // Records count from 1; a 0 was typed by hand, and is not a series.
    Some(Series {
        number: end.series.checked_sub(1)?,
        round: end.round.checked_sub(1)?,
        players: end.players,
        first_game: first_game.checked_sub(1)?,
        games: end.games,
    })
}
