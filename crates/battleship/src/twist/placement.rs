//! The place of a unit, and the faults of the placement of a fleet.

use std::fmt;

use thiserror::Error;

use super::{Cell, UnitId};
use crate::Direction;

/// The place of a unit: its bow, and its direction from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The leftmost cell of a horizontal unit, the topmost of a vertical one.
    pub bow: Cell,
    /// The direction from the bow to the stern. It makes no difference to a submarine.
    pub direction: Direction,
}

impl Placement {
    /// Returns the placement of `unit` from its bow to its stern, as the original program asks for it. A submarine's
    /// two cells are the same; it counts as horizontal.
    ///
    /// # Errors
    /// If the cells are not in one row or one column, if the stern is left of the bow or above it, or if the
    /// unit has another length.
    ///
    /// ```
    /// # use battleship::twist::{Placement, UnitId};
    /// # use battleship::Direction;
    /// let support_ship = UnitId::ALL[3];
    /// let placement = Placement::from_ends(support_ship, "B2".parse()?, "D2".parse()?)?;
    /// assert_eq!(placement.direction, Direction::Vertical);
    /// assert!(Placement::from_ends(support_ship, "B2".parse()?, "E2".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_ends(unit: UnitId, bow: Cell, stern: Cell) -> Result<Placement, PlacementFault> {
        let (direction, from, to) = if bow.row() == stern.row() {
            (Direction::Horizontal, bow.column(), stern.column())
        } else if bow.column() == stern.column() {
            (Direction::Vertical, bow.row(), stern.row())
        } else {
            return Err(PlacementFault::Crooked { unit, bow, stern });
        };
        let steps = to
            .checked_sub(from)
            .ok_or(PlacementFault::Backwards { unit, bow, stern })?;
        if steps + 1 != unit.kind().size() {
            return Err(PlacementFault::Length {
                unit,
                bow,
                stern,
                length: steps + 1,
            });
        }
        Ok(Placement { bow, direction })
    }
}

/// One thing that is wrong with the placement of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(
    missing_docs,
    reason = "the messages say what each case and each of its cells is"
)]
pub enum PlacementFault {
    #[error("{0} is not placed")]
    Missing(UnitId),
    #[error("there are {0} placements, and a fleet has 8 units")]
    TooMany(usize),
    #[error("{unit}: {bow} to {stern} is neither horizontal nor vertical")]
    Crooked {
        unit: UnitId,
        bow: Cell,
        stern: Cell,
    },
    #[error("{unit}: the stern {stern} is left of the bow {bow} or above it")]
    Backwards {
        unit: UnitId,
        bow: Cell,
        stern: Cell,
    },
    #[error(
        "{unit}: {bow} to {stern} is {length} {} long, and the unit is {}",
        if *length == 1 { "cell" } else { "cells" }, unit.kind().size()
    )]
    Length {
        unit: UnitId,
        bow: Cell,
        stern: Cell,
        length: u8,
    },
    #[error("{unit}: from {bow} it does not fit on the grid")]
    OffGrid { unit: UnitId, bow: Cell },
    /// The first cell that the two share.
    #[error("{unit}: {other} is at {cell}")]
    Overlaps {
        unit: UnitId,
        other: UnitId,
        cell: Cell,
    },
}

/// Everything that is wrong with the placement of a fleet: at least one fault, in the order of the units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementFaults(pub(super) Vec<PlacementFault>);

impl PlacementFaults {
    /// Returns the faults. There is at least one.
    #[must_use]
    pub fn faults(&self) -> &[PlacementFault] {
        &self.0
    }
}

/// All faults, separated by semicolons.
impl fmt::Display for PlacementFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if number == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for PlacementFaults {}
