//! Ships that the count treats alike, and their possible places.

use battleship::CellSet;

use super::lines::{Lines, ShipLine};

/// Ships that cannot be told apart: afloat, of one length, with the same prior. A sunk ship is one of its own.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) length: usize,
    pub(super) ships: Vec<usize>,
    /// The places that touch no cell attacked so far.
    pub(super) free: Lines,
    /// The places that lie on hits.
    pub(super) on_hits: Vec<Candidate>,
}

/// A place on hits for a ship of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) line: ShipLine,
    pub(super) cells: CellSet,
    pub(super) weight: f64,
}
