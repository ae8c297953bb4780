//! The least number of misses that a shooter needs, by a search of all that it may do.

use std::collections::HashMap;

use super::argument::Waters;

/// A fleet: the cells of each ship as bits, in the order of the ships.
type Fleet = Vec<u32>;

/// Fleets as bits.
type Fleets = [u64; 7];

/// What a player hears: a miss, a hit, or that the ship with this index is sunk.
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
            free.map(|ship| [&fleet[..], &[ship]].concat()).collect::<Vec<_>>()
        };
        fleets = fleets.into_iter().flat_map(with).collect();
    }
    let mut all = Fleets::default();
    for nth in 0..fleets.len() {
        all[nth / 64] |= 1 << (nth % 64);
    }
    let number = fleets.len() as u64;
    (number, Search { fleets, known: HashMap::new() }.least(all, 0))
}

fn places(waters: &Waters<'_>, length: u32) -> Vec<u32> {
    let Waters { rows, cols, .. } = *waters;
    let ship = |row: u32, col: u32, step: u32| {
        (0..length).fold(0_u32, |ship, nth| ship | 1 << (row * cols + col + nth * step))
    };
    let cells = || (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)));
    let along = cells().filter(|(_, col)| col + length <= cols).map(|(row, col)| ship(row, col, 1));
    let down =
        cells().filter(|(row, _)| row + length <= rows).map(|(row, col)| ship(row, col, cols));
    along.chain(down).collect()
}

struct Search {
    fleets: Vec<Fleet>,
    known: HashMap<Fleets, u64>,
}

impl Search {
    /// The least misses for the fleets that agree with all that was heard of the cells `shot`, all together. A cell that all of
    /// them have costs nothing and is shot at once, so the fleets alone tell where the search is.
    fn least(&mut self, agree: Fleets, shot: u32) -> u64 {
        let cells: Vec<u32> = members(agree).map(|nth| self.fleets[nth].iter().sum()).collect();
        let [sure, any] =
            cells.iter().fold([u32::MAX, 0], |[all, any], cells| [all & cells, any | cells]);
        // Of ships that were crossed it may never be known which is which.
        if cells.len() == 1 || any & !shot == 0 {
            return 0;
        }
        if sure & !shot != 0 {
            return self.after(agree, shot, (sure & !shot).trailing_zeros());
        }
        if let Some(known) = self.known.get(&agree) {
            return *known;
        }
        let open = (0..u32::BITS).filter(|cell| any & !sure & 1 << cell != 0);
        let misses =
            |cell: &u32| cells.iter().filter(|cells| *cells & 1 << cell == 0).count() as u64;
        let mut open: Vec<_> = open.map(|cell| (misses(&cell), cell)).collect();
        open.sort_unstable();
        let mut least = u64::MAX;
        for (misses, cell) in open {
            if misses < least {
                least = least.min(misses + self.after(agree, shot, cell));
            }
        }
        self.known.insert(agree, least);
        least
    }

    /// The same after a shot at `cell`, without its own misses.
    fn after(&mut self, agree: Fleets, shot: u32, cell: u32) -> u64 {
        let shot = shot | 1 << cell;
        let mut parts: Vec<(Heard, Fleets)> = Vec::new();
        for nth in members(agree) {
            let ship = self.fleets[nth].iter().position(|ship| ship & 1 << cell != 0);
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
        parts.into_iter().map(|(_, part)| self.least(part, shot)).sum()
    }
}

fn members(fleets: Fleets) -> impl Iterator<Item = usize> {
    (0..64 * fleets.len()).filter(move |nth| fleets[nth / 64] & 1 << (nth % 64) != 0)
}
