//! Reads what the record of an interrupted contest has, series by series, so that only the rest is played.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::record::{Chunk, ContestFile, ContestHeader, GameLine, RecordError, RecordReader};
use league::schedule::Series;
use wire::game::Readers;

/// More series than this are never behind a gap: lanes run ahead by a few each. If that many are, the file was damaged,
/// and memory must not grow with it.
pub(super) const MOST_LOOSE: usize = 10_000;

/// The record that a contest is written to.
#[derive(Debug)]
pub struct OpenRecord {
    path: PathBuf,
    pub(super) file: ContestFile,
    there: Option<ContestHeader>,
    /// The end of its last whole line, if that is within a member of gzip.
    torn: Option<u64>,
}

impl OpenRecord {
    /// Opens the record at `path`, for a contest that is to `resume` if there is one, else for a new one, which replaces
    /// what is there if `force` says so.
    ///
    /// # Errors
    /// If it cannot be opened, if another referee is writing it, if it exists and should not, or if it is of an earlier
    /// version.
    pub fn open(
        path: &Path,
        resume: bool,
        force: bool,
        readers: Readers,
    ) -> Result<OpenRecord, RecordError> {
        let file = if resume {
            ContestFile::open(path, readers)?
        } else {
            ContestFile::create(path, force, readers)?
        };
        let mut reader = file.read()?;
        let there = reader.last_header()?;
        there
            .iter()
            .try_for_each(|there| there.check_is_current(path))?;
        let torn = reader.ends_in_member().then(|| reader.offset());
        Ok(OpenRecord {
            path: path.to_owned(),
            file,
            there,
            torn,
        })
    }

    /// Returns the last header of what it has already; `None` if it is empty.
    #[must_use]
    pub fn there(&self) -> Option<&ContestHeader> {
        self.there.as_ref()
    }
}

impl OpenRecord {
    /// Cuts off what a compressed record has behind its last whole line. A contest that is complete writes no more, and other
    /// tools refuse a member that was cut short.
    pub(super) fn repair(&mut self) -> Result<(), RecordError> {
        self.torn
            .take()
            .map_or(Ok(()), |whole| self.file.continue_at(whole))
    }
}

/// The finished part of a contest in its record, series by series.
#[derive(Debug)]
pub(super) struct ResumedRecord {
    path: PathBuf,
    reader: RecordReader,
    /// The end of the last series that was taken.
    reached: u64,
    /// The number of games that an encounter was to have at that place, and between how many players.
    size: (u32, usize),
    ahead: Option<Chunk>,
}

impl ResumedRecord {
    /// Opens what `record` has, which has to be of the contest that `header` describes. Returns `None` if it is empty.
    pub(super) fn of(
        record: &OpenRecord,
        header: &ContestHeader,
    ) -> Result<Option<ResumedRecord>, RecordError> {
        let OpenRecord { path, file, .. } = record;
        if file.is_empty()? {
            return Ok(None);
        }
        let mut reader = file.read()?;
        let Some(first) = reader.read_header()? else {
            return Ok(None);
        };
        // The last header counts: it may have raised the number of games.
        let there = record.there().unwrap_or(first);
        let config = header.config_of(there);
        let mut differences = config.differences(&there.config);
        let changed = config.changed_programs(&there.config);
        let asks_for_the_same = differences.is_empty() && header.shard == there.shard;
        if !changed.is_empty() {
            let since = match file.read()?.count_games()? {
                0 => "the record was begun".to_owned(),
                games => format!("game {games}"),
            };
            differences.extend(
                changed
                    .iter()
                    .map(|change| format!("{change} since {since}")),
            );
        }
        if header.shard != there.shard {
            let word = |shard: &Option<String>| shard.clone().unwrap_or("none".to_owned());
            differences.push(format!(
                "shard: {} there, {} here",
                word(&there.shard),
                word(&header.shard)
            ));
        }
        // The identifier is a hash of what is played, so equal ones mean the same contest. The differences
        // say in words what a hash cannot.
        if !differences.is_empty() || header.id != there.id {
            let advice = if !asks_for_the_same {
                "Choose another file, or ask for the same contest".to_owned()
            } else if there.referee != header.referee {
                // The shipped players are part of the referee, and other ones with each version.
                format!(
                    "Continue it with what it began with, the same files and version {} of the referee, or begin again \
                     in another file",
                    there.referee
                )
            } else {
                "Put back the files that it began with, or begin again in another file".to_owned()
            };
            return Err(RecordError::OtherContest {
                path: path.clone(),
                differences,
                advice,
            });
        }
        // The first header's number: a later header changes it from its own place on, and `take` follows
        // that.
        let size = size_of(first);
        let reached = reader.offset();
        Ok(Some(ResumedRecord {
            path: path.clone(),
            reader,
            reached,
            size,
            ahead: None,
        }))
    }

    /// Returns the games of `series`; `None` if they do not come next or are incomplete. `decides` says of the games of
    /// a series that was cut whether the contest was decided with the last of them: there are no others then.
    pub(super) fn take(
        &mut self,
        series: &Series,
        decides: impl Fn(&[GameLine]) -> bool,
    ) -> Result<Option<Chunk>, RecordError> {
        let Some(chunk) = self.next()? else {
            return Ok(None);
        };
        if is_whole(&chunk, series) || (is_cut(&chunk, series) && decides(&chunk.games)) {
            // Moves only past a whole series in order. What follows, if only a torn line, is cut off when the
            // record continues.
            self.reached = chunk.behind;
            self.size = self.reader.header().map_or(self.size, size_of);
            return Ok(Some(chunk));
        }
        // Not consumed: it is the first of the rest.
        self.ahead = Some(chunk);
        Ok(None)
    }

    fn next(&mut self) -> Result<Option<Chunk>, RecordError> {
        let chunk = match self.ahead.take() {
            Some(chunk) => Some(chunk),
            None => self.reader.next_chunk()?,
        };
        // A user has appended it, and would lose it when the contest is written over it.
        if let Some(chunk) = chunk
            .as_ref()
            .filter(|chunk| chunk.games[0].contest.is_none())
        {
            let what = "a game of no contest; move it to a file of its own".to_owned();
            return Err(RecordError::Line {
                path: self.path.clone(),
                line: chunk.line,
                what,
            });
        }
        Ok(chunk)
    }

    /// Returns what is behind the last series that was taken.
    pub(super) fn rest(mut self) -> Result<Rest, RecordError> {
        let mut loose = HashMap::new();
        while let Some(chunk) = self.next()? {
            if loose.len() == MOST_LOOSE {
                let what = "a series before this one is missing, but all of them are here from now on; part of \
                            the file has been lost. referee rank still reads it"
                    .to_owned();
                return Err(RecordError::Line {
                    path: self.path,
                    line: chunk.line,
                    what,
                });
            }
            if let Some(series) = series_of(&chunk) {
                // Incomplete series are left out and so are played again. A bot that learns in a series has
                // to see it from its first game on.
                loose.insert(series.number, chunk);
            }
        }
        Ok(Rest {
            reached: self.reached,
            size: self.size,
            loose,
        })
    }
}

/// Returns the number of games of an encounter, and of players: what may grow.
pub(super) fn size_of(header: &ContestHeader) -> (u32, usize) {
    (header.games, header.config.players.len())
}

/// The end of the complete part of a record.
#[derive(Debug)]
pub(super) struct Rest {
    /// Its position, in bytes.
    pub(super) reached: u64,
    /// The number of games that an encounter was to have at that place, and between how many players.
    pub(super) size: (u32, usize),
    /// Complete series behind it, by number: they were written when the contest was stopped while one before them was
    /// still being played.
    pub(super) loose: HashMap<usize, Chunk>,
}

/// Returns whether `chunk` is all of `series`.
pub(super) fn is_whole(chunk: &Chunk, series: &Series) -> bool {
    series_of(chunk).is_some_and(|found| found == *series)
}

/// Returns whether `chunk` is the beginning of `series`, which ended there because a sequential test had decided.
fn is_cut(chunk: &Chunk, series: &Series) -> bool {
    series_of(chunk).is_some_and(|found| {
        found.games as usize == chunk.games.len() && is_beginning(&found, series)
    })
}

/// Returns whether `found` has the first games of `series` and not all of them.
pub(super) fn is_beginning(found: &Series, series: &Series) -> bool {
    found.games < series.games
        && Series {
            games: series.games,
            ..*found
        } == *series
}

/// Returns the series of `chunk`; `None` if it is none, or only a part of one.
#[must_use]
pub fn series_of(chunk: &Chunk) -> Option<Series> {
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
