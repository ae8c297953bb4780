//! The names of rows, columns and cells.

use crate::Point;
use crate::twist::{Cell, ROW_LETTERS};

/// The names that people use for the cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Labels {
    /// Rows and columns by their numbers from 0 on: `(3,4)`.
    Digits,
    /// Rows by the letters of the Italian alphabet, columns by their numbers from 1 on: `C3`.
    Italian,
}

impl Labels {
    /// Returns the names of rows and of columns, from the first on.
    pub fn lines(self, size: [i32; 2]) -> [Vec<String>; 2] {
        match self {
            Labels::Digits => size.map(|count| (0..count).map(|at| at.to_string()).collect()),
            Labels::Italian => [
                ROW_LETTERS.map(String::from).to_vec(),
                (1..=size[1]).map(|at| at.to_string()).collect(),
            ],
        }
    }

    /// Returns the number of characters that a cell takes in the original drawing.
    pub const fn cell_width(self) -> usize {
        match self {
            Labels::Digits => 1,
            Labels::Italian => 3,
        }
    }

    /// Returns the name of a cell; of one outside the board its numbers.
    pub fn cell(self, at: Point) -> String {
        let cell = Cell::at(at).filter(|_| self == Labels::Italian);
        cell.map_or_else(|| at.to_string(), |cell| cell.to_string())
    }
}
