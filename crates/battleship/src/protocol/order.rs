//! The lines that only the twist game has.

use std::fmt;
use std::str::FromStr;

use crate::Point;
use crate::twist::{self, Cell, CellSet, Effect, UnitId, UnitSet};
use wire::line::{MalformedLine, Words};

/// An order of a player of the twist game to one of its units: the unit on `origin` acts on `target`. Both may be any two
/// numbers, on the grid or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// The central cell of the unit.
    pub origin: Point,
    /// The cell that it fires at, or to which its central cell moves.
    pub target: Point,
}

/// The result of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderResult {
    /// `miss`: the shot fell into the water.
    Miss,
    /// `hit`: a unit was hit.
    Hit,
    /// `repaired ID ...`: a support ship moved, and these units of the player's were in its reach and are whole.
    Repaired(Vec<usize>),
    /// `found ROW COL MARK ...`: a submarine moved, and there are enemy units on these cells.
    Found(Vec<(Point, Sighting)>),
    /// `refused WHY`: the order was not carried out, and the turn is lost.
    Refused(String),
}

/// The state of an enemy unit's cell, as sonar sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sighting {
    /// `y`: it is whole.
    Whole,
    /// `x`: it has been hit.
    Damaged,
}

impl Sighting {
    const fn word(self) -> &'static str {
        match self {
            Sighting::Whole => "y",
            Sighting::Damaged => "x",
        }
    }
}

/// The cell of the grid that a point is, if it is one.
#[must_use]
pub fn cell_at(point: Point) -> Option<Cell> {
    Cell::new(u8::try_from(point.row).ok()?, u8::try_from(point.col).ok()?)
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point::new(cell.row().into(), cell.column().into())
    }
}

impl From<twist::Order> for Order {
    fn from(order: twist::Order) -> Order {
        Order {
            origin: order.origin.into(),
            target: order.target.into(),
        }
    }
}

impl From<Effect> for OrderResult {
    fn from(effect: Effect) -> OrderResult {
        match effect {
            Effect::Fired { hit: true } => OrderResult::Hit,
            Effect::Fired { hit: false } => OrderResult::Miss,
            Effect::Repaired { units } => {
                OrderResult::Repaired(units.iter().map(UnitId::index).collect())
            }
            Effect::Searched { undamaged, damaged } => {
                let sighting = |cell: Cell| {
                    let seen = if damaged.contains(cell) {
                        Sighting::Damaged
                    } else {
                        Sighting::Whole
                    };
                    (cell.into(), seen)
                };
                OrderResult::Found((undamaged | damaged).iter().map(sighting).collect())
            }
        }
    }
}

impl OrderResult {
    /// Whether the unit fired, so that the opponent learns where.
    #[must_use]
    pub const fn is_of_shot(&self) -> bool {
        match self {
            OrderResult::Miss | OrderResult::Hit => true,
            OrderResult::Repaired(_) | OrderResult::Found(_) | OrderResult::Refused(_) => false,
        }
    }

    /// Returns what the order did in terms of the rules, or `None` if it was refused or names units or cells that do
    /// not exist.
    #[must_use]
    pub fn effect(&self) -> Option<Effect> {
        match self {
            OrderResult::Hit => Some(Effect::Fired { hit: true }),
            OrderResult::Miss => Some(Effect::Fired { hit: false }),
            OrderResult::Repaired(ids) => {
                let mut units = UnitSet::EMPTY;
                for id in ids {
                    units.insert(UnitId::new(u8::try_from(*id).ok()?)?);
                }
                Some(Effect::Repaired { units })
            }
            OrderResult::Found(sightings) => {
                let cells = |wanted| -> Option<CellSet> {
                    let seen = sightings.iter().filter(|(_, sighting)| *sighting == wanted);
                    seen.map(|(at, _)| cell_at(*at)).collect()
                };
                let (undamaged, damaged) = (cells(Sighting::Whole)?, cells(Sighting::Damaged)?);
                Some(Effect::Searched { undamaged, damaged })
            }
            OrderResult::Refused(_) => None,
        }
    }
}

impl Order {
    /// Returns the order in terms of the rules, or `None` if a number is outside the grid.
    #[must_use]
    pub fn on_grid(&self) -> Option<twist::Order> {
        Some(twist::Order {
            origin: cell_at(self.origin)?,
            target: cell_at(self.target)?,
        })
    }

    pub(super) fn parse(words: &mut Words<'_>) -> Result<Order, MalformedLine> {
        let origin = Point::new(words.number()?, words.number()?);
        Ok(Order {
            origin,
            target: Point::new(words.number()?, words.number()?),
        })
    }
}

impl OrderResult {
    pub(super) fn parse(words: &mut Words<'_>) -> Result<OrderResult, MalformedLine> {
        Ok(match words.word()? {
            "miss" => OrderResult::Miss,
            "hit" => OrderResult::Hit,
            "repaired" => {
                let mut units = Vec::new();
                while !words.at_end() {
                    units.push(words.number()?);
                }
                OrderResult::Repaired(units)
            }
            "found" => {
                let mut sightings = Vec::new();
                while !words.at_end() {
                    let at = Point::new(words.number()?, words.number()?);
                    let sighting = match words.word()? {
                        "y" => Sighting::Whole,
                        "x" => Sighting::Damaged,
                        other => return Err(MalformedLine::Word(other.to_owned())),
                    };
                    sightings.push((at, sighting));
                }
                OrderResult::Found(sightings)
            }
            "refused" => OrderResult::Refused(words.text()?.to_owned()),
            other => return Err(MalformedLine::Word(other.to_owned())),
        })
    }
}

/// Reads the words of a `result` line that follow the order.
///
/// ```
/// # use battleship::protocol::OrderResult;
/// assert_eq!("repaired 0 4".parse(), Ok(OrderResult::Repaired(vec![0, 4])));
/// assert!("sunk 4".parse::<OrderResult>().is_err());
/// ```
impl FromStr for OrderResult {
    type Err = MalformedLine;

    fn from_str(text: &str) -> Result<OrderResult, MalformedLine> {
        let mut words = Words::all_of(text.as_bytes())?;
        let result = OrderResult::parse(&mut words)?;
        words.end()?;
        Ok(result)
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

/// As lines have it.
impl fmt::Display for OrderResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderResult::Miss => f.write_str("miss"),
            OrderResult::Hit => f.write_str("hit"),
            OrderResult::Repaired(units) => {
                f.write_str("repaired")?;
                units.iter().try_for_each(|unit| write!(f, " {unit}"))
            }
            OrderResult::Found(sightings) => {
                f.write_str("found")?;
                sightings.iter().try_for_each(|(at, sighting)| {
                    write!(f, " {} {} {}", at.row, at.col, sighting.word())
                })
            }
            OrderResult::Refused(why) => write!(f, "refused {why}"),
        }
    }
}
