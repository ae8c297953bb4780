//! One picture of the screen as data: what stands where, before it becomes characters.

use battleship::Point;

use crate::live::Standing;
use crate::look::Sign;

/// A row and a column of a grid, from 0.
pub(crate) type At = (usize, usize);

/// Returns a point as a row and a column of a grid; `None` above the grid or to its left.
pub(crate) fn at_of(point: Point) -> Option<At> {
    Some((
        usize::try_from(point.row).ok()?,
        usize::try_from(point.col).ok()?,
    ))
}

/// Returns a row and a column of a grid as a point.
pub(crate) fn point_of((row, col): At) -> Point {
    let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    Point::new(number(row), number(col))
}

/// Everything on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Picture {
    /// In the middle of the first line.
    pub(crate) headline: String,
    /// The grids, from left to right.
    pub(crate) grids: Vec<Grid>,
    /// The standings of a contest; empty if a single game is shown.
    pub(crate) standings: Vec<Standing>,
    /// The events, the latest last.
    pub(crate) log: Vec<String>,
    /// The question, or the event.
    pub(crate) asked: String,
    /// The fault in what was typed last.
    pub(crate) mistake: Option<String>,
    /// The keys that mean something now.
    pub(crate) keys: String,
    /// A text over everything else.
    pub(crate) notice: Option<Notice>,
    /// The way out of a terminal that is too small.
    pub(crate) way_out: WayOut,
}

/// The way out of a terminal that is too small, besides making it larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WayOut {
    /// End the game.
    #[default]
    Interrupt,
    /// Play in plain words: the game has not begun.
    Plain,
    /// Another one, in words.
    Other(&'static str),
}

/// A text in a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// Whether nothing else is to be seen.
    pub(crate) alone: bool,
}

/// A grid with what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    /// The owner of the grid.
    pub(crate) title: String,
    /// The remark beside the title.
    pub(crate) note: String,
    /// Whether it is this player's turn.
    pub(crate) to_move: bool,
    pub(crate) rows: Vec<String>,
    pub(crate) cols: Vec<String>,
    /// The signs, row by row.
    pub(crate) signs: Vec<Sign>,
    /// The cell of the last attack.
    pub(crate) last: Option<At>,
    /// The cell that is aimed at.
    pub(crate) aim: Option<At>,
    /// The cells that a ship would have, and whether it may lie there.
    pub(crate) outline: Vec<At>,
    pub(crate) forbidden: bool,
    /// Cells that an order may name, or that it would reach.
    pub(crate) possible: Vec<At>,
    /// The ships below it, a line each.
    pub(crate) ships: Vec<ShipLine>,
}

/// A line of the list of ships: one ship, or all of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShipLine {
    pub(crate) name: String,
    pub(crate) ships: Vec<ListedShip>,
}

/// The state of a ship in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListedShip {
    pub(crate) length: usize,
    /// The number of its parts that are hit, if that is known.
    pub(crate) hit: usize,
    pub(crate) sunk: bool,
}

impl Grid {
    /// Returns the number of a cell, if it is on the grid.
    pub(crate) fn index(&self, (row, col): At) -> Option<usize> {
        (row < self.rows.len() && col < self.cols.len()).then(|| row * self.cols.len() + col)
    }
}
