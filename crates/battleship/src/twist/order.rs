//! What a player of the twist game may type, and why the rules refuse an order.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Cell, MalformedCell, TwistMark, UnitId};
use crate::protocol::Order;
use crate::{Labels, Point};

/// The reason why a text is not an order, or not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MalformedOrder {
    /// It is not two words with one space between them.
    #[error("an order is two cells with one space between them")]
    Words,
    /// The first word is not a cell.
    #[error("the origin: {0}")]
    Origin(MalformedCell),
    /// The second word is not a cell.
    #[error("the target: {0}")]
    Target(MalformedCell),
}

/// Reads two cells as people type them and the original program writes them: `C3 N12`.
///
/// # Errors
/// If `text` is not two cells with one space between them.
pub fn two_cells(text: &str) -> Result<(Cell, Cell), MalformedOrder> {
    let (origin, target) = text.split_once(' ').ok_or(MalformedOrder::Words)?;
    if origin.is_empty() || target.is_empty() || target.contains(' ') {
        return Err(MalformedOrder::Words);
    }
    Ok((
        origin.parse().map_err(MalformedOrder::Origin)?,
        target.parse().map_err(MalformedOrder::Target)?,
    ))
}

/// The commands that a player at a terminal may type. Only an order uses the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// A turn.
    Order(Order),
    /// Take all marks of one kind off the attack grid, or all marks.
    Clear(Option<TwistMark>),
    /// `XX XX`: show both grids.
    Show,
    /// `SS SS`: show the commands.
    Help,
}

/// Reads a special command, in either case, or an order.
///
/// ```
/// # use battleship::twist::{Command, TwistMark};
/// assert_eq!("aa AA".parse(), Ok(Command::Clear(Some(TwistMark::Sonar))));
/// assert!(matches!("A1 A2".parse(), Ok(Command::Order(_))));
/// ```
impl FromStr for Command {
    type Err = MalformedOrder;

    fn from_str(text: &str) -> Result<Command, MalformedOrder> {
        // The commands first: their words, as `AA AA`, are not cells, since a column is a number.
        match &*text.to_ascii_uppercase() {
            "AA AA" => Ok(Command::Clear(Some(TwistMark::Sonar))),
            "BB BB" => Ok(Command::Clear(Some(TwistMark::Hit))),
            "CC CC" => Ok(Command::Clear(Some(TwistMark::Miss))),
            "DD DD" => Ok(Command::Clear(None)),
            "XX XX" => Ok(Command::Show),
            "SS SS" => Ok(Command::Help),
            _ => two_cells(text).map(|(origin, target)| Command::Order(Order::new(origin, target))),
        }
    }
}

/// The reason why an order cannot be carried out. The game is then unchanged, and it is still the
/// same player's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// One of the players has no unit left.
    Over,
    /// The order names a cell that is not on the grid.
    NotOnGrid(Order),
    /// The player has no unit at the origin.
    NoUnit(Cell),
    /// The unit at the origin has another central cell, which is named here.
    NotCentre(UnitId, Cell),
    /// With its centre on this cell, part of the unit would not be on the grid.
    NoRoom(UnitId, Cell),
    /// Another unit of the player is in the way.
    Occupied {
        /// The unit that was to move.
        unit: UnitId,
        /// The cell that its centre was to move to.
        target: Cell,
        /// The first cell that is not free.
        cell: Cell,
        /// The unit that is there.
        other: UnitId,
    },
}

impl Refused {
    /// Returns the reason with rows, columns and units by their numbers, as the protocol has it.
    pub fn in_numbers(self) -> String {
        self.with(|unit| format!("unit {}", unit.index()), |at| at.to_string())
    }

    fn with(self, name: impl Fn(UnitId) -> String, place: impl Fn(Point) -> String) -> String {
        let at = |cell: Cell| place(cell.into());
        match self {
            Refused::Over => "the game is over".to_owned(),
            Refused::NotOnGrid(Order { origin, target }) => {
                format!(
                    "{} and {} are not both on the grid",
                    place(origin),
                    place(target)
                )
            }
            Refused::NoUnit(cell) => format!("there is no unit at {}", at(cell)),
            Refused::NotCentre(unit, centre) => {
                format!("{} is ordered by its centre, {}", name(unit), at(centre))
            }
            Refused::NoRoom(unit, target) => {
                format!("{} does not fit on the grid at {}", name(unit), at(target))
            }
            Refused::Occupied {
                unit,
                target,
                cell,
                other,
            } => format!(
                "{} cannot move to {}: {} is at {}",
                name(unit),
                at(target),
                name(other),
                at(cell)
            ),
        }
    }
}

/// As people read it: cells as `C3`, units as `support ship 3`.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(|unit| unit.to_string(), |at| Labels::Italian.cell(at)))
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_two_cells() {
        for text in [
            "", "A1", "A1 ", " A1", "A1  A2", "A1 A2 ", "A1 A2 A3", "A1\tA2",
        ] {
            assert_eq!(two_cells(text), Err(MalformedOrder::Words), "{text:?}");
        }
        let column = MalformedCell::Column("A".into());
        assert_eq!(two_cells("AA AA"), Err(MalformedOrder::Origin(column)));
        let row = MalformedCell::Row('K');
        assert_eq!(two_cells("A1 K1"), Err(MalformedOrder::Target(row)));
    }

    #[test]
    fn commands_are_read_in_either_case() {
        for (text, command) in [
            ("AA AA", Command::Clear(Some(TwistMark::Sonar))),
            ("bb bb", Command::Clear(Some(TwistMark::Hit))),
            ("CC cc", Command::Clear(Some(TwistMark::Miss))),
            ("DD DD", Command::Clear(None)),
            ("XX XX", Command::Show),
            ("ss ss", Command::Help),
        ] {
            assert_eq!(text.parse(), Ok(command));
        }
        assert!("AA BB".parse::<Command>().is_err());
    }
}
