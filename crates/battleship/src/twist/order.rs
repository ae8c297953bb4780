//! The orders that a player may give or type, and the reasons for which the rules refuse them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Cell, Clear, MalformedCell, UnitId};

/// An order of a player in its turn: the unit at `origin` acts on `target`. A battleship fires there; another unit moves so
/// that its centre is there.
///
/// ```
/// # use battleship::twist::Order;
/// let order: Order = "c3 N12".parse()?;
/// assert_eq!(order.to_string(), "C3 N12");
/// # Ok::<(), battleship::twist::MalformedOrder>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// The central cell of the unit that acts.
    pub origin: Cell,
    /// The cell that it fires at or moves to.
    pub target: Cell,
}

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

/// Reads two cells with one space between them.
impl FromStr for Order {
    type Err = MalformedOrder;

    fn from_str(text: &str) -> Result<Order, MalformedOrder> {
        // Exactly one space, as the original program writes it.
        let (origin, target) = text.split_once(' ').ok_or(MalformedOrder::Words)?;
        if origin.is_empty() || target.is_empty() || target.contains(' ') {
            return Err(MalformedOrder::Words);
        }
        Ok(Order {
            origin: origin.parse().map_err(MalformedOrder::Origin)?,
            target: target.parse().map_err(MalformedOrder::Target)?,
        })
    }
}

/// As the original program writes it: `C3 N12`.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.origin, self.target)
    }
}

/// The commands that a player at a terminal may type. Only an order uses the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// A turn.
    Order(Order),
    /// Take marks off the attack grid.
    Clear(Clear),
    /// `XX XX`: show both grids.
    Show,
    /// `SS SS`: show the commands.
    Help,
}

/// Reads a special command, in either case, or an order.
///
/// ```
/// # use battleship::twist::{Clear, Command};
/// assert_eq!("aa AA".parse(), Ok(Command::Clear(Clear::Sonar)));
/// assert!(matches!("A1 A2".parse(), Ok(Command::Order(_))));
/// ```
impl FromStr for Command {
    type Err = MalformedOrder;

    fn from_str(text: &str) -> Result<Command, MalformedOrder> {
        if let Some(clear) =
            // The commands first: their words, as `AA AA`, are not cells, since a column is a number.
            Clear::ALL
                .into_iter()
                .find(|it| it.command().eq_ignore_ascii_case(text))
        {
            Ok(Command::Clear(clear))
        } else if text.eq_ignore_ascii_case("XX XX") {
            Ok(Command::Show)
        } else if text.eq_ignore_ascii_case("SS SS") {
            Ok(Command::Help)
        } else {
            text.parse().map(Command::Order)
        }
    }
}

/// The reason why an order that is well-formed cannot be carried out. The game is then unchanged, and it is still the same
/// player's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// One of the players has no unit left.
    #[error("the game is over")]
    Over,
    /// It is the other player's turn.
    #[error("it is not this player's turn")]
    NotYourTurn,
    /// The player has no unit at the origin.
    #[error("there is no unit at {0}")]
    NoUnit(Cell),
    /// The unit at the origin has another central cell.
    #[error("{unit} is ordered by its centre, {centre}, not by {origin}")]
    NotCentre {
        /// The unit at the origin.
        unit: UnitId,
        /// The origin that was named.
        origin: Cell,
        /// The unit's central cell.
        centre: Cell,
    },
    /// With its centre on the target, part of the unit would not be on the grid.
    #[error("{unit} does not fit on the grid at {target}")]
    OffGrid {
        /// The unit that was to move.
        unit: UnitId,
        /// The cell that its centre was to move to.
        target: Cell,
    },
    /// Another unit of the player is in the way.
    #[error("{unit} cannot move to {target}: {other} is at {cell}")]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_two_cells() {
        for text in [
            "", "A1", "A1 ", " A1", "A1  A2", "A1 A2 ", "A1 A2 A3", "A1\tA2",
        ] {
            assert_eq!(
                text.parse::<Order>(),
                Err(MalformedOrder::Words),
                "{text:?}"
            );
        }
        assert_eq!(
            "AA AA".parse::<Order>(),
            Err(MalformedOrder::Origin(MalformedCell::Column("A".into())))
        );
        assert_eq!(
            "A1 K1".parse::<Order>(),
            Err(MalformedOrder::Target(MalformedCell::Row('K')))
        );
    }

    #[test]
    fn the_special_commands_are_understood_in_either_case() {
        for (text, command) in [
            ("AA AA", Command::Clear(Clear::Sonar)),
            ("bb bb", Command::Clear(Clear::Hits)),
            ("CC cc", Command::Clear(Clear::Misses)),
            ("DD DD", Command::Clear(Clear::All)),
            ("XX XX", Command::Show),
            ("ss ss", Command::Help),
        ] {
            assert_eq!(text.parse(), Ok(command));
        }
        assert!("AA BB".parse::<Command>().is_err());
    }
}
