//! One unit of a fleet, its place and its damage.

use super::{Cell, CellSet, UnitId, UnitKind};
use crate::{Direction, Placement};

/// One unit of a fleet: where it is, and which of its parts are damaged. Damage moves with the
/// unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    id: UnitId,
    bow: Cell,
    direction: Direction,
    /// None once the unit has sunk.
    cells: CellSet,
    /// Bit n is the part n steps from the bow.
    damage: u8,
}

impl Unit {
    /// Returns the undamaged unit, placed there, or `None` if it does not fit on the grid.
    pub(super) fn new(id: UnitId, bow: Cell, direction: Direction) -> Option<Unit> {
        let cells = CellSet::line(bow, direction, id.kind().size())?;
        Some(Unit {
            id,
            bow,
            direction,
            cells,
            damage: 0,
        })
    }

    /// Returns the unit's number in its fleet.
    pub const fn id(&self) -> UnitId {
        self.id
    }

    /// Returns the kind of unit it is.
    pub const fn kind(&self) -> UnitKind {
        self.id.kind()
    }

    /// Returns the place of the unit; the place where it sank, if it has sunk.
    pub fn placement(&self) -> Placement {
        Placement {
            top_or_left: self.bow.into(),
            direction: self.direction,
        }
    }

    /// Returns whether all its parts are damaged. It has then left the grid.
    pub const fn is_sunk(&self) -> bool {
        self.damage.count_ones() == self.kind().size() as u32
    }

    /// Returns the cells that it covers: none once it has sunk.
    pub const fn cells(&self) -> CellSet {
        self.cells
    }

    /// Returns the cells of its damaged parts: none once it has sunk.
    pub fn damaged(&self) -> CellSet {
        self.cells
            .iter()
            .filter(|cell| self.damage & self.part(*cell) != 0)
            .collect()
    }

    /// Returns its central cell, which names it in orders.
    pub fn centre(&self) -> Cell {
        self.on_line(self.kind().size() / 2)
    }

    /// Returns its first cell.
    pub const fn bow(&self) -> Cell {
        self.bow
    }

    /// Returns its last cell: the rightmost of a horizontal unit, the lowest of a vertical one.
    pub fn stern(&self) -> Cell {
        self.on_line(self.kind().size() - 1)
    }

    fn on_line(&self, steps: u8) -> Cell {
        self.bow
            .step(self.direction, steps.cast_signed())
            .expect("a unit was placed on the grid")
    }

    /// Returns the bit of the part at `cell`, which is one of the unit's.
    fn part(&self, cell: Cell) -> u8 {
        // One of the two differences is 0, as units are straight.
        1 << (cell.row() - self.bow.row() + cell.column() - self.bow.column())
    }

    /// Damages the part at `cell`, which is one of the unit's. If that sinks it, it leaves the
    /// grid.
    pub(super) fn strike(&mut self, cell: Cell) {
        self.damage |= self.part(cell);
        if self.is_sunk() {
            // Kept apart from the placement, which still says where it sank.
            self.cells = CellSet::EMPTY;
        }
    }

    /// Makes every part whole again. Returns whether one was damaged.
    pub(super) const fn repair(&mut self) -> bool {
        let damaged = self.damage != 0;
        self.damage = 0;
        damaged
    }

    /// Returns the letter that the owner's grid shows at `cell`, which is one of the unit's.
    pub(super) fn symbol(&self, cell: Cell) -> char {
        let letter = self.kind().letter();
        if self.damage & self.part(cell) == 0 {
            letter
        } else {
            letter.to_ascii_lowercase()
        }
    }

    /// Returns the same unit with its centre at `target`, if it fits on the grid there.
    pub fn moved(&self, target: Cell) -> Option<Unit> {
        // Sizes are odd, so the centre is the same number of steps from both ends. Damage moves
        // along with its part.
        let bow = target.step(self.direction, -(self.kind().size() / 2).cast_signed())?;
        Some(Unit {
            damage: self.damage,
            ..Unit::new(self.id, bow, self.direction)?
        })
    }
}
