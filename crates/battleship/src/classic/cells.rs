//! Sets of cells of a classic board.

use super::{Direction, MAX_COLS, MAX_ROWS, Point};
use crate::cell_set::cell_set;

/// A set of cells of a board of at most 10x10. It is as small and as quick to copy as a number.
///
/// `|` unites sets, `&` intersects them, and `-` takes the cells of one set out of another. Loops
/// visit the cells row by row. Points outside the largest board are in no set.
///
/// ```
/// use battleship::{CellSet, Game, Point};
///
/// let mut untried = Game::standard().cells();
/// untried.remove(Point::new(4, 4));
/// assert_eq!(untried.len(), 99);
///
/// let column: CellSet = (0..10).map(|row| Point::new(row, 4)).collect();
/// let left = untried & column;
/// assert_eq!((left.len(), left.first()), (9, Some(Point::new(0, 4))));
/// for cell in left {
///     assert_eq!(cell.col, 4);
/// }
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CellSet(u128);

/// The first column of the largest board.
const FIRST_COL: u128 = ((1 << (MAX_ROWS * MAX_COLS)) - 1) / ((1 << MAX_COLS) - 1);

impl CellSet {
    /// The set without cells.
    pub const EMPTY: CellSet = CellSet(0);

    /// Returns the cells that a ship of `length` covers from its topmost or leftmost cell on, or
    /// `None` if one of them lies outside the largest board.
    ///
    /// ```
    /// # use battleship::{CellSet, Direction, Point};
    /// let ship = CellSet::line(Point::new(2, 7), Direction::Horizontal, 3);
    /// assert!(ship.is_some_and(|cells| cells.contains(Point::new(2, 9))));
    /// assert_eq!(CellSet::line(Point::new(2, 8), Direction::Horizontal, 3), None);
    /// ```
    pub fn line(top_or_left: Point, direction: Direction, length: i32) -> Option<CellSet> {
        (0..length)
            .map(|step| bit(top_or_left.step(direction, step)).map(CellSet))
            .try_fold(CellSet::EMPTY, |line, cell| Some(line | cell?))
    }

    /// Returns the set with those bits: bit 10 r + c for the cell (r,c). Other bits are dropped.
    ///
    /// ```
    /// # use battleship::{CellSet, Point};
    /// assert_eq!(CellSet::from_bits(1 << 23), Point::new(2, 3).into());
    /// ```
    pub const fn from_bits(bits: u128) -> CellSet {
        CellSet(bits & ((1 << (MAX_ROWS * MAX_COLS)) - 1))
    }

    /// Returns the bits of the set: bit 10 r + c for the cell (r,c).
    ///
    /// ```
    /// # use battleship::{CellSet, Point};
    /// assert_eq!(CellSet::from(Point::new(0, 2)).bits(), 4);
    /// ```
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the set with all cells of the largest board that share a side with one of them.
    ///
    /// ```
    /// # use battleship::{CellSet, Point};
    /// assert_eq!(CellSet::from(Point::new(0, 9)).with_sides().len(), 3);
    /// ```
    pub const fn with_sides(self) -> CellSet {
        CellSet::from_bits(self.wider() | self.higher())
    }

    /// Returns the set with all cells of the largest board that share a side or a corner with one
    /// of them.
    ///
    /// ```
    /// # use battleship::{CellSet, Point};
    /// assert_eq!(CellSet::from(Point::new(0, 9)).with_corners().len(), 4);
    /// ```
    pub const fn with_corners(self) -> CellSet {
        CellSet::from_bits(CellSet(self.wider()).higher())
    }

    /// Those cells and the ones left and right of them.
    const fn wider(self) -> u128 {
        self.0 | (self.0 & !FIRST_COL) >> 1 | (self.0 & !(FIRST_COL << (MAX_COLS - 1))) << 1
    }

    /// Those cells and the ones above and below them.
    const fn higher(self) -> u128 {
        self.0 | self.0 >> MAX_COLS | self.0 << MAX_COLS
    }

    /// Returns whether `point` is in the set.
    ///
    /// ```
    /// # use battleship::{CellSet, Point};
    /// let set = CellSet::from(Point::new(1, 1));
    /// assert!(set.contains(Point::new(1, 1)) && !set.contains(Point::new(1, 2)));
    /// assert!(!set.contains(Point::new(-5, 700)));
    /// ```
    pub fn contains(self, point: Point) -> bool {
        bit(point).is_some_and(|bit| self.0 & bit != 0)
    }

    /// Adds `point`. A point outside the largest board is ignored.
    ///
    /// ```
    /// # use battleship::{CellSet, Point};
    /// let mut set = CellSet::EMPTY;
    /// set.insert(Point::new(9, 9));
    /// set.insert(Point::new(10, 0));
    /// assert_eq!(set.len(), 1);
    /// ```
    pub fn insert(&mut self, point: Point) {
        self.0 |= bit(point).unwrap_or(0);
    }

    /// Takes `point` out, if it is in the set.
    ///
    /// ```
    /// # use battleship::{CellSet, Point};
    /// let mut set = CellSet::from(Point::new(9, 9));
    /// set.remove(Point::new(0, 0));
    /// set.remove(Point::new(9, 9));
    /// assert!(set.is_empty());
    /// ```
    pub fn remove(&mut self, point: Point) {
        self.0 &= !bit(point).unwrap_or(0);
    }

    /// Returns the number of cells in the set.
    ///
    /// ```
    /// # use battleship::Game;
    /// assert_eq!(Game::standard().cells().len(), 100);
    /// ```
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns an iterator over the cells, row by row.
    ///
    /// ```
    /// # use battleship::{Game, Point};
    /// let cells = Game::new(1, 2)?.cells();
    /// assert!(cells.iter().eq([Point::new(0, 0), Point::new(0, 1)]));
    /// # Ok::<(), battleship::GameError>(())
    /// ```
    pub const fn iter(self) -> Cells {
        Cells(self.0)
    }
}

/// The cells of a [`CellSet`], row by row.
#[derive(Clone, Debug)]
pub struct Cells(u128);

impl Iterator for Cells {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros().cast_signed();
        // Clears the lowest bit.
        self.0 &= self.0 - 1;
        Some(Point::new(index / MAX_COLS, index % MAX_COLS))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = CellSet(self.0).len();
        (left, Some(left))
    }
}

/// Returns the bit of `point`, or `None` outside the largest board.
fn bit(point: Point) -> Option<u128> {
    let within = (0..MAX_ROWS).contains(&point.row) && (0..MAX_COLS).contains(&point.col);
    // Ten columns for every board, however small, so that sets of different boards can be compared
    // and a bit means the same cell everywhere.
    within.then(|| 1 << (point.row * MAX_COLS + point.col))
}

/// The set of one cell; the empty set for a point outside the largest board.
impl From<Point> for CellSet {
    fn from(point: Point) -> CellSet {
        CellSet(bit(point).unwrap_or(0))
    }
}

cell_set!(
    CellSet of Point by Cells,
    |a, b| CellSet(a.0 | b.0),
    CellSet(a.0 & b.0),
    CellSet(a.0 & !b.0)
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::SeededRng;

    #[test]
    fn a_line_is_the_cells_of_a_ship() {
        let line = CellSet::line(Point::new(7, 2), Direction::Vertical, 3).unwrap();
        assert!(
            line.iter()
                .eq([Point::new(7, 2), Point::new(8, 2), Point::new(9, 2)])
        );
        assert_eq!(
            CellSet::line(Point::new(8, 2), Direction::Vertical, 3),
            None
        );
        assert_eq!(
            CellSet::line(Point::new(0, -1), Direction::Horizontal, 3),
            None
        );
    }

    #[test]
    fn points_outside_every_board_are_in_no_set() {
        let mut set = CellSet::EMPTY;
        for outside in [
            Point::new(0, 10),
            Point::new(-1, 9),
            Point::new(i32::MAX, i32::MIN),
        ] {
            set.insert(outside);
            assert!(!set.contains(outside));
        }
        assert!(set.is_empty());
    }

    #[test]
    fn a_random_cell_is_that_of_a_list() {
        let cells: CellSet = (0..9).map(|index| Point::new(index, 9 - index)).collect();
        let list: Vec<Point> = cells.iter().collect();
        let mut one = SeededRng::new(3);
        let mut other = SeededRng::new(3);
        for _ in 0..100 {
            assert_eq!(cells.choose(&mut one), other.choose(&list));
        }
        assert_eq!(cells.len(), 9);
    }

    #[test]
    fn a_set_changes_in_place() {
        let [a, b, c] = [0, 1, 2].map(|col| Point::new(0, col));
        let mut set = CellSet::from(a);
        set |= [b, c].into_iter().collect();
        set |= CellSet::from(Point::new(5, 5));
        set &= [a, b, Point::new(5, 5)].into_iter().collect();
        set -= CellSet::from(a);
        assert!(set.into_iter().eq([b, Point::new(5, 5)]));
    }
}
