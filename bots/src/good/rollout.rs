//! What a shot is worth in the long run: games played to their end on many fleets at once.
//!
//! The cell that is most likely to hit is not always the one that ends the game soonest. So the best few cells are tried:
//! the game is played to its end on all guesses at the fleet, each time attacking where most of the remaining guesses have
//! a ship. Guesses of which the same is known go on together, so a trial is a walk through a tree of lists of fleets.

use std::ops::Range;

use battleship::{CellSet, Point};

use super::grid::real;
use super::posterior::Fleet;

/// Fleets that agree with what was seen, either all of them or a fair sample. Only the cells that were not attacked
/// matter.
#[derive(Clone, Debug)]
pub(super) struct Guesses {
    /// By fleet: its cells.
    fleets: Vec<u128>,
    /// By fleet and ship, one fleet after the other: the cells of each ship that is afloat. Ships that cannot be told
    /// apart follow each other.
    ships: Vec<u128>,
    /// The number of those in a fleet.
    n_ships: usize,
    /// The stretches of them that cannot be told apart.
    classes: Vec<Range<usize>>,
}

impl Guesses {
    /// The given fleets, of which the cells `untried` were not attacked. Ships of the same kind cannot be told apart.
    pub(super) fn new<K: Copy + Ord>(fleets: &[Fleet], untried: CellSet, kinds: &[K]) -> Guesses {
        let is_afloat =
            |ship: &usize| fleets.iter().any(|fleet| !(fleet[*ship] & untried).is_empty());
        let mut afloat: Vec<usize> = (0..kinds.len()).filter(is_afloat).collect();
        afloat.sort_by_key(|ship| kinds[*ship]);
        let mut classes: Vec<Range<usize>> = Vec::new();
        for of_a_kind in afloat.chunk_by(|one, other| kinds[*one] == kinds[*other]) {
            let start = classes.last().map_or(0, |class| class.end);
            classes.push(start..start + of_a_kind.len());
        }
        let ships = fleets
            .iter()
            .flat_map(|fleet| afloat.iter().map(|ship| (fleet[*ship] & untried).bits()))
            .collect();
        let all = |fleet: &Fleet| fleet.iter().fold(0, |all, ship| all | (*ship & untried).bits());
        let fleets = fleets.iter().map(all).collect();
        Guesses { fleets, ships, n_ships: afloat.len(), classes }
    }

    /// Returns how many attacks it takes to sink a fleet, on average, if the first goes to each of `points` in turn.
    pub(super) fn try_out(&self, points: &[Point], untried: CellSet) -> Vec<(Point, f64)> {
        // Fleets are numbers in one list, which is split in place as they turn out differently: no list is copied. Four
        // bytes a number keep more of it in the cache.
        let mut list: Vec<u32> = (0..).take(self.fleets.len()).collect();
        let mut shots = |point: Point| {
            let cell = CellSet::from(point).bits().trailing_zeros();
            let shots = self.shots_after(&mut list, untried.bits(), cell);
            real(usize::try_from(shots).expect("some hundred for each fleet"))
                / real(self.fleets.len())
        };
        points.iter().map(|point| (*point, shots(*point))).collect()
    }

    /// Returns how many attacks it takes in all to sink each of the fleets in `list`, if the first goes to the cell with the
    /// index `cell` and every further one to a cell that most of the fleets still possible have. A player who shoots so
    /// knows that no other fleets are possible. The order of `list` changes.
    fn shots_after(&self, list: &mut [u32], untried: u128, cell: u32) -> u64 {
        let untried = untried & !(1 << cell);
        let mut total = list.len() as u64;
        let hits = part(list, |fleet| self.fleets[fleet] >> cell & 1 == 1);
        let (hits, misses) = list.split_at_mut(hits);
        // Hit or miss is all that is known after the first attack; the two parts are independent games from here.
        total += self.shots(misses, untried);
        total + self.shots_after_hit(hits, untried, cell)
    }

    /// As [`Guesses::shots_after`], the first attack too where it is most likely to hit.
    fn shots(&self, mut list: &mut [u32], mut untried: u128) -> u64 {
        let mut total = 0;
        loop {
            match list {
                [] => return total,
                // Of a single fleet every attack hits.
                [one] => {
                    return total + u64::from((self.fleets[*one as usize] & untried).count_ones());
                }
                [..] => {}
            }
            // The misses stay in this loop, the hits go down a level: a game has many more misses than hits, so the
            // recursion stays shallow.
            let Some(cell) = self.most_likely(list, untried) else { return total };
            untried &= !(1 << cell);
            total += list.len() as u64;
            let hits = part(list, |fleet| self.fleets[fleet] >> cell & 1 == 1);
            let (hits, misses) = list.split_at_mut(hits);
            total += self.shots_after_hit(hits, untried, cell);
            list = misses;
        }
    }

    /// The fleets in `list` were hit at `cell`: those of which the same ship was sunk, or none, go on together.
    fn shots_after_hit(&self, mut list: &mut [u32], untried: u128, cell: u32) -> u64 {
        let mut total = 0;
        for class in &self.classes {
            if list.is_empty() {
                return total;
            }
            // A player hears which ship was sunk, so fleets with different sunk ships must not share the next attack.
            let sunk = part(list, |fleet| {
                let ships = &self.ships[fleet * self.n_ships..][class.clone()];
                ships.iter().any(|ship| ship >> cell & 1 == 1 && ship & untried == 0)
            });
            let (sunk, others) = list.split_at_mut(sunk);
            total += self.shots(sunk, untried);
            list = others;
        }
        total + self.shots(list, untried)
    }

    /// The first of the cells in `untried` that most fleets in `list` have, or `None` if none has any. Counts all cells at
    /// once: number n of the planes holds bit n of the count of each cell.
    fn most_likely(&self, list: &[u32], untried: u128) -> Option<u32> {
        // Adding bit by bit counts 100 cells in a few instructions a fleet. Four fleets at a time go through adders, so
        // that only every fourth carry runs up the planes.
        let mut planes = [0_u128; 32];
        let mut chunks = list.chunks_exact(4);
        for chunk in &mut chunks {
            let fleet = |index: usize| self.fleets[chunk[index] as usize];
            let (one, carry_one) = full_adder(planes[0], fleet(0), fleet(1));
            let (ones, carry_two) = full_adder(one, fleet(2), fleet(3));
            let (twos, fours) = full_adder(planes[1], carry_one, carry_two);
            (planes[0], planes[1]) = (ones, twos);
            add_up(&mut planes[2..], fours);
        }
        for fleet in chunks.remainder() {
            add_up(&mut planes, self.fleets[*fleet as usize]);
        }
        let used = (usize::BITS - list.len().leading_zeros()) as usize;
        // From the highest bit down, only the cells with the largest counts so far stay in.
        let mut best = untried;
        let mut any = false;
        for plane in planes[..used].iter().rev() {
            let larger = best & plane;
            if larger != 0 {
                (best, any) = (larger, true);
            }
        }
        (any && best != 0).then(|| best.trailing_zeros())
    }
}

/// Moves the fleets for which `first` holds to the front; returns how many they are.
fn part(list: &mut [u32], first: impl Fn(usize) -> bool) -> usize {
    let mut end = 0;
    for index in 0..list.len() {
        list.swap(index, end);
        end += usize::from(first(list[end] as usize));
    }
    end
}

/// The sum of three bits, in each position: its lower and its higher bit.
const fn full_adder(a: u128, b: u128, c: u128) -> (u128, u128) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// Adds `carry` to the numbers whose bits the planes hold.
fn add_up(planes: &mut [u128], mut carry: u128) {
    for plane in planes {
        if carry == 0 {
            return;
        }
        (*plane, carry) = (*plane ^ carry, *plane & carry);
    }
}
