//! The index of all series of some records, in a few bytes a series: a contest of ten million games has up to five million.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use league::schedule::Series;

use super::index::Indexed;

/// A run takes no more bytes than this, so that it grows without being copied at a size that matters.
const LONGEST_RUN: usize = 1 << 16;

/// Which series is where: those of each file, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    runs: Vec<Run>,
}

/// Series of one file with rising numbers. What one shares with the one before it takes no room: each field is written as its
/// difference, in seven bits a byte.
#[derive(Clone, Debug)]
struct Run {
    file: usize,
    bytes: Vec<u8>,
    last: Indexed,
}

impl Store {
    /// Adds a series. Files come one after the other.
    pub(super) fn add(&mut self, found: &Indexed) {
        let run = self.runs.last_mut().filter(|run| {
            run.file == found.file
                && run.last.series.number < found.series.number
                && run.bytes.len() < LONGEST_RUN
        });
        if let Some(run) = run {
            run.push(found);
            return;
        }
        if let Some(full) = self.runs.last_mut() {
            full.bytes.shrink_to_fit();
        }
        let mut run = Run { file: found.file, bytes: Vec::new(), last: nothing(found.file) };
        run.push(found);
        self.runs.push(run);
    }

    /// Returns all series with rising numbers; of those with one number the one that was added first comes first.
    pub(super) fn all(&self) -> impl Iterator<Item = Indexed> {
        let mut cursors: Vec<Cursor<'_>> = self.runs.iter().map(Cursor::new).collect();
        let first = |(run, cursor): (usize, &mut Cursor<'_>)| Some(Reverse((cursor.next()?, run)));
        let mut next: BinaryHeap<_> = cursors.iter_mut().enumerate().filter_map(first).collect();
        std::iter::from_fn(move || {
            // The order of runs is that of their making.
            let Reverse((_, run)) = next.pop()?;
            let cursor = &mut cursors[run];
            let found = cursor.here;
            next.extend(cursor.next().map(|number| Reverse((number, run))));
            Some(found)
        })
    }

    /// Returns the series that count, with rising numbers: the first of those with one number.
    pub(super) fn firsts(&self) -> impl Iterator<Item = Indexed> {
        let mut last = None;
        self.all()
            .filter(move |found| last.replace(found.series.number) != Some(found.series.number))
    }
}

impl Run {
    fn push(&mut self, found: &Indexed) {
        for (here, before) in fields(found).into_iter().zip(before(&self.last, found.start)) {
            // Small differences in either direction become small numbers.
            let difference = here.wrapping_sub(before);
            let mut rest = (difference << 1) ^ 0_u64.wrapping_sub(difference >> 63);
            while rest >= 0x80 {
                self.bytes.push(rest.to_le_bytes()[0] | 0x80);
                rest >>= 7;
            }
            self.bytes.push(rest.to_le_bytes()[0]);
        }
        self.last = *found;
    }
}

/// Reads a run.
struct Cursor<'r> {
    bytes: std::slice::Iter<'r, u8>,
    here: Indexed,
}

impl<'r> Cursor<'r> {
    fn new(run: &'r Run) -> Cursor<'r> {
        Cursor { bytes: run.bytes.iter(), here: nothing(run.file) }
    }

    /// Goes on to the next series; returns its number.
    fn next(&mut self) -> Option<usize> {
        let start = self.here.behind.wrapping_add(self.difference()?);
        let mut fields = before(&self.here, start);
        fields[0] = start;
        for field in &mut fields[1..] {
            *field = field.wrapping_add(self.difference()?);
        }
        self.here = of_fields(self.here.file, fields);
        Some(self.here.series.number)
    }

    fn difference(&mut self) -> Option<u64> {
        let (mut difference, mut shift) = (0, 0);
        loop {
            let byte = *self.bytes.next()?;
            difference |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Some((difference >> 1) ^ 0_u64.wrapping_sub(difference & 1));
            }
        }
    }
}

const FIELDS: usize = 13;

/// Returns everything about a series, the start of its lines first.
fn fields(found: &Indexed) -> [u64; FIELDS] {
    let Indexed { file: _, start, behind, line, series, counted, half_points, faults } = found;
    let Series { number, round, players: [one, two], first_game, games } = *series;
    let [number, round, one, two] = [number, round, one, two].map(|value| value as u64);
    let (first_game, games) = (first_game.into(), games.into());
    [
        *start,
        *behind,
        *line,
        number,
        round,
        one,
        two,
        first_game,
        games,
        *counted,
        *half_points,
        faults[0],
        faults[1],
    ]
}

fn of_fields(file: usize, fields: [u64; FIELDS]) -> Indexed {
    let [
        start,
        behind,
        line,
        number,
        round,
        one,
        two,
        first_game,
        games,
        counted,
        half_points,
        faults @ ..,
    ] = fields;
    // They were written from numbers of these types.
    let size = |value| usize::try_from(value).unwrap_or(usize::MAX);
    let count = |value| u32::try_from(value).unwrap_or(u32::MAX);
    let series = Series {
        number: size(number),
        round: size(round),
        players: [size(one), size(two)],
        first_game: count(first_game),
        games: count(games),
    };
    Indexed { file, start, behind, line, series, counted, half_points, faults }
}

/// Returns what the fields of a series are likely to be close to, given the one before it and where it starts.
fn before(last: &Indexed, start: u64) -> [u64; FIELDS] {
    let mut before = fields(last);
    (before[0], before[1]) = (last.behind, start);
    before
}

fn nothing(file: usize) -> Indexed {
    of_fields(file, [0; FIELDS])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn any_series(numbers: std::ops::Range<usize>)(
            number in numbers,
            fields in any::<[u64; FIELDS]>(),
            shift in 0..64_u32,
        ) -> Indexed {
            let mut found = of_fields(0, fields.map(|field| field >> shift));
            found.series.number = number;
            found
        }
    }

    proptest! {
        #[test]
        fn what_was_added_comes_out_by_numbers(
            files in prop::collection::vec(prop::collection::vec(any_series(0..50), 0..60), 0..4)
        ) {
            let mut store = Store::default();
            let mut model: BTreeMap<usize, Vec<Indexed>> = BTreeMap::new();
            for (file, all) in files.into_iter().enumerate() {
                for found in all {
                    let found = Indexed { file, ..found };
                    store.add(&found);
                    model.entry(found.series.number).or_default().push(found);
                }
            }
            let all: Vec<Indexed> = model.values().flatten().copied().collect();
            prop_assert_eq!(store.all().collect::<Vec<_>>(), all);
            let firsts: Vec<Indexed> = model.values().map(|found| found[0]).collect();
            prop_assert_eq!(store.firsts().collect::<Vec<_>>(), firsts);
        }
    }

    #[test]
    fn a_series_takes_a_few_bytes() {
        let mut store = Store::default();
        let mut start = 1_000;
        for number in 0..1_000_000_usize {
            let (length, players) = (4_800 + number as u64 % 700, [number % 299, 299]);
            let first_game = u32::try_from(number / 300).unwrap();
            let series = Series { number, round: 0, players, first_game, games: 2 };
            let (behind, line) = (start + length, 3 * number as u64);
            let found = Indexed {
                file: 0,
                start,
                behind,
                line,
                series,
                counted: 2,
                half_points: 2,
                faults: [0, 0],
            };
            store.add(&found);
            start = behind;
        }
        let bytes: usize =
            store.runs.iter().map(|run| run.bytes.capacity() + size_of::<Run>()).sum();
        assert!(bytes < 18_000_000, "{bytes}");
        assert_eq!(store.firsts().count(), 1_000_000);
    }
}
