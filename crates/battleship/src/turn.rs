//! A turn that was played: what its player did, and the result.

use std::time::Duration;

use crate::protocol::{Order, OrderResult, Reply, Request};
use crate::{AttackResult, Point, ShipId, Side};

/// What a player does, as its reply has it: an attack, one shot of a salvo, or an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An attack on this cell; it may be outside the board.
    Attack(Point),
    /// An order of the twist game.
    Order(Order),
}

/// A step that was played, with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// An attack of the classic game.
    Attack {
        /// The cell attacked; it may be outside the board.
        at: Point,
        /// The result as the attacker hears it.
        result: AttackResult,
    },
    /// An order of the twist game.
    Order {
        /// The order; it may be outside the grid.
        order: Order,
        /// The result as its player hears it.
        result: OrderResult,
    },
}

/// The effect of a turn on the opponent, as far as its player learned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Impact {
    /// Nothing was hit.
    Nothing,
    /// A ship was hit.
    Hit,
    /// The ship with this id was sunk.
    Sunk(ShipId),
    /// The turn could not count: it was against the rules, or changed nothing.
    Wasted,
}

impl Impact {
    /// Returns whether a ship was hit, sunk or not.
    #[must_use]
    pub const fn is_hit(self) -> bool {
        matches!(self, Impact::Hit | Impact::Sunk(_))
    }
}

impl Turn {
    /// Returns what the turn did to the opponent.
    #[must_use]
    pub const fn impact(&self) -> Impact {
        match self {
            Turn::Attack { result, .. } => match result {
                AttackResult::Miss => Impact::Nothing,
                AttackResult::Hit => Impact::Hit,
                AttackResult::Sunk(ship) => Impact::Sunk(*ship),
                AttackResult::Wasted => Impact::Wasted,
            },
            Turn::Order { result, .. } => match result {
                OrderResult::Hit => Impact::Hit,
                OrderResult::Refused(_) => Impact::Wasted,
                OrderResult::Miss | OrderResult::Repaired(_) | OrderResult::Found { .. } => {
                    Impact::Nothing
                }
            },
        }
    }

    /// Returns the turn without its result.
    #[must_use]
    pub const fn step(&self) -> Step {
        match self {
            Turn::Attack { at, .. } => Step::Attack(*at),
            Turn::Order { order, .. } => Step::Order(*order),
        }
    }

    /// Returns the reply with which its player took it, if it is not one of several shots.
    #[must_use]
    pub const fn reply(&self) -> Reply {
        match self {
            Turn::Attack { at, .. } => Reply::Attack(*at),
            Turn::Order { order, .. } => Reply::Act(*order),
        }
    }

    /// Returns what its player hears of it.
    #[must_use]
    pub fn result(&self) -> Request {
        match self {
            Turn::Attack { at, result } => Request::Result(*at, *result),
            Turn::Order { order, result } => Request::OrderResult(*order, result.clone()),
        }
    }

    /// Returns what the opponent hears of it, or `None` if the rules hide it.
    #[must_use]
    pub fn notice(&self) -> Option<Request> {
        match self {
            Turn::Attack { at, .. } => Some(Request::Opponent(*at)),
            Turn::Order { order, result } => result
                .is_of_shot()
                .then_some(Request::Opponent(order.target)),
        }
    }

    /// Returns the cell on which it acted.
    #[must_use]
    pub const fn target(&self) -> Point {
        match self {
            Turn::Attack { at, .. } => *at,
            Turn::Order { order, .. } => order.target,
        }
    }

    /// Returns whose waters it acted on; `None` if it was refused.
    #[must_use]
    pub const fn acts_on(&self, mover: Side) -> Option<Side> {
        match self {
            Turn::Attack { .. } => Some(mover.other()),
            Turn::Order { result, .. } => match result {
                OrderResult::Hit | OrderResult::Miss => Some(mover.other()),
                OrderResult::Repaired(_) | OrderResult::Found { .. } => Some(mover),
                OrderResult::Refused(_) => None,
            },
        }
    }

    /// Returns the words of the result: those behind the cells in the line that [`Turn::result`] is.
    #[must_use]
    pub fn result_in_words(&self) -> String {
        match self {
            Turn::Attack { result, .. } => result.to_string(),
            Turn::Order { result, .. } => result.to_string(),
        }
    }

    /// Returns the result in a word, with the number of cells or units that it names, as in `found 3`.
    #[must_use]
    pub fn result_in_short(&self) -> String {
        match self {
            Turn::Order {
                result: OrderResult::Repaired(units),
                ..
            } => {
                format!("repaired {}", units.len())
            }
            Turn::Order {
                result: OrderResult::Found { whole, damaged },
                ..
            } => {
                format!("found {}", whole.len() + damaged.len())
            }
            Turn::Attack { .. } | Turn::Order { .. } => {
                let mut words = self.result_in_words();
                words.truncate(words.find(' ').unwrap_or(words.len()));
                words
            }
        }
    }

    /// Returns whether `other`, by the rules of today, is the same turn with the same result. The reason of a refusal may be in
    /// other words: another version may have given it.
    #[must_use]
    pub fn agrees_with(&self, other: &Turn) -> bool {
        let refused = |turn: &Turn| match turn {
            Turn::Order {
                order,
                result: OrderResult::Refused(_),
            } => Some(*order),
            Turn::Order { .. } | Turn::Attack { .. } => None,
        };
        self == other || (refused(self).is_some() && refused(self) == refused(other))
    }

    /// Returns the turn that was taken by the numbers of `cells`, as its reply has them, with the result in these words.
    ///
    /// # Errors
    /// If there is no such turn: what is wrong.
    pub fn from_words(cells: &[i32], result: &str) -> Result<Turn, String> {
        match *cells {
            [row, col] => {
                let result = result
                    .parse()
                    .map_err(|why: crate::NoAttackResult| why.to_string())?;
                Ok(Turn::Attack {
                    at: Point::new(row, col),
                    result,
                })
            }
            [row, col, to_row, to_col] => {
                let origin = Point::new(row, col);
                let order = Order {
                    origin,
                    target: Point::new(to_row, to_col),
                };
                let read = result.parse();
                let result =
                    read.map_err(|why| format!("{result:?} is not a result of an order: {why}"))?;
                Ok(Turn::Order { order, result })
            }
            _ => Err(format!("no turn of any game has {} numbers", cells.len())),
        }
    }

    /// Returns the cells that its reply names.
    #[must_use]
    pub fn cells(&self) -> Vec<Point> {
        match self {
            Turn::Attack { at, .. } => vec![*at],
            Turn::Order { order, .. } => vec![order.origin, order.target],
        }
    }
}

/// A turn with its player and time.
///
/// With the feature `serde` it is serialized as a list, since a record is mostly made of these: the player (0 or 1), the
/// numbers of its reply, the words of the protocol's `result` line behind them, and the time, as in
/// `[0,3,4,"sunk 2",17]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedTurn {
    /// The side that took it.
    pub mover: Side,
    /// The turn.
    pub turn: Turn,
    /// The time that the player took, in microseconds; more than an hour counts as 2^32 - 1.
    pub us: u32,
}

impl PlayedTurn {
    /// Returns the turn of `mover`, which took this time.
    #[must_use]
    pub fn new(mover: Side, turn: Turn, time: Duration) -> PlayedTurn {
        PlayedTurn {
            mover,
            turn,
            us: u32::try_from(time.as_micros()).unwrap_or(u32::MAX),
        }
    }

    /// Returns how long the player took.
    #[must_use]
    pub const fn time(&self) -> Duration {
        Duration::from_micros(self.us as u64)
    }
}

#[cfg(feature = "serde")]
mod in_json {
    use std::fmt;

    use serde::de::{DeserializeSeed, Error, IgnoredAny, SeqAccess, Visitor};
    use serde::ser::SerializeSeq;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{PlayedTurn, Turn};
    use crate::Side;

    impl Serialize for PlayedTurn {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let cells = self.turn.cells();
            let mut list = serializer.serialize_seq(Some(2 * cells.len() + 3))?;
            list.serialize_element(&self.mover.index())?;
            for at in cells {
                list.serialize_element(&at.row)?;
                list.serialize_element(&at.col)?;
            }
            list.serialize_element(&self.turn.result_in_words())?;
            list.serialize_element(&self.us)?;
            list.end()
        }
    }

    impl<'de> Deserialize<'de> for PlayedTurn {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayedTurn, D::Error> {
            deserializer.deserialize_seq(ListVisitor)
        }
    }

    struct ListVisitor;

    impl<'de> Visitor<'de> for ListVisitor {
        type Value = PlayedTurn;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a turn: a list of the player, numbers, the result, and the time")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<PlayedTurn, A::Error> {
            let missing = |what: &str| A::Error::custom(format_args!("a turn without {what}"));
            let player: usize = list.next_element()?.ok_or_else(|| missing("a player"))?;
            let mover = Side::try_from(player).map_err(A::Error::custom)?;
            let (mut numbers, mut count) = ([0; 4], 0);
            let turn = loop {
                match list.next_element_seed(ItemAfter(&numbers[..count]))? {
                    Some(Item::Number(number)) => {
                        *numbers.get_mut(count).ok_or_else(|| missing("a result"))? = number;
                        count += 1;
                    }
                    Some(Item::Turn(turn)) => break turn,
                    None => return Err(missing("a result")),
                }
            };
            let us = list.next_element()?.ok_or_else(|| missing("a time"))?;
            // A list that is too long would be cut when the record is written again.
            if list.next_element::<IgnoredAny>()?.is_some() {
                return Err(A::Error::custom("a turn with something behind its time"));
            }
            Ok(PlayedTurn { mover, turn, us })
        }
    }

    /// A number of a turn, or its result, which makes the turn whole.
    enum Item {
        Number(i32),
        Turn(Turn),
    }

    /// Reads what follows these numbers, without a copy of its text.
    struct ItemAfter<'n>(&'n [i32]);

    impl<'de> DeserializeSeed<'de> for ItemAfter<'_> {
        type Value = Item;

        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
            deserializer.deserialize_any(self)
        }
    }

    impl Visitor<'_> for ItemAfter<'_> {
        type Value = Item;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number or the result of a turn")
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Item, E> {
            i32::try_from(number).map(Item::Number).map_err(E::custom)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Item, E> {
            i32::try_from(number).map(Item::Number).map_err(E::custom)
        }

        fn visit_str<E: Error>(self, words: &str) -> Result<Item, E> {
            Turn::from_words(self.0, words)
                .map(Item::Turn)
                .map_err(E::custom)
        }
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn an_attack_is_a_short_list() {
        let line = r#"[0,3,4,"sunk 2",17]"#;
        let turn: PlayedTurn = serde_json::from_str(line).unwrap();
        let attack = Turn::Attack {
            at: Point::new(3, 4),
            result: AttackResult::Sunk(2),
        };
        assert_eq!(
            turn,
            PlayedTurn {
                mover: Side::One,
                turn: attack,
                us: 17
            }
        );
        assert_eq!(serde_json::to_string(&turn).unwrap(), line);
        for (wrong, why) in [
            (r#"[0,3,4,"boom",17]"#, "\"boom\" is not miss, hit"),
            (r#"[2,3,4,"hit",17]"#, "there is no player 2"),
            (r#"[0,3,4,"hit"]"#, "a turn without a time"),
            (r#"[0,3,4,"hit",17,4]"#, "a turn with something behind"),
            (r#"[0,3,"hit",17]"#, "no turn of any game has 1 numbers"),
            (r#"[0,1,2,3,4,5,"hit",17]"#, "a turn without a result"),
        ] {
            let error = serde_json::from_str::<PlayedTurn>(wrong).unwrap_err();
            assert!(error.to_string().starts_with(why), "{error}");
        }
    }

    #[test]
    fn an_order_is_a_short_list_too() {
        for result in [
            "miss",
            "hit",
            "repaired",
            "repaired 0 4",
            "found 3 4 y 3 5 x",
            "refused no, no",
        ] {
            let line = format!("[1,2,0,5,13,\"{result}\",17]");
            let turn: PlayedTurn = serde_json::from_str(&line).unwrap();
            assert_eq!(turn.turn.reply().to_string(), "act 2 0 5 13");
            assert_eq!(serde_json::to_string(&turn).unwrap(), line);
        }
        let error = serde_json::from_str::<PlayedTurn>("[1,2,0,5,13,\"sunk 3\",17]").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("\"sunk 3\" is not a result of an order"),
            "{error}"
        );
    }
}
