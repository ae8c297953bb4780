//! Counts of the fleets that have a ship on each cell, among some thousand fleets, for all cells at
//! once.

/// Enough for the count of a million fleets.
const PLANES: usize = 20;

/// Counters, one for each cell: plane n holds bit n of all of them. Adding bit by bit counts 100
/// cells in a few instructions a fleet (carry-save adders).
#[derive(Clone, Debug)]
pub(super) struct Tally {
    planes: [u128; PLANES],
    used: usize,
}

impl Tally {
    /// Counts the bits of `many` sets of cells; `fleet` gives each by its number.
    #[inline]
    pub(super) fn of(many: usize, fleet: impl Fn(usize) -> u128) -> Tally {
        let mut planes = [0; PLANES];
        let [mut ones, mut twos, mut fours] = [0_u128; 3];
        // Eight at a time go through adders, so that only every eighth carry runs up the planes.
        let whole = many & !7;
        for first in (0..whole).step_by(8) {
            let pair = |sum: u128, index: usize| full_adder(sum, fleet(index), fleet(index + 1));
            let (sum, a) = pair(ones, first);
            let (sum, b) = pair(sum, first + 2);
            let (sum, c) = pair(sum, first + 4);
            let (sum, d) = pair(sum, first + 6);
            ones = sum;
            let (sum, a) = full_adder(twos, a, b);
            let (sum, b) = full_adder(sum, c, d);
            twos = sum;
            let (sum, eights) = full_adder(fours, a, b);
            fours = sum;
            add_up(&mut planes[3..], eights);
        }
        [planes[0], planes[1], planes[2]] = [ones, twos, fours];
        for index in whole..many {
            add_up(&mut planes, fleet(index));
        }
        Tally {
            planes,
            used: (usize::BITS - many.leading_zeros()) as usize,
        }
    }

    /// The first of the cells in `among` that most fleets have, then the first of the others that
    /// most have, and so on: at most this number of cells. Cells that no fleet has are left out.
    #[inline]
    pub(super) fn most_of(
        many: usize,
        fleet: impl Fn(usize) -> u128,
        among: u128,
        cells: usize,
    ) -> u128 {
        if many < 8 {
            // Most lists are short.
            let mut planes = [0_u128; 3];
            for index in 0..many {
                let one = fleet(index);
                let two = planes[0] & one;
                planes[0] ^= one;
                let four = planes[1] & two;
                planes[1] ^= two;
                planes[2] |= four;
            }
            return most(&planes, among, cells);
        }
        let tally = Tally::of(many, fleet);
        most(&tally.planes[..tally.used], among, cells)
    }

    /// The count of the cell with that number.
    pub(super) fn get(&self, cell: usize) -> u32 {
        let planes = self.planes[..self.used].iter().enumerate();
        planes
            .map(|(bit, plane)| u32::from(plane >> cell & 1 == 1) << bit)
            .sum()
    }
}

/// The cells in `among` with the highest counts by those planes, as [`Tally::most_of`] says.
#[inline]
fn most(planes: &[u128], among: u128, cells: usize) -> u128 {
    let mut chosen = 0;
    for _ in 0..cells {
        // From the highest bit down, only the cells with the highest counts so far stay in.
        let mut best = among & !chosen;
        let mut any = false;
        for plane in planes.iter().rev() {
            let larger = best & plane;
            if larger != 0 {
                (best, any) = (larger, true);
            }
        }
        if !any {
            break;
        }
        chosen |= best & best.wrapping_neg();
    }
    chosen
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
