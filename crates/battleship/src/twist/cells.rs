//! Sets of cells of the 12x12 grid.

use super::{Cell, SIZE};
use crate::Direction;
use crate::cell_set::cell_set;

/// The number of rows that share a word. Four rows of 12 bits fit in 64 and leave 16 bits unused, always 0.
const ROWS: u8 = 4;
const WORDS: usize = 3;
const FULL_WORD: u64 = (1 << (ROWS * SIZE)) - 1;

/// A set of cells of the 12x12 grid, as bits: four rows a word, so that no row is split.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CellSet([u64; WORDS]);

impl CellSet {
    /// The set without cells.
    pub const EMPTY: CellSet = CellSet([0; WORDS]);
    /// The whole grid.
    pub const ALL: CellSet = CellSet([FULL_WORD; WORDS]);

    /// Returns the cells that a unit of `size` covers from its bow on, or `None` if one of them would lie outside.
    pub fn line(bow: Cell, direction: Direction, size: u8) -> Option<CellSet> {
        let room = SIZE
            - match direction {
                Direction::Horizontal => bow.column(),
                Direction::Vertical => bow.row(),
            };
        if size > room {
            return None;
        }
        Some(match direction {
            Direction::Horizontal => CellSet::block(bow.row(), bow.row(), bow.column(), size),
            // The rows of a block include the last one, `size - 1` from the bow, which no unit of size 0 has.
            Direction::Vertical if size == 0 => CellSet::EMPTY,
            Direction::Vertical => CellSet::block(bow.row(), bow.row() + size - 1, bow.column(), 1),
        })
    }

    /// Returns the cells at most `reach` rows and at most `reach` columns away from `centre`: 3x3 for a reach of 1, 5x5
    /// for 2, less where the grid ends.
    ///
    /// ```
    /// # use battleship::twist::CellSet;
    /// assert_eq!(CellSet::around("E5".parse()?, 2).len(), 25);
    /// assert_eq!(CellSet::around("A1".parse()?, 2).len(), 9);
    /// # Ok::<(), battleship::twist::MalformedCell>(())
    /// ```
    pub fn around(centre: Cell, reach: u8) -> CellSet {
        CellSet::between(
            (
                centre.row().saturating_sub(reach),
                centre.column().saturating_sub(reach),
            ),
            (
                centre.row().saturating_add(reach),
                centre.column().saturating_add(reach),
            ),
        )
    }

    /// Returns the cells of the rectangle from the corner `from` to the corner `to`, both included, as far as they
    /// are on the grid. The corners are rows and columns.
    pub(super) fn between(from: (u8, u8), to: (u8, u8)) -> CellSet {
        // Only the lower right needs a cut here: callers cut the upper left at 0 when they subtract.
        let (bottom, right) = (to.0.min(SIZE - 1), to.1.min(SIZE - 1));
        CellSet::block(from.0, bottom, from.1, (right + 1).saturating_sub(from.1))
    }

    /// Returns `width` columns from `left` on, in the rows from `top` to `bottom`, all on the grid.
    fn block(top: u8, bottom: u8, left: u8, width: u8) -> CellSet {
        // At most 12 bits shifted by at most 12: a block never reaches into the next row, as `left + width`
        // is at most 12.
        let columns = ((1_u64 << width) - 1) << left;
        let mut set = CellSet::EMPTY;
        // An empty range for a block of no rows, so there is no case of its own for it.
        for row in top..=bottom {
            set.0[usize::from(row / ROWS)] |= columns << (row % ROWS * SIZE);
        }
        set
    }

    /// Returns whether `cell` is in the set.
    pub fn contains(self, cell: Cell) -> bool {
        let (word, bit) = place(cell);
        self.0[word] & bit != 0
    }

    /// Adds `cell`.
    pub fn insert(&mut self, cell: Cell) {
        let (word, bit) = place(cell);
        self.0[word] |= bit;
    }

    /// Takes `cell` out.
    pub fn remove(&mut self, cell: Cell) {
        let (word, bit) = place(cell);
        self.0[word] &= !bit;
    }

    /// Returns the number of cells in the set.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns an iterator over the cells, row by row.
    pub const fn iter(self) -> Cells {
        Cells {
            rest: self.0,
            word: 0,
        }
    }
}

/// The cells of a [`CellSet`], row by row.
#[derive(Clone, Debug)]
pub struct Cells {
    rest: [u64; WORDS],
    /// The word that is being read. Those before it are empty.
    word: u8,
}

impl Iterator for Cells {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        while let Some(rest) = self.rest.get_mut(usize::from(self.word)) {
            if *rest == 0 {
                self.word += 1;
                continue;
            }
            // At most 63, so the lowest byte is all of it; a cast would have to be allowed.
            let bit = rest.trailing_zeros().to_le_bytes()[0];
            // Clears the lowest bit.
            *rest &= *rest - 1;
            return Cell::new(self.word * ROWS + bit / SIZE, bit % SIZE);
        }
        None
    }
}

fn place(cell: Cell) -> (usize, u64) {
    (
        usize::from(cell.row() / ROWS),
        1 << (cell.row() % ROWS * SIZE + cell.column()),
    )
}

impl From<Cell> for CellSet {
    fn from(cell: Cell) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.insert(cell);
        set
    }
}

cell_set!(
    CellSet of Cell by Cells,
    |a, b| CellSet(std::array::from_fn(|word| a.0[word] | b.0[word])),
    CellSet(std::array::from_fn(|word| a.0[word] & b.0[word])),
    CellSet(std::array::from_fn(|word| a.0[word] & !b.0[word]))
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_cells_put_in() {
        let every_third: Vec<Cell> = Cell::all().step_by(3).collect();
        let mut set: CellSet = every_third.iter().rev().copied().collect();
        assert!(set.iter().eq(every_third.iter().copied()));
        assert_eq!((set.len(), set.first()), (48, Cell::new(0, 0)));
        for cell in &every_third {
            assert!(set.contains(*cell));
            set.remove(*cell);
            assert!(!set.contains(*cell));
        }
        assert!(set.is_empty());
        assert!(Cell::all().eq(CellSet::ALL.iter()));
    }

    #[test]
    fn lines_and_areas_are_what_stepping_finds() {
        for cell in Cell::all() {
            for (direction, size) in Direction::BOTH
                .into_iter()
                .flat_map(|d| [(d, 1_u8), (d, 3), (d, 5)])
            {
                let steps: Option<CellSet> = (0..size)
                    .map(|step| cell.step(direction, step.cast_signed()))
                    .collect();
                assert_eq!(CellSet::line(cell, direction, size), steps);
            }
            for reach in 0..=2_i8 {
                let offsets = (-reach..=reach).flat_map(|r| (-reach..=reach).map(move |c| (r, c)));
                let near: CellSet = offsets.filter_map(|(r, c)| cell.offset(r, c)).collect();
                assert_eq!(CellSet::around(cell, reach.cast_unsigned()), near);
            }
        }
    }
}
