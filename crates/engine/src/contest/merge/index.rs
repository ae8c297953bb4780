//! The index of the records to merge: which series is where.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::error::shown;
use super::lines::Lines;
use super::{MergeError, numbers};
use crate::contest::Tally;
use crate::contest::resume::series_of;
use crate::record::{Chunk, ContestHeader, RecordError, RecordReader, lock_patiently};
use crate::system;
use bothost::Interrupt;
use league::schedule::Series;
use wire::game::Readers;

/// A message names at most this many groups of doubled series: people do not read longer lists.
const MOST_GROUPS: usize = 4;

/// The places of all series in some records.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// The header of the first of the records.
    pub(super) header: ContestHeader,
    /// The complete series, by number from 0; of those with one number the one that was read first comes first.
    pub(super) series: Vec<Indexed>,
    /// The things that were left out, in a sentence each.
    pub(super) notes: Vec<String>,
}

/// The place of a series, and what a schedule has to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indexed {
    /// The place of its file among all.
    pub(super) file: usize,
    /// The start of its lines in the text, in bytes.
    pub(super) start: u64,
    /// The end of its lines in the text, in bytes.
    pub(super) behind: u64,
    /// The number of the first of them, from 1.
    pub(super) line: u64,
    /// The series itself.
    pub(super) series: Series,
    /// The number of its games that count.
    pub(super) counted: u64,
    /// The score of the first of the two players in those, in half points.
    pub(super) half_points: u64,
    /// The number of its games that each of the two has spoiled.
    pub(super) faults: [u64; 2],
}

impl Indexed {
    fn new(file: usize, chunk: &Chunk) -> Option<Indexed> {
        let series = series_of(chunk)?;
        let mut tally = Tally::new(2);
        for game in &chunk.games {
            // By the same rules as the contest itself, so that a merge disqualifies the same players.
            tally.add_game([0, 1], game);
        }
        Some(Indexed {
            file,
            start: chunk.start,
            behind: chunk.behind,
            line: chunk.line,
            series,
            counted: tally.table.games(0, 1),
            half_points: tally.table.half_points(0, 1),
            faults: [0, 1].map(|seat: usize| tally.players[seat].n_faults()),
        })
    }
}

impl Index {
    /// Reads the records at `paths`, at least one, and returns them locked, so that no other referee writes them before
    /// they are closed.
    pub(super) fn read(
        paths: &[PathBuf],
        readers: Readers,
        interrupt: &Interrupt,
    ) -> Result<(Vec<Lines>, Index), MergeError> {
        // All are opened and locked before the first is read, so an hour of reading is not followed by "is
        // being written".
        let files = paths
            .iter()
            .map(|path| open(path))
            .collect::<Result<Vec<File>, _>>()?;
        let mut index: Option<Index> = None;
        let mut lines = Vec::new();
        for (place, (path, file)) in paths.iter().zip(files).enumerate() {
            let clone = file.try_clone().map_err(RecordError::io(path))?;
            let mut reader = RecordReader::new(path, clone, readers);
            let Some(header) = reader.read_header()?.cloned() else {
                return Err(RecordError::NoHeader(path.clone()).into());
            };
            header.check_is_current(path)?;
            // Before hours of reading; the last header, which counts, is compared after it and may have more players.
            let n_players = header.config.players.len();
            if let Some(index) = index
                .as_ref()
                .filter(|index| index.header.config.players.len() <= n_players)
            {
                index.check(&header, &paths[0], path)?;
            }
            let index = index.get_or_insert_with(|| Index::new(header));
            while let Some(chunk) = reader.next_chunk()? {
                if interrupt.is_noted() {
                    return Err(MergeError::Interrupted);
                }
                index.add(place, path, &chunk);
            }
            // The last header counts: it may have raised the number of games.
            let last = reader
                .header()
                .expect("the first header has been read")
                .clone();
            if place == 0 {
                index.header = last;
            } else {
                index.check(&last, &paths[0], path)?;
                if index.header.grown != last.grown {
                    let (there, here) = (&last.grown, &index.header.grown);
                    return Err(MergeError::OtherContest {
                        first: paths[0].clone(),
                        other: path.clone(),
                        differences: vec![format!("grown: {there:?} there, {here:?} here")],
                    });
                }
                if index.header.games != last.games {
                    return Err(MergeError::OtherGames {
                        first: paths[0].clone(),
                        games_of_first: index.header.games,
                        other: path.clone(),
                        games_of_other: last.games,
                    });
                }
            }
            if let Some(line) = reader.torn_line() {
                let note = "is left out, since it was cut short";
                index
                    .notes
                    .push(format!("line {line} of {} {note}", shown(path)));
            }
            lines.push(Lines::new(file, reader.is_compressed()));
        }
        let mut index = index.expect("there is at least one");
        // Stable: which of two is taken must not depend on anything but the order of the files.
        index.series.sort_by_key(|found| found.series.number);
        Ok((lines, index))
    }

    pub(super) fn new(header: ContestHeader) -> Index {
        Index {
            header,
            series: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns the series that count, with rising numbers: the first of those with one number.
    pub(super) fn firsts(&self) -> impl Iterator<Item = Indexed> {
        let groups = self
            .series
            .chunk_by(|one, next| one.series.number == next.series.number);
        groups.map(|group| group[0])
    }

    /// Returns what is there twice, and where; `None` if all series are there once.
    pub(super) fn doubled(&self, paths: &[PathBuf]) -> Option<String> {
        let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        let mut all = self.series.iter().peekable();
        while let Some(first) = all.next() {
            let number = first.series.number;
            let mut places = Vec::new();
            while let Some(again) = all.next_if(|next| next.series.number == number) {
                places.push(again.file);
            }
            if !places.is_empty() {
                places.insert(0, first.file);
                groups.entry(places).or_default().push(number);
            }
        }
        let in_words = |(places, series): (&Vec<usize>, &Vec<usize>)| {
            let files: Vec<String> = places
                .iter()
                .map(|place| format!("in {}", shown(&paths[*place])))
                .collect();
            format!(
                "{} {} {}",
                numbers::series(series),
                numbers::be(series),
                files.join(" and ")
            )
        };
        let mut words: Vec<String> = groups.iter().take(MOST_GROUPS).map(in_words).collect();
        let more: usize = groups.values().skip(MOST_GROUPS).map(Vec::len).sum();
        if more > 0 {
            words.push(format!("{more} more are doubled as well"));
        }
        (!words.is_empty()).then(|| words.join("; "))
    }

    fn check(&self, header: &ContestHeader, first: &Path, other: &Path) -> Result<(), MergeError> {
        let mut differences = self.header.config.differences(&header.config);
        differences.extend(header.config.changed_programs(&self.header.config));
        if self.header.id != header.id && differences.is_empty() {
            differences.push(format!("id: {} there, {} here", header.id, self.header.id));
        }
        if differences.is_empty() {
            return Ok(());
        }
        let (first, other) = (first.to_owned(), other.to_owned());
        Err(MergeError::OtherContest {
            first,
            other,
            differences,
        })
    }

    pub(super) fn add(&mut self, place: usize, path: &Path, chunk: &Chunk) {
        let Some(found) = Indexed::new(place, chunk) else {
            let of = chunk.games.first().and_then(|game| game.contest.as_ref());
            let what = of.map_or_else(
                || "a game of no contest".to_owned(),
                |of| format!("series {}, which is incomplete", of.series),
            );
            self.notes.push(format!(
                "{}, line {}: {what}, is left out",
                shown(path),
                chunk.line
            ));
            return;
        };
        self.series.push(found);
    }
}

fn open(path: &Path) -> Result<File, MergeError> {
    let not_opened = |error| MergeError::NotOpened {
        path: path.to_owned(),
        error,
    };
    let file = File::open(path).map_err(not_opened)?;
    match lock_patiently(|| system::try_lock_shared(&file)) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(MergeError::BeingWritten(path.to_owned())),
        // Some network file systems have no locks; records there have one writer by agreement.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(not_opened(error)),
    }
}
