//! A board in the two layouts that make lines of ships quick to count.

use std::ops::{Index, IndexMut};

pub(super) use super::super::cells::SIZE;

/// Numbers in a row of a grid: more than 10, so that a row is a whole number of vector registers.
pub(super) const LANES: usize = 12;

/// A row of a grid. All arithmetic on grids is done row by row, so that the compiler makes vector instructions of it.
pub(super) type Row = [f64; LANES];

/// The sum of two rows.
pub(super) fn add(mut one: Row, other: &Row) -> Row {
    for (one, other) in one.iter_mut().zip(other) {
        *one += other;
    }
    one
}

/// The difference of two rows.
pub(super) fn subtract(mut one: Row, other: &Row) -> Row {
    for (one, other) in one.iter_mut().zip(other) {
        *one -= other;
    }
    one
}

/// The product of two rows, number by number.
pub(super) fn times(mut one: Row, other: &Row) -> Row {
    for (one, other) in one.iter_mut().zip(other) {
        *one *= other;
    }
    one
}

/// One number for each cell. The row of a grid runs across the ships it speaks of, its rows follow each other along
/// them: in the layout of vertical ships a cell (r,c) is `grid[r][c]`, in that of horizontal ones `grid[c][r]`.
#[derive(Clone, Debug)]
pub(super) struct Grid(pub(super) [Row; SIZE]);

impl Grid {
    pub(super) const ZERO: Grid = Grid([[0.0; LANES]; SIZE]);

    /// The same numbers in the other layout.
    pub(super) fn transposed(&self) -> Grid {
        let mut other = Grid::ZERO;
        for (along, row) in self.0.iter().enumerate() {
            for (across, value) in row.iter().enumerate().take(SIZE) {
                other.0[across][along] = *value;
            }
        }
        other
    }

    /// The sum of all numbers.
    pub(super) fn sum(&self) -> f64 {
        let rows = self.0.iter().fold([0.0; LANES], add);
        rows.iter().sum()
    }

    /// Adds `factor` times the other grid.
    pub(super) fn add_scaled(&mut self, factor: f64, other: &Grid) {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            for (value, other) in row.iter_mut().zip(other) {
                *value += factor * other;
            }
        }
    }

    /// For each cell the sum over it and the `length - 1` cells before it: how much of the ships of `length` covers
    /// it, if the numbers belong to the cells that the ships begin on. Sums of so few numbers are as quick as
    /// differences of running sums, and exact zeros stay zeros.
    pub(super) fn covered(&self, length: usize) -> Grid {
        let mut covered = Grid::ZERO;
        for along in 0..SIZE {
            let first = (along + 1).saturating_sub(length);
            for row in &self.0[first..=along] {
                covered.0[along] = add(covered.0[along], row);
            }
        }
        covered
    }
}

impl Index<usize> for Grid {
    type Output = Row;
    fn index(&self, along: usize) -> &Row {
        &self.0[along]
    }
}

impl IndexMut<usize> for Grid {
    fn index_mut(&mut self, along: usize) -> &mut Row {
        &mut self.0[along]
    }
}

/// The sums of a grid's rows up to each: `sums[n]` is that of the first n.
#[derive(Clone, Debug)]
pub(super) struct Sums([Row; SIZE + 1]);

impl Sums {
    pub(super) fn of(grid: &Grid) -> Sums {
        let mut sums = Sums([[0.0; LANES]; SIZE + 1]);
        for along in 0..SIZE {
            sums.0[along + 1] = add(sums.0[along], &grid[along]);
        }
        sums
    }

    /// The sum of the rows from `first` to before `end`; an end beyond the grid is its end.
    pub(super) fn between(&self, first: usize, end: usize) -> Row {
        subtract(self.0[end.min(SIZE)], &self.0[first])
    }
}
