//! Sentences about turns, in parts: whoever shows one names players, cells and ships, and takes no
//! sentence apart.

use std::borrow::Cow;

use crate::protocol::OrderResult;
use crate::scene::Viewer;
use crate::{AttackResult, BySide, Description, Point, ShipId, Side, Turn};

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// These words.
    Text(Cow<'static, str>),
    /// The name of this player; "You" if this player is the viewer.
    Player(Side),
    /// The possessive of this player, "Ada's"; "your" if this player is the viewer.
    Possessive(Side),
    /// The name of a cell.
    Cell(Point),
    /// The name of a ship.
    Ship(ShipId),
}

/// Returns the parts of a sentence: each star of `words` stands for one of `slots`.
pub(crate) fn filled(
    words: &'static str,
    slots: impl IntoIterator<Item = Part>,
) -> impl Iterator<Item = Part> {
    let mut texts = words.split('*').map(|text| Part::Text(text.into()));
    let first = texts.next();
    let rest = slots.into_iter().zip(texts);
    first
        .into_iter()
        .chain(rest.flat_map(|(slot, text)| [slot, text]))
}

impl Turn {
    /// Returns a sentence about the turn of `mover`, as far as `viewer` may see it.
    pub fn sentence(&self, mover: Side, viewer: Viewer) -> Vec<Part> {
        let (words, slots) = match self {
            Turn::Attack { at, result } => {
                let at = Part::Cell(*at);
                match result {
                    AttackResult::Miss => ("* missed at *.", vec![at]),
                    AttackResult::Hit => ("* hit something at *.", vec![at]),
                    AttackResult::Wasted => ("* wasted a shot at *.", vec![at]),
                    AttackResult::Sunk(ship) => {
                        let whose = Part::Possessive(mover.other());
                        ("* sank * * at *.", vec![whose, Part::Ship(*ship), at])
                    }
                }
            }
            Turn::Order { order, result } => {
                let from = Part::Cell(order.origin);
                let to = Part::Cell(order.target);
                match (result, viewer.sees(mover)) {
                    (OrderResult::Hit, true) => ("* fired from * at *: a hit.", vec![from, to]),
                    (OrderResult::Miss, true) => ("* fired from * at *: a miss.", vec![from, to]),
                    (OrderResult::Hit, false) => ("* fired at *: a hit.", vec![to]),
                    (OrderResult::Miss, false) => ("* fired at *: a miss.", vec![to]),
                    // A player does not get to see what the other does in its own waters.
                    (_, false) => ("* did not fire.", Vec::new()),
                    (OrderResult::Repaired(units), true) => {
                        let units = match units.iter().count() {
                            0 => "".into(),
                            1 => "; it repaired a unit".into(),
                            count => format!("; it repaired {count} units").into(),
                        };
                        let slots = vec![from, to, Part::Text(units)];
                        ("* moved a support ship from * to **.", slots)
                    }
                    (OrderResult::Found { whole, damaged }, true) => {
                        let cells = match whole.len() + damaged.len() {
                            0 => "nothing".into(),
                            1 => "a cell of a unit".into(),
                            count => format!("{count} cells of units").into(),
                        };
                        let slots = vec![from, to, Part::Text(cells)];
                        ("* moved a submarine from * to *; it found *.", slots)
                    }
                    (OrderResult::Refused(why), true) => {
                        let slots = vec![Part::Text(why.clone().into()), from, to];
                        ("* lost a turn: * (an order from * to *).", slots)
                    }
                }
            }
        };
        let slots = [Part::Player(mover)].into_iter().chain(slots);
        filled(words, slots).collect()
    }
}

/// Returns a sentence as `viewer` reads it.
pub fn in_words(
    parts: &[Part],
    names: &BySide<String>,
    viewer: Viewer,
    game: &Description,
) -> String {
    let is_own = |side| viewer == Viewer::Player(side);
    parts
        .iter()
        .map(|part| match part {
            Part::Text(words) => words.to_string(),
            Part::Player(side) if is_own(*side) => "You".to_owned(),
            Part::Player(side) => names[*side].clone(),
            Part::Possessive(side) if is_own(*side) => "your".to_owned(),
            Part::Possessive(side) => format!("{}'s", names[*side]),
            Part::Cell(at) => game.labels.cell(*at),
            Part::Ship(ship) => {
                let ship = game.ships.get(*ship);
                ship.map_or("ship", |ship| &ship.name).to_owned()
            }
        })
        .collect()
}
