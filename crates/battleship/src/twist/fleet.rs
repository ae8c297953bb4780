//! One player's eight units.

use std::fmt;

use super::{
    Cell, CellSet, Placement, PlacementFault, PlacementFaults, Refused, UNITS, Unit, UnitId,
    UnitSet,
};

/// The target of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Struck {
    /// The unit that was hit.
    pub unit: UnitId,
    /// Whether the shot sank it.
    pub sunk: bool,
}

/// One player's eight units.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fleet {
    units: [Unit; UNITS],
    /// The cells of all units together.
    occupied: CellSet,
}

impl Fleet {
    /// Returns a whole fleet, its units placed in the order of [`UnitId::ALL`]. Units may touch.
    ///
    /// # Errors
    /// If a unit is missing or there are too many, if one does not fit on the grid, or if two overlap: every fault
    /// at once.
    pub fn new(placements: &[Placement]) -> Result<Fleet, PlacementFaults> {
        Fleet::checked(placements.iter().map(|placement| Ok(*placement)).collect())
    }

    /// Returns a whole fleet from the bow and the stern of each unit, in the order of [`UnitId::ALL`].
    ///
    /// # Errors
    /// As [`Fleet::new`] and [`Placement::from_ends`]: every fault at once.
    pub fn from_ends(ends: &[(Cell, Cell)]) -> Result<Fleet, PlacementFaults> {
        let placements = UnitId::ALL
            .into_iter()
            .zip(ends)
            .map(|(unit, (bow, stern))| Placement::from_ends(unit, *bow, *stern));
        let mut placements: Vec<Result<Placement, PlacementFault>> = placements.collect();
        if ends.len() > UNITS {
            placements.push(Err(PlacementFault::TooMany(ends.len())));
        }
        Fleet::checked(placements)
    }

    fn checked(
        placements: Vec<Result<Placement, PlacementFault>>,
    ) -> Result<Fleet, PlacementFaults> {
        let mut faults = Vec::new();
        let mut units: Vec<Unit> = Vec::new();
        let given = placements.len();
        let mut placements = placements.into_iter();
        for (unit, placement) in UnitId::ALL
            .into_iter()
            .map(|unit| (unit, placements.next()))
        {
            let placed = placement
                .unwrap_or(Err(PlacementFault::Missing(unit)))
                .and_then(|placement| {
                    let off_grid = PlacementFault::OffGrid {
                        unit,
                        bow: placement.bow,
                    };
                    Unit::new(unit, placement).ok_or(off_grid)
                });
            // Units with faults of their own are left out of the comparison: their places are not known.
            match placed {
                Ok(placed) => {
                    // Each pair is compared once: a unit with those before it.
                    faults.extend(units.iter().filter_map(|other| {
                        let cell = (other.cells() & placed.cells()).first()?;
                        Some(PlacementFault::Overlaps {
                            unit,
                            other: other.id(),
                            cell,
                        })
                    }));
                    units.push(placed);
                }
                Err(fault) => faults.push(fault),
            }
        }
        // The next one after eight units is one too many, or the fault of the caller.
        match placements.next() {
            Some(Ok(_)) => faults.push(PlacementFault::TooMany(given)),
            Some(Err(fault)) => faults.push(fault),
            None => {}
        }
        if !faults.is_empty() {
            return Err(PlacementFaults(faults));
        }
        let occupied = units
            .iter()
            .fold(CellSet::EMPTY, |cells, unit| cells | unit.cells());
        let units = units
            .try_into()
            .expect("without a fault, each of the eight was placed");
        Ok(Fleet { units, occupied })
    }

    /// Returns the unit with this number.
    #[must_use]
    pub const fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    /// Returns all eight units in their order, the sunk ones too.
    #[must_use]
    pub const fn units(&self) -> &[Unit; UNITS] {
        &self.units
    }

    /// Returns the units that have not sunk, in their order.
    pub fn afloat(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|unit| !unit.is_sunk())
    }

    /// Returns the unit at `cell`, or `None` if there is none.
    #[must_use]
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
    #[must_use]
    pub const fn occupied(&self) -> CellSet {
        self.occupied
    }

    /// Returns the cells that damaged parts of units are on.
    #[must_use]
    pub fn damaged(&self) -> CellSet {
        self.units
            .iter()
            .fold(CellSet::EMPTY, |cells, unit| cells | unit.damaged())
    }

    /// Returns whether no unit is left.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.occupied.is_empty()
    }

    /// Returns the unit that an order from `origin` is for: the one that has its centre there, or any cell if
    /// `any_origin`.
    ///
    /// # Errors
    /// If no unit is there, or only another part of one.
    pub fn ordered(&self, origin: Cell, any_origin: bool) -> Result<UnitId, Refused> {
        let unit = self.unit_at(origin).ok_or(Refused::NoUnit(origin))?;
        let centre = self.unit(unit).centre();
        if centre != origin && !any_origin {
            return Err(Refused::NotCentre {
                unit,
                origin,
                centre,
            });
        }
        Ok(unit)
    }

    /// Returns the cells that `unit` could move its centre to, the one where it is included; none if it has sunk. Only
    /// support ships and submarines ever move.
    #[must_use]
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
        let moved = old.moved(target).ok_or(Refused::OffGrid { unit, target })?;
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

    /// Damages what is at `cell`. A part that was damaged already is struck without further harm.
    pub(super) fn strike(&mut self, cell: Cell) -> Option<Struck> {
        let id = self.unit_at(cell)?;
        let unit = &mut self.units[id.index()];
        // Before the shot: a unit that sinks has no cells any more, and these have to leave the grid with it.
        let cells = unit.cells();
        unit.strike(cell);
        if unit.is_sunk() {
            self.occupied -= cells;
        }
        Some(Struck {
            unit: id,
            sunk: unit.is_sunk(),
        })
    }

    /// Repairs the units near `support`: those with a cell in the 3x3 area around its centre; itself only if
    /// `self_repair`. Returns those that were damaged.
    pub(super) fn repair_around(&mut self, support: UnitId, self_repair: bool) -> UnitSet {
        let area = CellSet::around(self.unit(support).centre(), 1);
        let mut repaired = UnitSet::EMPTY;
        for unit in &mut self.units {
            // A sunk unit has no cells, so it is near nothing and stays sunk.
            let near = !(unit.cells() & area).is_empty() && (self_repair || unit.id() != support);
            if near && unit.repair() {
                repaired.insert(unit.id());
            }
        }
        repaired
    }

    /// Returns the character that the owner's grid shows at `cell`: the unit's letter, in lower case where it is
    /// damaged, or `~`.
    #[must_use]
    pub fn symbol(&self, cell: Cell) -> char {
        self.unit_at(cell)
            .map_or('~', |id| self.unit(id).symbol(cell))
    }
}

/// The drawing.
impl fmt::Debug for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::show::draw(f, |cell| self.symbol(cell))
    }
}
