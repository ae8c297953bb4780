//! The least number of misses that a shooter needs, by a search of all that it may do.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::argument::Waters;

/// A fleet: the cells of each ship as bits, in the order of the ships.
type Fleet = Vec<u32>;

/// Fleets as bits.
type Fleets = [u64; 7];

/// The result that a player hears: a miss, a hit, or that the ship with this index is sunk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Heard {
    Miss,
    Hit,
    Sunk(usize),
}

/// Returns the number of fleets, and of the misses for all of them together of the best shooter there is.
pub(crate) fn least_misses(waters: &Waters<'_>) -> (u64, u64) {
    let mut fleets: Vec<Fleet> = vec![Vec::new()];
    for length in waters.ships {
        let free = |fleet: &Fleet, ship: u32| fleet.iter().all(|other| other & ship == 0);
        let places = places(waters, *length);
        let with = |fleet: Fleet| {
            let free = places.iter().filter(|ship| free(&fleet, **ship)).copied();
            free.map(|ship| [&fleet[..], &[ship]].concat())
                .collect::<Vec<_>>()
        };
        fleets = fleets.into_iter().flat_map(with).collect();
    }
    let mut all = Fleets::default();
    for nth in 0..fleets.len() {
        all[nth / 64] |= 1 << (nth % 64);
    }
    let number = fleets.len() as u64;
    let images = images(waters, &fleets);
    (
        number,
        Search {
            fleets,
            images,
            known: HashMap::new(),
        }
        .least(all, 0, u64::MAX),
    )
}

/// By reflection of the board, and by exchange of the first two ships if they are alike: the number of the fleet that each fleet
/// becomes.
fn images(waters: &Waters<'_>, fleets: &[Fleet]) -> Vec<Vec<usize>> {
    let Waters { rows, cols, ships } = *waters;
    let numbers: HashMap<&Fleet, usize> = fleets.iter().zip(0..).collect();
    let cell = |cell: u32, way: u32| {
        let (row, col) = (cell / cols, cell % cols);
        let row = if way & 1 == 0 { row } else { rows - 1 - row };
        let col = if way & 2 == 0 { col } else { cols - 1 - col };
        if way & 4 == 0 {
            row * cols + col
        } else {
            col * cols + row
        }
    };
    let ship = |cells: u32, way: u32| {
        let cells = (0..u32::BITS).filter(|cell| cells & 1 << cell != 0);
        cells.fold(0_u32, |ship, at| ship | 1 << cell(at, way))
    };
    let are_alike = ships.len() > 1 && ships[0] == ships[1];
    let ways = (0..16).filter(|way| (way & 4 == 0 || rows == cols) && (way & 8 == 0 || are_alike));
    let image = |fleet: &Fleet, way: u32| {
        let mut image: Fleet = fleet.iter().map(|cells| ship(*cells, way)).collect();
        if way & 8 != 0 {
            image.swap(0, 1);
        }
        numbers[&image]
    };
    ways.map(|way| fleets.iter().map(|fleet| image(fleet, way)).collect())
        .collect()
}

fn places(waters: &Waters<'_>, length: u32) -> Vec<u32> {
    let Waters { rows, cols, .. } = *waters;
    let ship = |row: u32, col: u32, step: u32| {
        (0..length).fold(0_u32, |ship, nth| {
            ship | 1 << (row * cols + col + nth * step)
        })
    };
    let cells = || (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)));
    let along = cells()
        .filter(|(_, col)| col + length <= cols)
        .map(|(row, col)| ship(row, col, 1));
    let down = cells()
        .filter(|(row, _)| row + length <= rows)
        .map(|(row, col)| ship(row, col, cols));
    along.chain(down).collect()
}

struct Search {
    fleets: Vec<Fleet>,
    /// The ways to turn the board over or to exchange ships: the fleets that fleets become.
    images: Vec<Vec<usize>>,
    /// Of all images of some fleets one stands for all.
    known: HashMap<Fleets, Known>,
}

/// The least misses for some fleets, or a number that they are not below.
#[derive(Clone, Copy)]
struct Known {
    misses: u64,
    is_exact: bool,
}

impl Search {
    /// The least misses for the fleets that agree with all that was heard of the cells `shot`, all together, if they are below
    /// `limit`; otherwise a number from `limit` up that they are not below. A cell that all of them have costs nothing and is
    /// shot at once, so the fleets alone tell where the search is.
    fn least(&mut self, agree: Fleets, shot: u32, limit: u64) -> u64 {
        let cells = self.cells(agree);
        let [sure, any] = cells.iter().fold([u32::MAX, 0], |[all, any], cells| {
            [all & cells, any | cells]
        });
        // Of ships that were crossed it may never be known which is which.
        if cells.len() == 1 || any & !shot == 0 {
            return 0;
        }
        if sure & !shot != 0 {
            return self.after(agree, shot, (sure & !shot).trailing_zeros(), limit);
        }
        let one_for_all = self.first_image(agree);
        if let Some(known) = self.known.get(&one_for_all)
            && (known.is_exact || known.misses >= limit)
        {
            return known.misses;
        }
        let open = (0..u32::BITS).filter(|cell| any & !sure & 1 << cell != 0);
        let misses =
            |cell: &u32| cells.iter().filter(|cells| *cells & 1 << cell == 0).count() as u64;
        let mut open: Vec<_> = open.map(|cell| (misses(&cell), cell)).collect();
        open.sort_unstable();
        let mut least = limit;
        for (misses, cell) in open {
            if misses < least {
                least = least.min(misses + self.after(agree, shot, cell, least - misses));
            }
        }
        self.known.insert(
            one_for_all,
            Known {
                misses: least,
                is_exact: least < limit,
            },
        );
        least
    }

    /// The same after a shot at `cell`, without its own misses.
    fn after(&mut self, agree: Fleets, shot: u32, cell: u32, limit: u64) -> u64 {
        let shot = shot | 1 << cell;
        let mut parts: Vec<(Heard, Fleets)> = Vec::new();
        for nth in members(agree) {
            let ship = self.fleets[nth]
                .iter()
                .position(|ship| ship & 1 << cell != 0);
            let heard = match ship {
                None => Heard::Miss,
                Some(ship) if self.fleets[nth][ship] & !shot == 0 => Heard::Sunk(ship),
                Some(_) => Heard::Hit,
            };
            let known = parts.iter().position(|(other, _)| *other == heard);
            let part = known.unwrap_or_else(|| {
                parts.push((heard, Fleets::default()));
                parts.len() - 1
            });
            parts[part].1[nth / 64] |= 1 << (nth % 64);
        }
        let floors: Vec<u64> = parts
            .iter()
            .map(|(_, part)| first_misses(&self.cells(*part), shot))
            .collect();
        let mut misses = floors.iter().sum::<u64>();
        for ((_, part), floor) in parts.into_iter().zip(floors) {
            if misses >= limit {
                break;
            }
            misses -= floor;
            misses += self.least(part, shot, limit - misses).max(floor);
        }
        misses
    }

    fn first_image(&self, fleets: Fleets) -> Fleets {
        let image = |numbers: &Vec<usize>| {
            let mut image = Fleets::default();
            for nth in members(fleets) {
                image[numbers[nth] / 64] |= 1 << (numbers[nth] % 64);
            }
            image
        };
        self.images
            .iter()
            .map(image)
            .min()
            .expect("the board as it is, at least")
    }

    fn cells(&self, fleets: Fleets) -> Vec<u32> {
        members(fleets)
            .map(|nth| self.fleets[nth].iter().sum())
            .collect()
    }
}

/// A number that the misses before the first hit at a cell that is not `shot` are not below, for fleets with those cells all
/// together: after some shots at most those fleets are hit that have one of the cells most fleets have.
fn first_misses(cells: &[u32], shot: u32) -> u64 {
    let open = (0..u32::BITS).filter(|cell| shot & 1 << cell == 0);
    let have = |cell: u32| cells.iter().filter(|cells| *cells & 1 << cell != 0).count() as u64;
    let mut counts: Vec<u64> = open.map(have).collect();
    counts.sort_unstable_by_key(|count| Reverse(*count));
    // A fleet without such a cell is sunk.
    let mut left = cells.iter().filter(|cells| *cells & !shot != 0).count() as u64;
    let mut misses = 0;
    for count in counts {
        left = left.saturating_sub(count);
        misses += left;
    }
    misses
}

fn members(fleets: Fleets) -> impl Iterator<Item = usize> {
    (0..64 * fleets.len()).filter(move |nth| fleets[nth / 64] & 1 << (nth % 64) != 0)
}
