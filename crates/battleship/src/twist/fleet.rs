//! One player's eight units.

use std::collections::BTreeSet;
use std::fmt;

use super::{Cell, CellSet, Refused, UNITS, Unit, UnitId};
use crate::{Direction, Placement, Point};

/// One player's eight units.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fleet {
    units: [Unit; UNITS],
    /// The cells of all units together.
    occupied: CellSet,
}

/// Returns the placement of `unit` from its bow to its stern, as the original program asks for it.
/// A submarine's two cells are the same; it counts as horizontal.
///
/// # Errors
/// If the cells are not in one row or one column, if the stern is left of the bow or above it, or
/// if the unit has another length.
pub fn placed_between(unit: UnitId, bow: Cell, stern: Cell) -> Result<Placement, String> {
    let (direction, from, to) = if bow.row() == stern.row() {
        (Direction::Horizontal, bow.column(), stern.column())
    } else if bow.column() == stern.column() {
        (Direction::Vertical, bow.row(), stern.row())
    } else {
        return Err(format!(
            "{bow} to {stern} is neither horizontal nor vertical"
        ));
    };
    let length = match to.checked_sub(from) {
        Some(steps) => steps + 1,
        None => {
            return Err(format!(
                "the stern {stern} is left of the bow {bow} or above it"
            ));
        }
    };
    let size = unit.kind().size();
    if length != size {
        let s = if length == 1 { "" } else { "s" };
        return Err(format!(
            "{bow} to {stern} is {length} cell{s} long, and the unit is {size}"
        ));
    }
    let top_or_left = bow.into();
    Ok(Placement {
        top_or_left,
        direction,
    })
}

impl Fleet {
    /// Returns a whole fleet, its units placed in the order of [`UnitId::ALL`]. Units may touch.
    ///
    /// # Errors
    /// If there are fewer or more units, if one does not fit on the grid, or if two overlap: every
    /// fault at once, as the end of a sentence that begins with the player's name. Rows and columns
    /// are counted as in the protocol.
    ///
    /// ```
    /// use battleship::twist::Fleet;
    /// use battleship::{Direction, Placement, Point};
    ///
    /// let row = |row| Placement { top_or_left: Point::new(row, 0), direction: Direction::Horizontal };
    /// let mut placements: Vec<Placement> = (0..8).map(row).collect();
    /// assert!(Fleet::new(&placements).is_ok());
    /// placements[1].top_or_left = Point::new(0, 4);
    /// let faults = Fleet::new(&placements).unwrap_err();
    /// assert_eq!(faults, "placed battleship 1 over battleship 0 at (0,4)");
    /// ```
    pub fn new(placements: &[Placement]) -> Result<Fleet, String> {
        if placements.len() != UNITS {
            let given = placements.len();
            let s = if given == 1 { "" } else { "s" };
            return Err(format!("placed {given} unit{s} instead of {UNITS}"));
        }
        let mut faults = Vec::new();
        let mut units: Vec<Unit> = Vec::new();
        for (id, placement) in UnitId::ALL.into_iter().zip(placements) {
            let at = placement.top_or_left;
            // Units with faults of their own are left out of the comparison: their places are not
            // known.
            let Some(bow) = Cell::at(at) else {
                faults.push(format!("placed {id} outside the grid at {at}"));
                continue;
            };
            let Some(unit) = Unit::new(id, bow, placement.direction) else {
                faults.push(format!("placed {id} partly outside the grid from {at}"));
                continue;
            };
            // Each pair is compared once: a unit with those before it.
            for other in &units {
                if let Some(cell) = (other.cells() & unit.cells()).first() {
                    let other = other.id();
                    let cell = Point::from(cell);
                    faults.push(format!("placed {id} over {other} at {cell}"));
                }
            }
            units.push(unit);
        }
        if !faults.is_empty() {
            return Err(faults.join("; "));
        }
        let occupied = units.iter().map(Unit::cells).collect();
        let units = units
            .try_into()
            .expect("without a fault, each of the eight was placed");
        Ok(Fleet { units, occupied })
    }

    /// Returns the unit with this number.
    pub const fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    /// Returns all eight units in their order, the sunk ones too.
    pub const fn units(&self) -> &[Unit; UNITS] {
        &self.units
    }

    /// Returns the units that have not sunk, in their order.
    pub fn afloat(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|unit| !unit.is_sunk())
    }

    /// Returns the unit at `cell`, or `None` if there is none.
    pub fn unit_at(&self, cell: Cell) -> Option<UnitId> {
        // Most questions are about water: one test of a bit instead of eight units.
        if !self.occupied.contains(cell) {
            return None;
        }
        Some(
            self.units
                .iter()
                .find(|unit| unit.cells().contains(cell))?
                .id(),
        )
    }

    /// Returns the cells that units are on.
    pub const fn occupied(&self) -> CellSet {
        self.occupied
    }

    /// Returns the cells that damaged parts of units are on.
    pub fn damaged(&self) -> CellSet {
        self.units.iter().map(Unit::damaged).collect()
    }

    /// Returns whether no unit is left.
    pub fn is_lost(&self) -> bool {
        self.occupied.is_empty()
    }

    /// Returns the cells that `unit` could move its centre to, the one where it is included; none
    /// if it has sunk. Only support ships and submarines ever move.
    pub fn destinations(&self, unit: UnitId) -> CellSet {
        if self.unit(unit).is_sunk() {
            return CellSet::EMPTY;
        }
        Cell::all()
            .filter(|target| self.moved(unit, *target).is_ok())
            .collect()
    }

    /// Returns `unit`, which is afloat, as it is with its centre at `target`.
    ///
    /// # Errors
    /// If part of it would not be on the grid, or where another unit is.
    pub(super) fn moved(&self, unit: UnitId, target: Cell) -> Result<Unit, Refused> {
        let old = self.unit(unit);
        let moved = old.moved(target).ok_or(Refused::NoRoom(unit, target))?;
        // A unit may move onto cells that it covers itself now.
        let others = self.occupied - old.cells();
        if let Some(cell) = (moved.cells() & others).first() {
            let other = self.unit_at(cell).expect("an occupied cell has a unit");
            return Err(Refused::Occupied {
                unit,
                target,
                cell,
                other,
            });
        }
        Ok(moved)
    }

    /// Moves `unit`, which is afloat, so that its centre is at `target`.
    pub(super) fn move_to(&mut self, unit: UnitId, target: Cell) -> Result<(), Refused> {
        // All checks before the first change, so that a refused move leaves the fleet as it was.
        let moved = self.moved(unit, target)?;
        self.occupied = (self.occupied - self.unit(unit).cells()) | moved.cells();
        self.units[unit.index()] = moved;
        Ok(())
    }

    /// Damages what is at `cell`, and returns whether a unit was there. A part that was damaged
    /// already suffers no further harm.
    pub(super) fn strike(&mut self, cell: Cell) -> bool {
        let Some(id) = self.unit_at(cell) else {
            return false;
        };
        let unit = &mut self.units[id.index()];
        // Before the shot: a unit that sinks has no cells any more, and these have to leave the
        // grid with it.
        let cells = unit.cells();
        unit.strike(cell);
        if unit.is_sunk() {
            self.occupied -= cells;
        }
        true
    }

    /// Repairs the units near `support`: those with a cell in the 3x3 area around its centre;
    /// itself only if `self_repair`. Returns those that were damaged.
    pub(super) fn repair_around(&mut self, support: UnitId, self_repair: bool) -> BTreeSet<UnitId> {
        let area = CellSet::around(self.unit(support).centre(), 1);
        let mut repaired = BTreeSet::new();
        for unit in &mut self.units {
            // A sunk unit has no cells, so it is near nothing and stays sunk.
            let near = !(unit.cells() & area).is_empty() && (self_repair || unit.id() != support);
            if near && unit.repair() {
                repaired.insert(unit.id());
            }
        }
        repaired
    }

    /// Returns the character that the owner's grid shows at `cell`: the unit's letter, in lower
    /// case where it is damaged, or `~`.
    pub fn symbol(&self, cell: Cell) -> char {
        self.unit_at(cell)
            .map_or('~', |id| self.unit(id).symbol(cell))
    }
}

/// The drawing.
impl fmt::Debug for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let drawing = super::show_grid(|cell| self.symbol(cell));
        write!(f, "\n{drawing}")
    }
}
