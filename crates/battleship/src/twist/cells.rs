//! Sets of cells of the 12x12 grid.

use super::{Cell, SIZE};
use crate::Direction;
use crate::cell_set::cell_set;

/// The number of rows that share a word. Four rows of 12 bits fit in 64 and leave 16 bits unused,
/// always 0.
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

    /// Returns the cells that a unit of `size` covers from its bow on, or `None` if one of them
    /// would lie outside.
    pub fn line(bow: Cell, direction: Direction, size: u8) -> Option<CellSet> {
        (0..size)
            .map(|step| bow.step(direction, step.cast_signed()))
            .collect()
    }

    /// Returns the cells at most `reach` rows and at most `reach` columns away from `centre`: 3x3
    /// for a reach of 1, 5x5 for 2, less where the grid ends.
    ///
    /// ```
    /// # use battleship::twist::CellSet;
    /// assert_eq!(CellSet::around("E5".parse()?, 2).len(), 25);
    /// assert_eq!(CellSet::around("A1".parse()?, 2).len(), 9);
    /// # Ok::<(), battleship::twist::MalformedCell>(())
    /// ```
    pub fn around(centre: Cell, reach: u8) -> CellSet {
        Cell::all()
            .filter(|cell| cell.row().abs_diff(centre.row()) <= reach)
            .filter(|cell| cell.column().abs_diff(centre.column()) <= reach)
            .collect()
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
    fn areas_are_what_stepping_finds() {
        for cell in Cell::all() {
            for reach in 0..=2_i8 {
                let offsets = (-reach..=reach).flat_map(|r| (-reach..=reach).map(move |c| (r, c)));
                let near: CellSet = offsets.filter_map(|(r, c)| cell.offset(r, c)).collect();
                assert_eq!(CellSet::around(cell, reach.cast_unsigned()), near);
            }
        }
    }
}
