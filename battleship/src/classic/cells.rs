use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

use super::{Direction, MAX_COLS, MAX_ROWS, Point};

/// A set of cells of a board of at most 10x10, as bits: cell (r,c) is bit 10 r + c.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CellSet(u128);

impl CellSet {
    /// The set without cells.
    pub const EMPTY: CellSet = CellSet(0);

    /// The cells that a ship of `length` covers from its topmost or leftmost cell on, or nothing if one of
    /// them lies outside the largest board.
    #[must_use]
    pub fn line(top_or_left: Point, direction: Direction, length: usize) -> Option<CellSet> {
        let steps = 0..i32::try_from(length).ok()?;
        steps
            .map(|step| bit(top_or_left.step(direction, step)).map(CellSet))
            .try_fold(CellSet::EMPTY, |line, cell| Some(line | cell?))
    }

    /// The set with those bits; bits of no cell are left out.
    #[must_use]
    pub const fn from_bits(bits: u128) -> CellSet {
        CellSet(bits & ((1 << (MAX_ROWS * MAX_COLS)) - 1))
    }

    /// The bits of the set: bit 10 r + c for the cell (r,c).
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Whether `point` is in the set.
    #[must_use]
    pub fn contains(self, point: Point) -> bool {
        bit(point).is_some_and(|bit| self.0 & bit != 0)
    }

    /// Adds `point`; a point outside the largest board is left out.
    pub fn insert(&mut self, point: Point) {
        self.0 |= bit(point).unwrap_or(0);
    }

    /// Whether the set has no cells.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cells the set has.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether every cell of this set is in `other`.
    #[must_use]
    pub const fn is_subset(self, other: CellSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The first cell, row by row.
    #[must_use]
    pub fn first(self) -> Option<Point> {
        self.iter().next()
    }

    /// The cells, row by row.
    pub fn iter(self) -> impl Iterator<Item = Point> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = i32::try_from(rest.trailing_zeros()).expect("at most 128");
            (rest != 0).then(|| {
                rest &= rest - 1;
                Point::new(index / 10, index % 10)
            })
        })
    }
}

fn bit(point: Point) -> Option<u128> {
    let row = usize::try_from(point.row).ok().filter(|row| *row < MAX_ROWS)?;
    let col = usize::try_from(point.col).ok().filter(|col| *col < MAX_COLS)?;
    Some(1 << (row * MAX_COLS + col))
}

impl From<Point> for CellSet {
    fn from(point: Point) -> CellSet {
        CellSet(bit(point).unwrap_or(0))
    }
}

impl FromIterator<Point> for CellSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> CellSet {
        points.into_iter().fold(CellSet::EMPTY, |set, point| set | point.into())
    }
}

/// All cells of all the sets.
impl FromIterator<CellSet> for CellSet {
    fn from_iter<I: IntoIterator<Item = CellSet>>(sets: I) -> CellSet {
        sets.into_iter().fold(CellSet::EMPTY, |all, set| all | set)
    }
}

impl BitOr for CellSet {
    type Output = CellSet;
    fn bitor(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;
    fn bitand(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }
}

impl Sub for CellSet {
    type Output = CellSet;
    fn sub(self, other: CellSet) -> CellSet {
        CellSet(self.0 & !other.0)
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|point| format!("{point}"))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_cells_of_a_ship() {
        let line = CellSet::line(Point::new(7, 2), Direction::Vertical, 3).unwrap();
        assert!(line.iter().eq([Point::new(7, 2), Point::new(8, 2), Point::new(9, 2)]));
        assert_eq!(CellSet::line(Point::new(8, 2), Direction::Vertical, 3), None);
        assert_eq!(CellSet::line(Point::new(0, -1), Direction::Horizontal, 3), None);
    }

    #[test]
    fn points_outside_the_largest_board_are_in_no_set() {
        let mut set = CellSet::EMPTY;
        for outside in [Point::new(0, 10), Point::new(-1, 9), Point::new(i32::MAX, i32::MIN)] {
            set.insert(outside);
            assert!(!set.contains(outside));
        }
        assert!(set.is_empty());
    }
}
