//! The kinds and the numbers of units.

use std::fmt;

/// The number of units in a fleet.
pub const UNITS: usize = 8;

/// The three kinds of units. Each has one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// Fires at any cell.
    Battleship,
    /// Moves, then repairs the units around it.
    Support,
    /// Moves, then looks for enemies around it.
    Submarine,
}

impl UnitKind {
    /// The three kinds, in the order of the fleet.
    pub const ALL: [UnitKind; 3] = [UnitKind::Battleship, UnitKind::Support, UnitKind::Submarine];

    /// Returns the number of cells that the unit covers, which is also its armor when it is
    /// undamaged.
    pub const fn size(self) -> u8 {
        match self {
            UnitKind::Battleship => 5,
            UnitKind::Support => 3,
            UnitKind::Submarine => 1,
        }
    }

    /// Returns the letter that an undamaged cell of the unit shows on its owner's grid; a damaged
    /// one shows it in lower case.
    pub const fn letter(self) -> char {
        match self {
            UnitKind::Battleship => 'C',
            UnitKind::Support => 'S',
            UnitKind::Submarine => 'E',
        }
    }

    /// Returns the name in the protocol and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            UnitKind::Battleship => "battleship",
            UnitKind::Support => "support ship",
            UnitKind::Submarine => "exploration submarine",
        }
    }
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnitKind::Battleship => "battleship",
            UnitKind::Support => "support ship",
            UnitKind::Submarine => "submarine",
        })
    }
}

/// A unit's number in its fleet: 0, 1 and 2 are the battleships, 3, 4 and 5 the support ships, 6
/// and 7 the submarines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(u8);

impl UnitId {
    /// All eight, in the order of the fleet, which is also the order of placing.
    pub const ALL: [UnitId; UNITS] = {
        let mut all = [UnitId(0); UNITS];
        let mut id = 0;
        while id < 8 {
            all[id as usize] = UnitId(id);
            id += 1;
        }
        all
    };

    /// Returns the unit with this number, if there is one.
    pub const fn new(number: u8) -> Option<UnitId> {
        if number < 8 {
            Some(UnitId(number))
        } else {
            None
        }
    }

    /// Returns the number, 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the kind of unit it is.
    pub const fn kind(self) -> UnitKind {
        match self.0 {
            0..=2 => UnitKind::Battleship,
            3..=5 => UnitKind::Support,
            _ => UnitKind::Submarine,
        }
    }
}

/// The kind and the number: `support ship 3`.
impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fleet_has_its_units_in_order() {
        let letters: String = UnitId::ALL
            .map(|unit| unit.kind().letter())
            .iter()
            .collect();
        assert_eq!(letters, "CCCSSSEE");
        assert_eq!(
            (UnitId::new(7), UnitId::new(8)),
            (Some(UnitId::ALL[7]), None)
        );
    }
}
