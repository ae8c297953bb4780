//! The lines of the twist game that the classic game has not.

use std::fmt;

use super::words::{MalformedLine, Words};
use crate::Point;

/// What a player of the twist game has one of its units do: the unit on `origin` acts on `target`. Both may be any
/// two numbers, on the grid or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// The central cell of the unit.
    pub origin: Point,
    /// Where it fires, or where its central cell moves to.
    pub target: Point,
}

/// What became of an order.
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
    /// `refused WHY`: nothing, and the turn is lost.
    Refused(String),
}

/// What sonar sees of an enemy unit's cell.
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

impl Order {
    pub(super) fn parse(words: &mut Words<'_>) -> Result<Order, MalformedLine> {
        let origin = Point::new(words.number()?, words.number()?);
        Ok(Order { origin, target: Point::new(words.number()?, words.number()?) })
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

/// As lines have it: four numbers.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Order { origin, target } = self;
        write!(f, "{} {} {} {}", origin.row, origin.col, target.row, target.col)
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
