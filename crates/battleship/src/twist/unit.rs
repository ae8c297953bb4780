//! One unit of a fleet, its place and its damage.

use super::{Cell, CellSet, Placement, UnitId, UnitKind};

/// One unit of a fleet: where it is, and which of its parts are damaged. Damage moves with the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    id: UnitId,
    placement: Placement,
    /// None once the unit has sunk.
    cells: CellSet,
    /// Bit n is the part n steps from the bow.
    damage: u8,
}

impl Unit {
    /// Returns the undamaged unit, placed there, or `None` if it does not fit on the grid.
    pub(super) fn new(id: UnitId, placement: Placement) -> Option<Unit> {
        let cells = CellSet::line(placement.bow, placement.direction, id.kind().size())?;
        Some(Unit {
            id,
            placement,
            cells,
            damage: 0,
        })
    }

    /// Returns the unit's number in its fleet.
    #[must_use]
    pub const fn id(&self) -> UnitId {
        self.id
    }

    /// Returns the kind of unit it is.
    #[must_use]
    pub const fn kind(&self) -> UnitKind {
        self.id.kind()
    }

    /// Returns the place of the unit; the place where it sank, if it has sunk.
    #[must_use]
    pub const fn placement(&self) -> Placement {
        self.placement
    }

    /// Returns whether all its parts are damaged. It has then left the grid.
    #[must_use]
    pub const fn is_sunk(&self) -> bool {
        self.armor() == 0
    }

    /// Returns the number of undamaged parts.
    #[must_use]
    pub const fn armor(&self) -> u8 {
        self.kind().size() - self.damage.count_ones().to_le_bytes()[0]
    }

    /// Returns whether the part that is `steps_from_bow` steps from the bow is damaged.
    #[must_use]
    pub const fn is_damaged(&self, steps_from_bow: u8) -> bool {
        steps_from_bow < self.kind().size() && self.damage & (1 << steps_from_bow) != 0
    }

    /// Returns the cells that it covers: none once it has sunk.
    #[must_use]
    pub const fn cells(&self) -> CellSet {
        self.cells
    }

    /// Returns the cells of its damaged parts: none once it has sunk.
    #[must_use]
    pub fn damaged(&self) -> CellSet {
        self.cells
            .iter()
            .filter(|cell| self.damage & self.part(*cell) != 0)
            .collect()
    }

    /// Returns its central cell, which names it in orders.
    #[must_use]
    pub fn centre(&self) -> Cell {
        self.on_line(self.kind().size() / 2)
    }

    /// Returns its last cell: the rightmost of a horizontal unit, the lowest of a vertical one.
    #[must_use]
    pub fn stern(&self) -> Cell {
        self.on_line(self.kind().size() - 1)
    }

    fn on_line(&self, steps: u8) -> Cell {
        let Placement { bow, direction } = self.placement;
        bow.step(direction, steps.cast_signed())
            .expect("a unit was placed on the grid")
    }

    /// Returns the bit of the part at `cell`, which is one of the unit's.
    fn part(&self, cell: Cell) -> u8 {
        let bow = self.placement.bow;
        // One of the two differences is 0, as units are straight.
        1 << (cell.row() - bow.row() + cell.column() - bow.column())
    }

    /// Damages the part at `cell`, which is one of the unit's. If that sinks it, it leaves the grid.
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
    #[must_use]
    pub fn moved(&self, target: Cell) -> Option<Unit> {
        let direction = self.placement.direction;
        // Sizes are odd, so the centre is the same number of steps from both ends. Damage moves along with
        // its part.
        let bow = target.step(direction, -(self.kind().size() / 2).cast_signed())?;
        Some(Unit {
            damage: self.damage,
            ..Unit::new(self.id, Placement { bow, direction })?
        })
    }
}
