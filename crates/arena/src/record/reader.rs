//! Reads records of games, of a contest or not, series by series and in bounded memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bothost::text;
use serde::Deserialize;
use serde::de::{Error as _, IgnoredAny};
use wire::game::{Game, GameReader, Readers};

use crate::judge::JudgeReader;

use super::gzip::Text;
use super::header::{
    CONTEST_FORMAT, CONTEST_VERSION, ContestHeader, OLDEST_CONTEST, SERIES_FORMAT, SeriesRecord,
};
use super::{FORMAT, GameLine, RecordError, VERSION};

/// The longest line that is read, in bytes. The referee writes shorter ones: the dialogue of a judged
/// game is bounded by this. A file
/// that is not a record at all, such as a device or a program, must not fill the memory before its
/// first line feed.
pub(crate) const LONGEST_LINE: u64 = 64 << 20;

/// The beginning of a game as the referee writes it, since version 1.0.
const BEGUN_GAME: &str = r#"{"format":"battleship-game","version":1,"referee":"1."#;

/// The beginning of any line of a record.
const BEGUN_LINE: &[u8] = br#"{"format":"battleship-"#;

/// UTF-8's.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Games that belong together in a record.
#[derive(Debug)]
pub struct Chunk {
    /// The games, in order.
    pub games: Vec<GameLine>,
    /// The end of their series; `None` if the series was not finished when the referee stopped, or
    /// if they belong to no contest.
    pub end: Option<SeriesRecord>,
    /// The offset of their first line in the text of the file, in bytes. The text is that of a
    /// compressed file once decoded.
    pub start: u64,
    /// The offset of the line after their last one.
    pub behind: u64,
    /// The number of their first line, from 1.
    pub line: u64,
}

/// Reads a record of games, of a contest or not, series by series. The file may be compressed by
/// gzip.
#[derive(Debug)]
pub struct RecordReader {
    /// The readers of the games that can be in the record.
    readers: Readers,
    path: PathBuf,
    text: Text,
    line: Vec<u8>,
    /// The number of the line that was read last, from 1.
    number: u64,
    /// The position of the next line in the text.
    offset: u64,
    header: Option<ContestHeader>,
    /// A game that was read but belongs to the next chunk.
    ahead: Option<(GameLine, u64, u64)>,
    torn: Option<u64>,
    /// The number of games that have been left out, by each game that this version does not know.
    unknown: BTreeMap<String, u64>,
}

/// More different names of games than these are not told apart.
const MOST_UNKNOWN: usize = 10;

enum ReadLine {
    Header(Box<ContestHeader>),
    Game(Box<GameLine>),
    Series(Box<SeriesRecord>),
    /// A game by rules that this version does not know, which have this name.
    Unknown(String),
}

impl RecordReader {
    /// Opens the record at `path`.
    ///
    /// # Errors
    /// If there is none, or if it cannot be read.
    pub fn open(path: &Path, readers: Readers) -> Result<RecordReader, RecordError> {
        File::open(path)
            .map(|file| RecordReader::new(path, file, readers))
            .map_err(RecordError::io(path))
    }

    /// Reads from the current position of `file`, which messages call `path`.
    #[must_use]
    pub fn new(path: &Path, file: File, readers: Readers) -> RecordReader {
        RecordReader::up_to(path, file, u64::MAX, readers)
    }

    /// Reads the next `length` bytes of `file`, compressed or not: this much is known to be whole
    /// while another process appends to it.
    #[must_use]
    pub fn up_to(path: &Path, file: File, length: u64, readers: Readers) -> RecordReader {
        RecordReader::of_text(path, Text::up_to(file, length), readers)
    }

    /// Reads what is left of `text`, which messages call `path`.
    #[must_use]
    pub fn of_text(path: &Path, text: Text, readers: Readers) -> RecordReader {
        RecordReader {
            readers,
            path: path.to_owned(),
            text,
            line: Vec::new(),
            number: 0,
            offset: 0,
            header: None,
            ahead: None,
            torn: None,
            unknown: BTreeMap::new(),
        }
    }

    /// Returns the header that has been read last.
    #[must_use]
    pub fn header(&self) -> Option<&ContestHeader> {
        self.header.as_ref()
    }

    /// Returns the offset in the text of the line after the last one that was read.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns whether the line that was read last begins as that of a game does.
    #[must_use]
    pub fn is_begun_game(&self) -> bool {
        is_begun(&self.line, FORMAT)
    }

    /// Returns the number of the last line, if that was cut short.
    #[must_use]
    pub fn torn_line(&self) -> Option<u64> {
        self.torn
    }

    /// Returns the parts of the record that did not count so far, in a sentence each.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let path = self.path.display();
        let unknown = self.unknown.iter().map(|(name, count)| {
            let (games, are) = if *count == 1 { ("game", "is") } else { ("games", "are") };
            let name = text::shortened(name);
            format!("{path}: {count} {games} of {name:?} {are} left out, since this version of the referee does not know it")
        });
        let torn = self
            .torn
            .map(|line| format!("{path}, line {line} was cut short and does not count"));
        unknown.chain(torn).collect()
    }

    /// Returns whether the end that was reached is within a member of gzip.
    #[must_use]
    pub fn ends_in_member(&self) -> bool {
        self.text.is_torn()
    }

    /// Reads the header with which a record of a contest begins; `None` if the referee was stopped
    /// while it wrote that line.
    ///
    /// # Errors
    /// If there is something else.
    pub fn read_header(&mut self) -> Result<Option<&ContestHeader>, RecordError> {
        match self.next_line() {
            Ok(Some(ReadLine::Header(header))) => Ok(Some(self.header.insert(*header))),
            Ok(None) if is_begun_header(&self.line) => Ok(None),
            // A header, but of a version that this referee does not read: that is worth saying, and
            // such a file must not be overwritten as a torn one may.
            Err(error @ RecordError::Line { .. }) if is_begun_header(&self.line) => Err(error),
            Ok(_) | Err(RecordError::Line { .. }) => Err(RecordError::NoHeader(self.path.clone())),
            Err(error) => Err(error),
        }
    }

    /// Reads the first line, and returns the format that it names and whether it is a game of a
    /// contest; `None` if there is no such line.
    pub(super) fn read_kind(&mut self) -> Result<Option<(String, bool)>, RecordError> {
        #[derive(Deserialize)]
        struct Kind {
            format: String,
            contest: Option<IgnoredAny>,
        }
        if !self.next_raw_line()? {
            return Ok(None);
        }
        let kind: Option<Kind> = serde_json::from_slice(&self.line).ok();
        Ok(kind.map(|kind| (kind.format, kind.contest.is_some())))
    }

    /// Reads to the end of the record and returns its last header, which is the one that counts.
    /// Other lines are not looked at.
    ///
    /// # Errors
    /// If the record cannot be read, or if a header in it makes no sense.
    pub fn last_header(&mut self) -> Result<Option<ContestHeader>, RecordError> {
        while self.next_raw_line()? {
            if is_begun_header(&self.line) {
                match self.parse() {
                    Ok(ReadLine::Header(header)) => self.header = Some(*header),
                    // A line with the same beginning may be of another kind only if it is not a
                    // header after all.
                    Ok(ReadLine::Game(_) | ReadLine::Series(_) | ReadLine::Unknown(_)) => {}
                    Err(what) => return Err(self.about(self.number, what)),
                }
            }
        }
        Ok(self.header.clone())
    }

    /// Reads to the end of the record and returns the number of its games. Lines are looked at no
    /// further.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn count_games(mut self) -> Result<u64, RecordError> {
        let begin = format!("{{\"format\":\"{FORMAT}\"");
        let mut games = 0;
        while self.next_raw_line()? {
            games += u64::from(self.line.starts_with(begin.as_bytes()));
        }
        Ok(games)
    }

    /// Returns the next games that belong together, or `None` at the end of the record. A last line
    /// that was cut short counts as not there: see [`RecordReader::torn_line`].
    ///
    /// # Errors
    /// If a line makes no sense.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, RecordError> {
        let mut chunk: Option<Chunk> = None;
        // Chunks end where the next one begins, so the first game of the next is read too early and
        // kept.
        if let Some((game, start, line)) = self.ahead.take() {
            let behind = self.offset;
            chunk = Some(Chunk {
                games: vec![game],
                end: None,
                start,
                behind,
                line,
            });
        }
        loop {
            let start = self.offset;
            let line = self.number + 1;
            match self.next_line()? {
                None => return Ok(chunk),
                Some(ReadLine::Header(header)) => {
                    self.check_contest(&header.id, line)?;
                    self.header = Some(*header);
                }
                Some(ReadLine::Game(game)) => {
                    if let Some(place) = &game.contest {
                        self.check_contest(&place.id, line)?;
                    }
                    match &mut chunk {
                        None => {
                            let games = vec![*game];
                            let behind = self.offset;
                            chunk = Some(Chunk {
                                games,
                                end: None,
                                start,
                                behind,
                                line,
                            });
                        }
                        Some(chunk) if belong_together(&chunk.games, &game) => {
                            chunk.games.push(*game);
                            chunk.behind = self.offset;
                        }
                        Some(_) => {
                            // Of another series, though this one has no end: the referee was
                            // stopped here and continued later.
                            self.ahead = Some((*game, start, line));
                            return Ok(chunk);
                        }
                    }
                }
                Some(ReadLine::Unknown(name)) => {
                    if self.unknown.len() < MOST_UNKNOWN || self.unknown.contains_key(&name) {
                        *self.unknown.entry(name).or_default() += 1;
                    }
                }
                Some(ReadLine::Series(end)) => {
                    let Some(mut chunk) = chunk.take().filter(|chunk| ends(&end, &chunk.games))
                    else {
                        let what = format!(
                            "series {} ends with {} games, but those before it are others",
                            end.series, end.games
                        );
                        return Err(self.about(line, what));
                    };
                    chunk.end = Some(*end);
                    chunk.behind = self.offset;
                    return Ok(Some(chunk));
                }
            }
        }
    }

    fn next_line(&mut self) -> Result<Option<ReadLine>, RecordError> {
        if !self.next_raw_line()? {
            return Ok(None);
        }
        self.parse()
            .map(Some)
            .map_err(|what| self.about(self.number, what))
    }

    /// Reads the next line that is not empty, if there is a whole one left.
    fn next_raw_line(&mut self) -> Result<bool, RecordError> {
        while self.read_line()? {
            // Editors write this mark in front of a text.
            if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
                self.line.drain(..BYTE_ORDER_MARK.len());
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_line(&mut self) -> Result<bool, RecordError> {
        self.line.clear();
        let read = (&mut self.text)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| self.not_read(error))?;
        if read == 0 {
            // Of a member that was cut short, whole lines count, and it may have ended behind one.
            if self.text.is_torn() {
                self.torn = Some(self.number + 1);
            }
            return Ok(false);
        }
        self.number += 1;
        // Only a whole line counts, as `append` writes whole ones: of half an object, the referee
        // or its machine was stopped in the middle. The offset stays before it, so that a continued
        // record overwrites it.
        let is_whole = self.line.ends_with(b"\n")
            || serde_json::from_slice::<IgnoredAny>(self.line.trim_ascii()).is_ok();
        if !is_whole {
            // The limit was reached in the middle of the file. To call that a torn last line would
            // drop all that follows.
            if read as u64 == LONGEST_LINE {
                let what = format!("longer than {LONGEST_LINE} bytes: this is not a record");
                return Err(self.about(self.number, what));
            }
            self.torn = Some(self.number);
            return Ok(false);
        }
        self.offset += read as u64;
        Ok(true)
    }

    fn not_read(&self, error: io::Error) -> RecordError {
        if error.kind() != io::ErrorKind::InvalidData {
            return RecordError::unreadable(&self.path, error);
        }
        let what = format!(
            "the file is damaged here, {error}; `gzip -dc` still writes the lines before this one"
        );
        self.about(self.number + 1, what)
    }

    /// Checks that a line in the record of a contest is of that contest.
    fn check_contest(&self, id: &str, line: u64) -> Result<(), RecordError> {
        match &self.header {
            Some(header) if header.id != id => {
                let what = format!(
                    "this is of contest {id}, and the header of {}; if the file is two records in one, name both files instead",
                    header.id
                );
                Err(self.about(line, what))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn parse(&self) -> Result<ReadLine, String> {
        #[derive(Deserialize)]
        #[serde(expecting = "an object with a format and a version")]
        struct Kind<'l> {
            format: &'l str,
            version: u32,
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        // Also of a first line that only its text tells from that of another file.
        let is_line = self.number > 1 || line.starts_with(BEGUN_LINE);
        let damaged = |what: &str, column: usize| {
            if !is_line {
                let what = "this is not a record; records come from --out or --json, and their names end in .jsonl";
                return what.to_owned();
            }
            // serde_json knows no column for a field that is missing.
            let place = match column {
                0 => String::new(),
                column => format!(", at column {column}"),
            };
            format!(
                "this is not a line of a record: {what}{place}; use an earlier copy of the file, or leave the line out"
            )
        };
        let line = str::from_utf8(line)
            .map_err(|error| damaged("it is not UTF-8 text", error.valid_up_to() + 1))?;
        let not_json = |error: serde_json::Error| {
            // serde_json counts lines too, but has seen only this one.
            let what = error.to_string();
            let what = what
                .rsplit_once(" at line ")
                .map_or(&*what, |(what, _)| what);
            damaged(what, error.column())
        };
        // In two steps, so that a line of a newer version is refused by its number and not for a
        // field that has changed. Nearly all lines begin as the referee writes a game, and need no
        // step of their own for that.
        let kind = if line.starts_with(BEGUN_GAME) {
            Kind {
                format: FORMAT,
                version: 1,
            }
        } else {
            serde_json::from_str(line).map_err(not_json)?
        };
        let (oldest, newest) = if kind.format == CONTEST_FORMAT {
            (OLDEST_CONTEST, CONTEST_VERSION)
        } else {
            (1, VERSION)
        };
        if kind.version < oldest {
            return Err(format!(
                "version {} of the format; the oldest that is read is {oldest}, of referee 1.0.0",
                kind.version
            ));
        }
        if kind.version > newest {
            return Err(format!(
                "version {} of the format; this referee reads versions up to {newest}; use a newer one",
                kind.version
            ));
        }
        let read = match kind.format {
            CONTEST_FORMAT => serde_json::from_str(line).map(ReadLine::Header),
            FORMAT => self.read_game(line),
            SERIES_FORMAT => serde_json::from_str(line).map(ReadLine::Series),
            other => return Err(format!("{other:?} is not a kind of line that a record has")),
        };
        let unknown = |rules: &str| {
            let name = text::shortened(rules);
            format!("this version of the referee does not know the game {name:?}")
        };
        match read {
            Ok(ReadLine::Header(header)) => {
                let rules = header.config.rules();
                let reader = self.reader_of(rules).ok_or_else(|| unknown(rules))?;
                let game = reader.game(&header.config.game);
                game.map_err(|what| format!("this is not a line of a record: {what}"))?;
                Ok(ReadLine::Header(header))
            }
            Ok(line) => Ok(line),
            Err(error) => match played_in(line) {
                Some(Played { rules, contest }) if self.reader_of(&rules).is_none() => {
                    // A contest needs all of its games.
                    if kind.format == FORMAT && contest.is_none() {
                        Ok(ReadLine::Unknown(rules))
                    } else {
                        Err(unknown(&rules))
                    }
                }
                Some(_) | None => Err(not_json(error)),
            },
        }
    }

    /// Returns the game of a contest whose header this reader has read.
    #[must_use]
    pub fn game(&self, header: &ContestHeader) -> Arc<dyn Game> {
        let reader = self.reader_of(header.config.rules());
        let game = reader.and_then(|reader| reader.game(&header.config.game).ok());
        game.expect("a header is read if its game is known")
    }

    fn reader_of(&self, rules: &str) -> Option<&'static dyn GameReader> {
        reader_of(rules, self.readers)
    }

    /// Reads the line of a game: what all games have, and what is counted of it.
    fn read_game(&self, json: &str) -> serde_json::Result<ReadLine> {
        let mut game: Box<GameLine> = serde_json::from_str(json)?;
        let reader = self
            .reader_of(&game.rules)
            .ok_or_else(|| serde_json::Error::custom("an unknown game"))?;
        game.stats = reader.stats(json)?;
        game.json = json.into();
        Ok(ReadLine::Game(game))
    }

    fn about(&self, line: u64, what: String) -> RecordError {
        RecordError::Line {
            path: self.path.clone(),
            line,
            what,
        }
    }
}

/// Returns which of `readers` reads games by `rules`. Those that a judge knows are read in any
/// case.
pub(super) fn reader_of(rules: &str, readers: Readers) -> Option<&'static dyn GameReader> {
    let judged: Readers = &[&JudgeReader];
    let mut readers = readers.iter().chain(judged);
    readers.find(|reader| reader.reads(rules)).copied()
}

/// A game or a header, as far as it says what is played.
#[derive(Deserialize)]
struct Played {
    rules: String,
    contest: Option<IgnoredAny>,
}

/// Returns the rules that a line names, if it names some.
fn played_in(line: &str) -> Option<Played> {
    #[derive(Deserialize)]
    struct Header {
        config: Played,
    }
    if let Ok(header) = serde_json::from_str::<Header>(line) {
        return Some(header.config);
    }
    serde_json::from_str(line).ok()
}

/// Returns whether `game` may follow `games` in one chunk: of the same series, and the next one in
/// it.
fn belong_together(games: &[GameLine], game: &GameLine) -> bool {
    // Numbers have to follow each other. A series that was begun, stopped and played again is in
    // the record twice, and its two parts must not become one.
    match (
        games.last().and_then(|last| last.contest.as_ref()),
        &game.contest,
    ) {
        (Some(last), Some(next)) => {
            (&last.id, last.series, last.game.checked_add(1))
                == (&next.id, next.series, Some(next.game))
        }
        (None | Some(_), None) | (None, Some(_)) => false,
    }
}

fn ends(end: &SeriesRecord, games: &[GameLine]) -> bool {
    let of_series = games.last().and_then(|game| game.contest.as_ref());
    of_series.is_some_and(|place| (&place.id, place.series) == (&end.contest, end.series))
        && games.len() == end.games as usize
}

/// Returns whether `line` is the beginning of a header, the only text that a record may overwrite.
fn is_begun_header(line: &[u8]) -> bool {
    is_begun(line, CONTEST_FORMAT)
}

/// Returns whether `line` is the beginning of a line of this format.
fn is_begun(line: &[u8], format: &str) -> bool {
    let begin = format!("{{\"format\":\"{format}\"");
    // As far as both go: a line that was cut short, even to nothing, counts as begun.
    line.iter()
        .zip(begin.as_bytes())
        .all(|(read, expected)| read == expected)
}

#[cfg(test)]
mod tests;
