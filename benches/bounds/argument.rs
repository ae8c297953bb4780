//! A lower bound on the mean number of attacks that any shooter needs for a fleet that lies anywhere, with its proof in
//! `docs/bounds.md`: the names here are those of that page.

use std::collections::HashMap;

/// A game: its board, and the lengths of its ships in the order in which they are told. Each length is 2 or more.
#[derive(Clone, Copy)]
pub(crate) struct Waters<'l> {
    pub(crate) rows: u32,
    pub(crate) cols: u32,
    pub(crate) ships: &'l [u32],
}

/// A bound: a number of misses at least for all fleets together.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) fleets: u64,
    pub(crate) misses: u64,
}

/// The largest number of fleets that are sunk with a number of misses or fewer, by the number of misses.
type Within = Vec<u64>;

/// Counts of the fleets with some ships at known places: all of them, and those within a number of misses by the three forms of
/// the argument. Each form has all of the one before.
#[derive(Clone)]
struct Counts {
    fleets: u64,
    within: [Within; 3],
}

/// Returns the bounds by the three forms of the argument: the last ship is unknown, and a cell lies in four of its places; not
/// all cells do; the other ships are unknown too.
pub(crate) fn bounds(waters: &Waters<'_>) -> [Bound; 3] {
    let Counts { fleets, within } = Search::new(waters).told(0, Board::of(waters));
    within.map(|within| {
        let beyond = within.iter().map(|within| fleets - within);
        Bound {
            fleets,
            misses: beyond.sum(),
        }
    })
}

/// The free cells, as bits, with a column beyond the last that never is.
#[derive(Clone, Copy)]
struct Board {
    free: u128,
    stride: u32,
}

impl Board {
    fn of(waters: &Waters<'_>) -> Board {
        let stride = waters.cols + 1;
        let row = (1_u128 << waters.cols) - 1;
        Board {
            free: (0..waters.rows).fold(0, |free, nth| free | row << (nth * stride)),
            stride,
        }
    }

    /// The first cells of the places of a ship, along the rows and along the columns.
    fn places(self, length: u32) -> [u128; 2] {
        [1, self.stride]
            .map(|step| (1..length).fold(self.free, |cells, nth| cells & self.free >> (nth * step)))
    }

    fn number_of_places(self, length: u32) -> u32 {
        self.places(length).map(u128::count_ones).iter().sum()
    }

    /// The boards with a ship at each of its places.
    fn with_ship(self, length: u32) -> impl Iterator<Item = Board> {
        let ways = self.places(length).into_iter().zip([1, self.stride]);
        ways.flat_map(move |(mut left, step)| {
            let ship = (0..length).fold(0_u128, |ship, nth| ship | 1 << (nth * step));
            std::iter::from_fn(move || {
                let at = (left > 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(Board {
                    free: self.free & !(ship << at),
                    ..self
                })
            })
        })
    }

    /// Returns a sufficient number of places of a ship of two cells to leave out so that no cell lies in four of the remaining
    /// ones.
    fn left_out(self) -> u32 {
        let Board { free, stride } = self;
        let mut inner = free & free << 1 & free >> 1 & free << stride & free >> stride;
        let mut out = 0;
        // Leaving out the place of two such cells serves both.
        for step in [1, stride] {
            loop {
                let pairs = inner & inner >> step;
                if pairs == 0 {
                    break;
                }
                let first = pairs & pairs.wrapping_neg();
                inner &= !(first | first << step);
                out += 1;
            }
        }
        out + inner.count_ones()
    }
}

struct Search<'w> {
    ships: &'w [u32],
    /// By the number of ships that are told: how many places of the others are found within a number of misses at most.
    found: Vec<Within>,
    /// More misses than there can be.
    most: u32,
}

impl<'w> Search<'w> {
    fn new(waters: &Waters<'w>) -> Search<'w> {
        let most = waters.rows * waters.cols;
        let found = (0..waters.ships.len()).map(|told| found(&waters.ships[told..], most));
        Search {
            ships: waters.ships,
            found: found.collect(),
            most,
        }
    }

    /// Counts with the first `told` ships told, which leave `board` free.
    fn told(&self, told: usize, board: Board) -> Counts {
        let length = self.ships[told];
        let none = vec![0; self.most as usize];
        let mut counts = Counts {
            fleets: 0,
            within: [none.clone(), none.clone(), none],
        };
        if told + 2 < self.ships.len() {
            for board in board.with_ship(length) {
                counts.add(&self.told(told + 1, board), 1);
            }
        } else if told + 1 == self.ships.len() {
            counts.add(
                &self.last(board.number_of_places(length), board.left_out()),
                1,
            );
        } else {
            // Many boards have the same numbers.
            let last = self.ships[told + 1];
            let mut alike: HashMap<[u32; 2], u64> = HashMap::new();
            for board in board.with_ship(length) {
                *alike
                    .entry([board.number_of_places(last), board.left_out()])
                    .or_default() += 1;
            }
            for ([places, left_out], times) in alike {
                counts.add(&self.last(places, left_out), times);
            }
        }
        for (within, found) in counts.within[2].iter_mut().zip(&self.found[told]) {
            *within = (*within).min(*found);
        }
        counts
    }

    /// Counts where the last ship alone is unknown, and has that number of places.
    fn last(&self, places: u32, left_out: u32) -> Counts {
        let fleets = u64::from(places);
        let one = self.found.last().expect("there is a ship");
        let plain: Within = one.iter().map(|found| fleets.min(*found)).collect();
        let mut sharp = plain.clone();
        if self.ships.ends_with(&[2]) {
            let covered = |cells: u64| (4 * cells).min(3 * cells + u64::from(left_out));
            for (within, misses) in sharp.iter_mut().zip(0_u64..) {
                // Of the last cells, what is found without further misses.
                for (last, found) in [(0, 0), (1, 1), (2, 3), (3, 6)] {
                    *within = (*within).min(covered((misses + 1).saturating_sub(last)) + found);
                }
            }
        }
        Counts {
            fleets,
            within: [plain, sharp.clone(), sharp],
        }
    }
}

impl Counts {
    fn add(&mut self, more: &Counts, times: u64) {
        self.fleets += times * more.fleets;
        for (all, more) in self
            .within
            .iter_mut()
            .flatten()
            .zip(more.within.iter().flatten())
        {
            *all += times * more;
        }
    }
}

/// Returns the number of arrangements of these ships that are found within a number of misses at most, by the number of misses,
/// if all else is known.
fn found(ships: &[u32], most: u32) -> Within {
    if let [length] = ships {
        let mut places = u64::from(2 * length);
        // With exactly a number of misses between the first hit and the last.
        let after = (0..u64::from(most)).map(|misses| {
            let exactly = paths(misses, u64::from(length - 2)).min(places);
            places -= exactly;
            exactly
        });
        return sums(sums(after.collect()));
    }
    let mut all = vec![0; most as usize];
    for (nth, length) in ships.iter().enumerate() {
        let others = [&ships[..nth], &ships[nth + 1..]].concat();
        for (all, others) in all.iter_mut().zip(sums(found(&others, most))) {
            *all += u64::from(2 * length) * others;
        }
    }
    all
}

/// The number of ways to arrange a number of misses and hits.
fn paths(misses: u64, hits: u64) -> u64 {
    (1..=hits).fold(1, |ways, nth| ways * (misses + nth) / nth)
}

/// The sums of the first numbers.
fn sums(mut numbers: Vec<u64>) -> Vec<u64> {
    for nth in 1..numbers.len() {
        numbers[nth] += numbers[nth - 1];
    }
    numbers
}
