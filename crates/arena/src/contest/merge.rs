//! One record out of several, of the shards of a contest or of its interrupted parts: a contest all
//! of whose series are known.

use std::fs::{File, TryLockError};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::PlayedSeries;
use super::known::{Known, is_beginning, series_of};
use crate::record::{
    ContestFile, ContestHeader, GameLine, Output, RecordError, RecordReader, Shard, is_same_file,
    lock_patiently, remedy,
};
use crate::result::Scoreboard;
use crate::system;
use crate::words::counted;
use bothost::{Interrupt, text};
use league::schedule::Series;
use wire::game::{Game, Readers};

/// The number of bytes that are written at a time: each write waits for the disk.
const WRITTEN_AT_ONCE: usize = 8 << 20;

/// The series that a message names at most: longer lists are not read.
const MOST_NAMED: usize = 8;

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The number of series in the one record.
    pub series: usize,
    /// The number of their games.
    pub games: usize,
    /// The number of series that one run would not have played.
    pub left_out: usize,
    /// Notes on what was left out or is missing, a sentence each.
    pub notes: Vec<String>,
}

/// What becomes of a series that two records have with other results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradictions {
    /// The records are not merged.
    Refuse,
    /// The series of the record that is named first counts.
    KeepFirst,
}

/// The reason why records do not become one.
#[derive(Debug, Error)]
pub enum MergeError {
    /// They do not belong together, or lack something: what, where, and how to fix it.
    #[error("{0}")]
    Refused(String),
    /// They lack series.
    #[error("{} missing{later}; {}", series_are(.series), advice_on(.shards))]
    Missing {
        /// Their numbers, from 0.
        series: Vec<usize>,
        /// Words on the rounds that depend on them.
        later: &'static str,
        /// The shards that have them, if the records are of shards.
        shards: Vec<Shard>,
    },
    /// The one could not be written, and is not there.
    #[error("{}: {error}; {}, then merge again", shown(.path), remedy(.error).to_lowercase())]
    NotWritten {
        /// Its path.
        path: PathBuf,
        /// The operating system's message.
        error: io::Error,
    },
    /// One of the records is at fault.
    #[error(transparent)]
    Record(RecordError),
    /// The user stopped it.
    #[error("stopped before everything was merged; no file was written")]
    Interrupted,
}

impl From<RecordError> for MergeError {
    fn from(error: RecordError) -> MergeError {
        if let RecordError::NotWritten { path, error } = error {
            MergeError::NotWritten { path, error }
        } else {
            MergeError::Record(error)
        }
    }
}

/// One of the records, locked so that no other referee writes it meanwhile.
struct Part<'f> {
    path: &'f Path,
    header: ContestHeader,
    game: Arc<dyn Game>,
    /// Its series. They hold the file, and so its lock.
    known: Known,
}

/// Merges `files`, at least one record of one contest in any order, into the record `out`. With
/// `force` it replaces a file that is there. `readers` read the games.
/// Records that contradict each other are treated as `contradictions` says.
///
/// # Errors
/// If the records do not belong together or all lack a series, or if they cannot be read or the one
/// cannot be written. Then there is no such file.
pub fn merge(
    files: &[PathBuf],
    out: &Path,
    force: bool,
    contradictions: Contradictions,
    readers: Readers,
    interrupt: &Interrupt,
) -> Result<Merged, MergeError> {
    if files.iter().any(|file| is_same_file(file, out)) {
        let what = format!(
            "{} is one of the records to merge; choose another --out",
            shown(out)
        );
        return Err(MergeError::Refused(what));
    }
    let output = Output {
        option: "--out",
        path: out,
        force,
    };
    output.check_writable().map_err(RecordError::from)?;
    let mut record = ContestFile::create(out, force, readers)?;
    let merged = merge_into(Some(&mut record), files, contradictions, readers, interrupt);
    if merged.is_err() {
        // Best effort: the error says what happened. A file that was not there before goes with
        // `record`.
        let _ = record.continue_at(0);
    }
    merged
}

/// Returns the shards whose series `files`, records of shards of one contest in any order, lack.
/// Nothing is written.
///
/// # Errors
/// If the records do not belong together, cannot be read, or lack series and are of no shards.
pub fn missing_shards(
    files: &[PathBuf],
    readers: Readers,
    interrupt: &Interrupt,
) -> Result<Vec<Shard>, MergeError> {
    match merge_into(None, files, Contradictions::KeepFirst, readers, interrupt) {
        Ok(_) => Ok(Vec::new()),
        Err(MergeError::Missing { shards, .. }) if !shards.is_empty() => Ok(shards),
        Err(error) => Err(error),
    }
}

/// Merges `files` into `record`; without one only looks whether they are complete.
fn merge_into(
    mut record: Option<&mut ContestFile>,
    files: &[PathBuf],
    contradictions: Contradictions,
    readers: Readers,
    interrupt: &Interrupt,
) -> Result<Merged, MergeError> {
    // All are locked before the first is read, so that no long reading is followed by "is being
    // written".
    let opened: Vec<File> = files
        .iter()
        .map(|path| open(path))
        .collect::<Result<_, _>>()?;
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (path, file) in files.iter().zip(opened) {
        let part = Part::new(path, file, readers)?;
        if let Some(first) = parts.first() {
            first.check_same_contest(&part)?;
        }
        parts.push(part);
    }
    let first = parts.first().expect("there is at least one");
    let shard: Option<Shard> = parts.iter().find_map(|part| part.header.part());
    // The result is the whole contest. Everything else of the header is the same in all records.
    let header = ContestHeader {
        shard: None,
        ..first.header.clone()
    };
    let mut lines = header.to_line();
    let depends_on_results = !header.config.schedule.is_fixed();
    let mut board = Scoreboard::new(header, first.game.clone())
        .map_err(|error| MergeError::Refused(format!("{}: {error}", shown(first.path))))?;
    let mut merged = Merged::default();
    let mut doubled = Vec::new();
    let mut missing: Vec<Series> = Vec::new();
    while let Some(series) = board.awaited() {
        if interrupt.is_noted() {
            return Err(MergeError::Interrupted);
        }
        // With a gap a round that is drawn from the results would be a wrong one.
        if depends_on_results && missing.last().is_some_and(|gap| gap.round < series.round) {
            break;
        }
        let mut played: Option<(&Path, PlayedSeries)> = None;
        for part in &mut parts {
            let path = part.path;
            let Some(copy) = part.take(Some(&series), board.out(), &mut merged)? else {
                continue;
            };
            let Some((first, played)) = &played else {
                played = Some((path, copy));
                continue;
            };
            doubled.push(series.number);
            if contradictions == Contradictions::Refuse
                && let Some(difference) = difference(&played.games, &copy.games)
            {
                return Err(MergeError::Refused(format!(
                    "{} and {} contradict each other: series {}, {difference}; leave one of them out, or keep the series of the file \
                     that is named first with --keep-first",
                    shown(first),
                    shown(path),
                    series.number + 1
                )));
            }
        }
        let Some((_, played)) = played else {
            missing.push(series);
            board.skip();
            continue;
        };
        merged.series += 1;
        merged.games += played.games.len();
        board.add(&played.games, played.end.as_ref().expect("it is whole"));
        played.write_to(&mut lines);
        if lines.len() > WRITTEN_AT_ONCE {
            if let Some(record) = &mut record {
                record.write(&lines)?;
            }
            lines.clear();
        }
    }
    if !missing.is_empty() {
        let all = shard.map_or(0, Shard::of);
        let shards = (0..all).filter_map(|index| Shard::new(index, all));
        return Err(MergeError::Missing {
            shards: shards
                .filter(|shard| missing.iter().any(|series| shard.takes(series.number)))
                .collect(),
            series: missing.iter().map(|series| series.number).collect(),
            later: if depends_on_results {
                ", and so are all later rounds"
            } else {
                ""
            },
        });
    }
    for part in &mut parts {
        part.take(None, board.out(), &mut merged)?;
        let path = shown(part.path);
        let torn = part.known.torn_line();
        merged.notes.extend(
            torn.map(|line| format!("line {line} of {path} is left out, since it was cut short")),
        );
    }
    if merged.left_out > 0 {
        merged.notes.push(format!(
            "{} series skipped: a player was already disqualified when they were played",
            merged.left_out
        ));
    }
    doubled.dedup();
    if !doubled.is_empty() {
        merged.notes.push(format!(
            "{} in more than one place; each counts once",
            series_are(&doubled)
        ));
    }
    if let Some(record) = record {
        record.write(&lines)?;
        record.publish()?;
    }
    Ok(merged)
}

/// Returns the first difference between the games of a series in two records, apart from times.
fn difference(first: &[GameLine], second: &[GameLine]) -> Option<String> {
    if first.len() != second.len() {
        let [first, second] = [first, second].map(|games| counted(games.len() as u64, "game"));
        return Some(format!("{first} in the first, {second} in the second"));
    }
    let mut games = first.iter().zip(second);
    let (one, other) = games.find(|(one, other)| identity(one) != identity(other))?;
    let number = one.contest.as_ref().map_or(0, |place| place.game);
    let [there, here] = [one, other].map(|game| {
        let winner = game.winner.as_deref().unwrap_or("nobody");
        format!("{} ({})", text::shown(winner.as_bytes()), game.ended_by)
    });
    Some(if there == here {
        format!("game {number} of the two players has other turns")
    } else {
        format!(
            "game {number} of the two players: won by {there} in the first, by {here} in the second"
        )
    })
}

/// Returns the fields of a game that are the same whenever deterministic bots play it.
fn identity(game: &GameLine) -> impl PartialEq {
    (
        game.seed,
        game.first,
        game.winner.clone(),
        game.by,
        game.ended_by,
        game.stats.game_hash,
    )
}

impl<'f> Part<'f> {
    fn new(path: &'f Path, mut file: File, readers: Readers) -> Result<Part<'f>, MergeError> {
        let io = |error| RecordError::io(path)(error);
        // The last header counts: it may have raised the number of games.
        let copy = file.try_clone().map_err(io)?;
        let mut headers = RecordReader::new(path, copy, readers);
        let header = headers.last_header()?;
        file.rewind().map_err(io)?;
        let known = Known::new(path, RecordReader::new(path, file, readers))?;
        let (Some(header), Some(known)) = (header, known) else {
            return Err(RecordError::NoHeader(path.to_owned()).into());
        };
        header.check_is_current(path)?;
        Ok(Part {
            path,
            game: headers.game(&header),
            header,
            known,
        })
    }

    fn check_same_contest(&self, other: &Part<'_>) -> Result<(), MergeError> {
        let own = &self.header;
        let others = &other.header;
        let mut differences = own.config.differences(&others.config);
        differences.extend(others.config.changed_programs(&own.config));
        if differences.is_empty() && (&own.id, &own.grown) != (&others.id, &others.grown) {
            let [others, own] =
                [others, own].map(|header| format!("{} {:?}", header.id, header.grown));
            differences.push(format!(
                "the contests have different ids: {others} there, {own} here"
            ));
        }
        let first = shown(self.path);
        let other = shown(other.path);
        if !differences.is_empty() {
            return Err(MergeError::Refused(format!(
                "{other} is of another contest than {first}; what differs, with the latter as here: {}",
                differences.join("; ")
            )));
        }
        if own.games != others.games {
            return Err(MergeError::Refused(format!(
                "{first} has {} games of each encounter and {other} has {}; extend the shorter one with --resume --games {}",
                own.games,
                others.games,
                own.games.max(others.games)
            )));
        }
        Ok(())
    }

    /// Takes `series` if the record has it, and passes all before it, or all if there is none: one
    /// run would not have played them.
    fn take(
        &mut self,
        series: Option<&Series>,
        out: &[bool],
        merged: &mut Merged,
    ) -> Result<Option<PlayedSeries>, MergeError> {
        while let Some(chunk) = self.known.peek()? {
            let line = chunk.line;
            match (series_of(chunk), series) {
                (Some(found), Some(series)) if found == *series => {
                    let chunk = self.known.take();
                    return Ok(chunk.map(|chunk| PlayedSeries::of_record(*series, chunk)));
                }
                (Some(found), Some(series)) if found.number > series.number => break,
                // A sequential test had decided in its middle. A merged record has whole series
                // only.
                (Some(found), Some(series)) if is_beginning(&found, series) => {}
                (Some(found), _)
                    if found
                        .players
                        .iter()
                        .any(|player| out.get(*player) == Some(&true)) =>
                {
                    merged.left_out += 1;
                }
                (Some(found), _) => return Err(self.foreign(line, &found)),
                (None, _) => {
                    let path = shown(self.path);
                    merged.notes.push(format!(
                        "{path}, line {line}: an incomplete series is left out"
                    ));
                }
            }
            self.known.take();
        }
        Ok(None)
    }

    fn foreign(&self, line: u64, series: &Series) -> MergeError {
        let number = series.number + 1;
        MergeError::Record(RecordError::Line {
            path: self.path.to_owned(),
            line,
            what: format!(
                "series {number} of this contest has other players or games than these, or another place in the record"
            ),
        })
    }
}

/// Opens the record at `path`, locked.
fn open(path: &Path) -> Result<File, MergeError> {
    let refused = |error| MergeError::Refused(format!("{}: {error}", shown(path)));
    let file = File::open(path).map_err(refused)?;
    match lock_patiently(|| system::try_lock_shared(&file)) {
        Err(TryLockError::WouldBlock) => {
            let what = format!(
                "another referee is writing {}; wait until it has ended",
                shown(path)
            );
            Err(MergeError::Refused(what))
        }
        // Some network file systems have no locks; records there have one writer by agreement.
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
            Err(refused(error))
        }
        Err(TryLockError::Error(_)) | Ok(()) => Ok(file),
    }
}

/// Returns these series, which count from 0, from 1 and with a verb: `series 4, 7 and 12 are`.
fn series_are(numbers: &[usize]) -> String {
    let named = numbers
        .iter()
        .take(MOST_NAMED)
        .map(|number| (number + 1).to_string());
    let mut words: Vec<String> = named.collect();
    if numbers.len() > MOST_NAMED {
        words.push(format!("{} more", numbers.len() - MOST_NAMED));
    }
    let last = words.pop().unwrap_or_default();
    if words.is_empty() {
        return format!("series {last} is");
    }
    format!("series {} and {last} are", words.join(", "))
}

/// Returns the advice on series that are missing.
fn advice_on(shards: &[Shard]) -> &'static str {
    if shards.is_empty() {
        "name the records that have them"
    } else {
        "name the records that have them, or see with --missing which shards to play again"
    }
}

fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}

#[cfg(test)]
mod tests;
