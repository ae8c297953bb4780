//! What happened in a turn, as the parts of a sentence: whoever shows it names players, cells and ships, and takes no sentence
//! apart.

use std::borrow::Cow;

use crate::protocol::{Order, OrderResult};
use crate::scene::Eyes;
use crate::{AttackResult, BySide, Point, Rules, ShipId, Side, Turn};

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// These words.
    Text(Cow<'static, str>),
    /// The name of this player, or "You" for the player itself.
    Player(Side),
    /// That this player's is what follows: "Ada's", or "your".
    Possessive(Side),
    /// The name of a cell.
    Cell(Point),
    /// The name of a ship.
    Ship(ShipId),
}

impl From<&'static str> for Part {
    fn from(words: &'static str) -> Part {
        Part::Text(words.into())
    }
}

impl From<String> for Part {
    fn from(words: String) -> Part {
        Part::Text(words.into())
    }
}

impl Turn {
    /// Returns what happened in the turn of `mover`, as a sentence, as far as `eyes` may see it.
    pub fn sentence(&self, mover: Side, eyes: Eyes) -> Vec<Part> {
        let mut parts = vec![Part::Player(mover)];
        match self {
            Turn::Attack { at, result } => {
                match result {
                    AttackResult::Miss => parts.push(" missed at ".into()),
                    AttackResult::Hit => parts.push(" hit something at ".into()),
                    AttackResult::Wasted => parts.push(" wasted a shot at ".into()),
                    AttackResult::Sunk(ship) => {
                        let whose = Part::Possessive(mover.other());
                        let sunk = [whose, " ".into(), Part::Ship(*ship), " at ".into()];
                        parts.push(" sank ".into());
                        parts.extend(sunk);
                    }
                }
                parts.extend([Part::Cell(*at), ".".into()]);
            }
            Turn::Order { order, result } => {
                add_order(&mut parts, *order, result, eyes.see(mover));
            }
        }
        parts
    }
}

fn add_order(parts: &mut Vec<Part>, order: Order, result: &OrderResult, openly: bool) {
    let (from, to) = (Part::Cell(order.origin), Part::Cell(order.target));
    let (moved, what) = match result {
        OrderResult::Hit | OrderResult::Miss => {
            let end = if *result == OrderResult::Hit {
                ": a hit."
            } else {
                ": a miss."
            };
            parts.push(" fired".into());
            if openly {
                parts.extend([" from ".into(), from]);
            }
            parts.extend([" at ".into(), to, end.into()]);
            return;
        }
        // A player does not get to see what the other does in its own waters.
        OrderResult::Repaired(_) | OrderResult::Found { .. } | OrderResult::Refused(_)
            if !openly =>
        {
            return parts.push(" did not fire.".into());
        }
        OrderResult::Repaired(units) => (
            " moved a support ship from ",
            match units.len() {
                0 => ".".into(),
                1 => "; it repaired a unit.".into(),
                count => format!("; it repaired {count} units.").into(),
            },
        ),
        OrderResult::Found { whole, damaged } => (
            " moved a submarine from ",
            match whole.len() + damaged.len() {
                0 => "; it found nothing.".into(),
                1 => "; it found a cell of a unit.".into(),
                count => format!("; it found {count} cells of units.").into(),
            },
        ),
        OrderResult::Refused(why) => return parts.push(format!(" lost a turn: {why}.").into()),
    };
    parts.extend([moved.into(), from, " to ".into(), to, what]);
}

/// Puts a sentence together for `eyes`.
pub fn in_words(parts: &[Part], names: &BySide<String>, eyes: Eyes, rules: &Rules) -> String {
    let is_own = |side| eyes == Eyes::Player(side);
    let word = |part: &Part| match part {
        Part::Text(words) => words.to_string(),
        Part::Player(side) if is_own(*side) => "You".to_owned(),
        Part::Player(side) => names[*side].clone(),
        Part::Possessive(side) if is_own(*side) => "your".to_owned(),
        Part::Possessive(side) => format!("{}'s", names[*side]),
        Part::Cell(at) => rules.cell_name(*at),
        Part::Ship(ship) => {
            let mut ships = rules.ships().into_iter();
            ships.nth(*ship).map_or("ship".to_owned(), |ship| ship.name)
        }
    };
    parts.iter().map(word).collect()
}
