//! The cells of the 12x12 grid.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Direction, Point};

/// The number of rows and of columns of the grid.
pub const SIZE: u8 = 12;

/// The letters of the rows, from the top: the Italian alphabet, which has no J and no K.
pub const ROW_LETTERS: [char; 12] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'L', 'M', 'N'];

/// A cell of the 12x12 grid. It always lies on the grid.
///
/// ```
/// # use battleship::twist::Cell;
/// let cell: Cell = "L10".parse()?;
/// assert_eq!((cell.row(), cell.column()), (9, 9));
/// assert_eq!(cell.to_string(), "L10");
/// # Ok::<(), battleship::twist::MalformedCell>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    row: u8,
    column: u8,
}

/// The reason why a text is not the name of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MalformedCell {
    /// There is no text.
    #[error("a cell is missing")]
    Empty,
    /// The first character is not the letter of a row.
    #[error("no row {0:?}: rows are A to I, L, M and N")]
    Row(char),
    /// The text behind the letter is not the number of a column.
    #[error("no column {0:?}: columns are 1 to 12")]
    Column(String),
}

impl Cell {
    /// Returns the cell in `row` and `column`, both counted from 0 at the top left, or `None` if it
    /// is not on the grid.
    pub const fn new(row: u8, column: u8) -> Option<Cell> {
        if row < SIZE && column < SIZE {
            Some(Cell { row, column })
        } else {
            None
        }
    }

    /// Returns the cell that a point is, or `None` if it is not on the grid.
    pub fn at(point: Point) -> Option<Cell> {
        Cell::new(u8::try_from(point.row).ok()?, u8::try_from(point.col).ok()?)
    }

    /// Returns the row, 0 at the top, at most 11.
    pub const fn row(self) -> u8 {
        self.row
    }

    /// Returns the column, 0 at the left, at most 11.
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Returns all 144 cells, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| Cell { row, column }))
    }

    /// Returns the cell `rows` down and `columns` to the right (up and left if negative); `None` if
    /// it is not on the grid.
    ///
    /// ```
    /// # use battleship::twist::Cell;
    /// let cell: Cell = "B2".parse()?;
    /// assert_eq!(cell.offset(-1, 3), Some("A5".parse()?));
    /// assert_eq!(cell.offset(-2, 0), None);
    /// # Ok::<(), battleship::twist::MalformedCell>(())
    /// ```
    pub const fn offset(self, rows: i8, columns: i8) -> Option<Cell> {
        match (
            self.row.checked_add_signed(rows),
            self.column.checked_add_signed(columns),
        ) {
            (Some(row), Some(column)) => Cell::new(row, column),
            (None, _) | (_, None) => None,
        }
    }

    /// Returns the cell `steps` further in `direction` (right or down; back if negative), if it is
    /// on the grid.
    pub const fn step(self, direction: Direction, steps: i8) -> Option<Cell> {
        match direction {
            Direction::Horizontal => self.offset(0, steps),
            Direction::Vertical => self.offset(steps, 0),
        }
    }
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point::new(cell.row.into(), cell.column.into())
    }
}

/// Reads `A1` to `N12`; the letter may be lower case.
impl FromStr for Cell {
    type Err = MalformedCell;

    fn from_str(text: &str) -> Result<Cell, MalformedCell> {
        let mut characters = text.chars();
        let letter = characters.next().ok_or(MalformedCell::Empty)?;
        let row = (0..SIZE)
            .zip(ROW_LETTERS)
            .find_map(|(row, name)| name.eq_ignore_ascii_case(&letter).then_some(row))
            .ok_or(MalformedCell::Row(letter))?;
        let number = characters.as_str();
        // `u8` would also read `+7` and `07`. A cell has one spelling, except for the case of its
        // letter.
        let column = (!number.starts_with(['0', '+']))
            .then(|| number.parse::<u8>().ok()?.checked_sub(1))
            .flatten();
        column
            .and_then(|column| Cell::new(row, column))
            .ok_or_else(|| MalformedCell::Column(number.to_owned()))
    }
}

/// As the game prints it: `A1` to `N12`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            ROW_LETTERS[usize::from(self.row)],
            self.column + 1
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_read_as_printed() {
        for cell in Cell::all() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(cell.to_string().to_lowercase().parse(), Ok(cell));
        }
        assert_eq!(Cell::all().count(), 144);
    }

    #[test]
    fn what_is_not_a_cell_is_refused() {
        let column = |text: &str| MalformedCell::Column(text.to_owned());
        for (text, why) in [
            ("", MalformedCell::Empty),
            ("J1", MalformedCell::Row('J')),
            ("k1", MalformedCell::Row('k')),
            ("1A", MalformedCell::Row('1')),
            ("\u{e9}1", MalformedCell::Row('\u{e9}')),
            ("A", column("")),
            ("AA", column("A")),
            ("A0", column("0")),
            ("A13", column("13")),
            ("A01", column("01")),
            ("A+1", column("+1")),
            ("A-1", column("-1")),
            ("A1 ", column("1 ")),
            ("A256", column("256")),
        ] {
            assert_eq!(text.parse::<Cell>(), Err(why), "{text}");
        }
    }
}
