//! Every line of cells that a unit can cover.

use battleship::seeded::SeededRng;
use battleship::twist::{Cell, CellSet, SIZE, UnitKind};

use super::fleet::all_placements;

/// The number of cells of the grid.
pub(super) const CELLS: usize = SIZE as usize * SIZE as usize;

/// The number of `cell`, row by row.
pub(super) fn index(cell: Cell) -> usize {
    usize::from(cell.row()) * usize::from(SIZE) + usize::from(cell.column())
}

/// The number of a line among those of its kind.
pub(super) type LineId = u16;

/// Every line that a unit of one kind can cover.
#[derive(Debug)]
struct OfKind {
    /// The last of them has no cells: that of a unit which is nowhere.
    cells: Vec<CellSet>,
    /// By cell: the lines through it.
    through: Vec<Vec<LineId>>,
}

impl OfKind {
    fn new(kind: UnitKind) -> OfKind {
        let somewhere = all_placements(kind.size()).map(|(_, cells)| cells);
        let cells: Vec<CellSet> = somewhere.chain([CellSet::EMPTY]).collect();
        let through = |cell| {
            let lines = (0..)
                .zip(&cells)
                .filter(move |(_, line)| line.contains(cell));
            lines.map(|(id, _)| id).collect()
        };
        let through = Cell::all().map(through).collect();
        OfKind { cells, through }
    }
}

/// The lines of all kinds, worked out once.
#[derive(Debug)]
pub(super) struct Lines([OfKind; 3]);

impl Lines {
    pub(super) fn new() -> Lines {
        Lines(UnitKind::ALL.map(OfKind::new))
    }

    /// The lines for units of `kind`, by number.
    pub(super) fn all(&self, kind: UnitKind) -> &[CellSet] {
        &self.0[slot(kind)].cells
    }

    /// The cells of one line.
    pub(super) fn cells(&self, kind: UnitKind, line: LineId) -> CellSet {
        self.0[slot(kind)].cells[usize::from(line)]
    }

    /// One of them, chosen at random.
    pub(super) fn any(&self, kind: UnitKind, rng: &mut SeededRng) -> LineId {
        LineId::try_from(rng.below(self.all(kind).len())).expect("there are at most 241 lines")
    }

    /// The lines for units of `kind` that go through `cell`.
    pub(super) fn through(&self, kind: UnitKind, cell: Cell) -> &[LineId] {
        &self.0[slot(kind)].through[index(cell)]
    }
}

/// Returns the index of this kind in tables by kind.
pub(super) const fn slot(kind: UnitKind) -> usize {
    match kind {
        UnitKind::Battleship => 0,
        UnitKind::Support => 1,
        UnitKind::Submarine => 2,
    }
}
