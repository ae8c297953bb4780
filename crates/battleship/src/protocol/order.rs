//! An order of the twist game and its result: the lines that only this game has.

use std::collections::BTreeSet;
use std::fmt;

use crate::twist::{Cell, CellSet, UnitId};
use crate::{Labels, Point};
use wire::line::{MalformedLine, Words};

/// An order of a player of the twist game to one of its units: the unit on `origin` acts on
/// `target`. Both may be any two numbers, on the grid or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// The central cell of the unit.
    pub origin: Point,
    /// The cell that it fires at, or to which its central cell moves.
    pub target: Point,
}

/// The result of an order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OrderResult {
    /// `miss`: the shot fell into the water.
    Miss,
    /// `hit`: a unit was hit. Not which, nor whether it sank, nor whether that part was damaged
    /// before.
    Hit,
    /// `repaired ID ...`: a support ship moved; these units of the player's were damaged, and are
    /// whole.
    Repaired(BTreeSet<UnitId>),
    /// `found ROW COL MARK ...`: a submarine moved, and there are enemy units on these cells.
    Found {
        /// The cells of undamaged parts: `y`.
        whole: CellSet,
        /// The cells of damaged parts: `x`.
        damaged: CellSet,
    },
    /// `refused WHY`: the order was not carried out, and the turn is lost.
    Refused(String),
}

impl Order {
    /// Returns the order to the unit on `origin` to act on `target`.
    pub fn new(origin: impl Into<Point>, target: impl Into<Point>) -> Order {
        Order {
            origin: origin.into(),
            target: target.into(),
        }
    }

    /// Returns both cells as people write them, `C3 N12`.
    pub fn in_letters(self) -> String {
        let name = |at| Labels::Italian.cell(at);
        format!("{} {}", name(self.origin), name(self.target))
    }

    /// Returns both cells, or `None` if one of them is not on the grid.
    pub fn on_grid(self) -> Option<(Cell, Cell)> {
        Some((Cell::at(self.origin)?, Cell::at(self.target)?))
    }

    pub(super) fn parse(words: &mut Words<'_>) -> Result<Order, MalformedLine> {
        let origin = Point::parse(words)?;
        Ok(Order::new(origin, Point::parse(words)?))
    }
}

impl OrderResult {
    /// Returns whether the unit fired, so that the opponent learns the target.
    pub const fn is_of_shot(&self) -> bool {
        matches!(self, OrderResult::Miss | OrderResult::Hit)
    }

    pub(crate) fn parse(words: &mut Words<'_>) -> Result<OrderResult, MalformedLine> {
        Ok(match words.word()? {
            "miss" => OrderResult::Miss,
            "hit" => OrderResult::Hit,
            "repaired" => {
                let mut units = BTreeSet::new();
                while !words.at_end() {
                    let number: u8 = words.number()?;
                    let unit = UnitId::new(number);
                    units.insert(unit.ok_or_else(|| MalformedLine::Word(number.to_string()))?);
                }
                OrderResult::Repaired(units)
            }
            "found" => {
                let mut whole = CellSet::EMPTY;
                let mut damaged = CellSet::EMPTY;
                while !words.at_end() {
                    let at = Point::parse(words)?;
                    // Neither one outside nor one twice: that would be whole and damaged.
                    let cell = Cell::at(at)
                        .filter(|cell| !(whole | damaged).contains(*cell))
                        .ok_or_else(|| MalformedLine::Word(format!("{} {}", at.row, at.col)))?;
                    match words.word()? {
                        "y" => whole.insert(cell),
                        "x" => damaged.insert(cell),
                        other => return Err(MalformedLine::Word(other.to_owned())),
                    }
                }
                OrderResult::Found { whole, damaged }
            }
            "refused" => OrderResult::Refused(words.text()?.to_owned()),
            other => return Err(MalformedLine::Word(other.to_owned())),
        })
    }
}

/// As lines have it: four numbers.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Order { origin, target } = self;
        write!(
            f,
            "{} {} {} {}",
            origin.row, origin.col, target.row, target.col
        )
    }
}

/// As lines have it; cells that were found come row by row.
impl fmt::Display for OrderResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderResult::Miss => f.write_str("miss"),
            OrderResult::Hit => f.write_str("hit"),
            OrderResult::Repaired(units) => {
                f.write_str("repaired")?;
                units
                    .iter()
                    .try_for_each(|unit| write!(f, " {}", unit.index()))
            }
            OrderResult::Found { whole, damaged } => {
                f.write_str("found")?;
                (*whole | *damaged).iter().try_for_each(|cell| {
                    let mark = if damaged.contains(cell) { 'x' } else { 'y' };
                    write!(f, " {} {} {mark}", cell.row(), cell.column())
                })
            }
            OrderResult::Refused(why) => write!(f, "refused {why}"),
        }
    }
}
