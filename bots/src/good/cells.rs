//! Cells and sizes as indices.

use battleship::Point;

/// Rows and columns of the largest board.
pub(super) const SIZE: usize = 10;

/// A number for each cell, by [`index`].
pub(super) type ByCell = [f64; SIZE * SIZE];

/// 10 r + c for a point on the board: its index in tables by cell.
pub(super) fn index(point: Point) -> usize {
    let (row, col) = row_and_col(point);
    row * SIZE + col
}

/// The row and the column of a point on the board, as indices.
pub(super) fn row_and_col(point: Point) -> (usize, usize) {
    let within = |value: i32| usize::try_from(value).expect("it is on the board");
    (within(point.row), within(point.col))
}

/// A small number as a real one.
pub(super) fn real(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a small number"))
}
