//! The games of a record, one after the other.

use std::path::Path;
use std::vec::IntoIter;

use super::GameDigest;
use crate::record::{ContestHeader, GameLine, RecordError, RecordReader};
use wire::game::Readers;

/// Reads the games of a record.
#[derive(Debug)]
pub struct RecordedGames {
    reader: RecordReader,
    number: u64,
    games: IntoIter<GameLine>,
    /// Whether the series of these games was played to its end.
    finished: bool,
}

impl RecordedGames {
    /// Opens the record at `path`, whose games `readers` read.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path, readers: Readers) -> Result<RecordedGames, RecordError> {
        Ok(RecordedGames {
            reader: RecordReader::open(path, readers)?,
            number: 0,
            games: Vec::new().into_iter(),
            finished: false,
        })
    }

    /// Returns the next game, in short and as the record has it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&mut self) -> Result<Option<(GameDigest, GameLine)>, RecordError> {
        loop {
            if let Some(game) = self.games.next() {
                self.number += 1;
                let finished = self.finished || game.contest.is_none();
                let digest = GameDigest::new(self.number, &game, finished);
                return Ok(Some((digest, game)));
            }
            let Some(chunk) = self.reader.next_chunk()? else {
                return Ok(None);
            };
            self.finished = chunk.end.is_some();
            self.games = chunk.games.into_iter();
        }
    }

    /// Returns the header that was read last.
    #[must_use]
    pub fn header(&self) -> Option<&ContestHeader> {
        self.reader.header()
    }

    /// Returns the irregularities of the record, in a sentence each.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        self.reader.remarks()
    }
}

/// Returns the last lines that were said with the player that lost `game` by its fault, as the end
/// of the series in the record at `path` has them.
///
/// # Errors
/// If the record cannot be read.
pub fn last_said(
    path: &Path,
    readers: Readers,
    game: &GameLine,
) -> Result<Vec<String>, RecordError> {
    // A pipe can be read only once.
    let Some(place) = game.contest.as_ref().filter(|_| path.is_file()) else {
        return Ok(Vec::new());
    };
    let mut reader = RecordReader::open(path, readers)?;
    while let Some(chunk) = reader.next_chunk()? {
        let Some(end) = chunk.end else { continue };
        if end.contest == place.id && end.series == place.series {
            let said = end.said.into_iter().find(|said| said.game == place.game);
            if let Some(said) = said {
                return Ok(said.lines);
            }
        }
    }
    Ok(Vec::new())
}

/// Returns the variables of the environment that the contest of `game` in the record at `path` gave
/// to its bots.
///
/// # Errors
/// If the record cannot be read.
pub fn env_of_contest(
    path: &Path,
    readers: Readers,
    game: &GameLine,
) -> Result<Vec<String>, RecordError> {
    // A pipe can be read only once.
    if game.contest.is_none() || !path.is_file() {
        return Ok(Vec::new());
    }
    let mut reader = RecordReader::open(path, readers)?;
    reader.next_chunk()?;
    let header = reader.header();
    Ok(header.map_or_else(Vec::new, |header| header.config.terms.env.clone()))
}
