//! The places of everything in a picture.

use super::film::Film;
use super::style::CELL;

/// The margin around everything, and between the grids.
pub(super) const MARGIN: usize = 40;
const GAP: usize = 56;

/// The space for the labels of rows, at the left of a grid, and of columns, above it.
pub(super) const LABEL: usize = 28;

/// The space for a title and for a heading above a grid.
const TITLE: usize = 76;
const HEADING: usize = 30;

/// The height of a line of a list.
pub(super) const LINE: usize = 22;

/// A grid takes at least this width, so that its heading fits.
const NARROWEST: usize = 348;

/// The places of everything in a picture.
pub(super) struct Layout {
    /// The side of a cell.
    pub(super) cell: usize,
    /// The width of the column of a player.
    pub(super) column: usize,
    /// The columns of a list of ships, and its lines.
    pub(super) list: (usize, usize),
    /// The corners of the grids.
    pub(super) grids: Vec<(usize, usize)>,
    /// The beginning of the lists of ships.
    pub(super) lists: usize,
    /// The place of the line of time.
    pub(super) time: usize,
    /// The size of the picture.
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Layout {
    pub(super) fn new(film: &Film) -> Layout {
        let cell = match film.row_names.len().max(film.col_names.len()) {
            0..=5 => 52,
            6..=10 => 32,
            _ => 27,
        };
        let column = (LABEL + film.col_names.len() * cell).max(NARROWEST);
        let ships = film.game.ships.len();
        let columns = if ships > 6 { 2 } else { 1 };
        let list = (columns, ships.div_ceil(columns));
        let top = MARGIN + TITLE + HEADING + LABEL;
        let lists = top + film.row_names.len() * cell + 24;
        let below = lists + list.1 * LINE;
        let second = below + 30 + HEADING + LABEL;
        let left = |player: usize| MARGIN + player * (column + GAP) + LABEL;
        let mut grids = vec![(left(0), top), (left(1), top)];
        let mut bottom = below;
        if film.headings().len() > 2 {
            grids.extend([(left(0), second), (left(1), second)]);
            bottom = second + film.row_names.len() * cell;
        }
        let time = bottom + 76;
        let width = 2 * (MARGIN + column) + GAP;
        Layout {
            cell,
            column,
            list,
            grids,
            lists,
            time,
            width,
            height: time + MARGIN,
        }
    }

    /// Returns where a cell of a grid begins.
    pub(super) fn place(&self, grid: usize, row: usize, col: usize) -> (usize, usize) {
        let (x, y) = self.grids[grid];
        (x + col * self.cell, y + row * self.cell)
    }

    /// Returns a shape at a cell.
    pub(super) fn shape(&self, shape: char, grid: usize, row: usize, col: usize) -> String {
        let (x, y) = self.place(grid, row, col);
        if self.cell == 32 {
            return format!("<use href=\"#{shape}\" x=\"{x}\" y=\"{y}\"/>");
        }
        let scale = f64::from(u32::try_from(self.cell).unwrap_or(u32::MAX)) / CELL;
        format!("<use href=\"#{shape}\" transform=\"translate({x} {y}) scale({scale:.4})\"/>")
    }
}
