//! A turn that was played: what its player did, and the result.

use std::str::FromStr;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::line::{MalformedLine, Words};

use crate::protocol::{Order, OrderResult, Reply, Request};
use crate::{AttackResult, Point, Side};

/// An attack, one shot of a salvo, or an order, as the reply of a player has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An attack on this cell; it may be outside the board.
    Attack(Point),
    /// An order of the twist game.
    Order(Order),
}

/// A step that was played, with its result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// An attack of the classic game.
    Attack {
        /// The cell attacked; it may be outside the board.
        at: Point,
        /// The result as the attacker receives it.
        result: AttackResult,
    },
    /// An order of the twist game.
    Order {
        /// The order; it may be outside the grid.
        order: Order,
        /// The result as its player receives it.
        result: OrderResult,
    },
}

impl Turn {
    /// Returns the effect on the opponent, as far as the player learned it: an order that did
    /// nothing to the opponent is a miss, an order that was refused is wasted.
    pub const fn impact(&self) -> AttackResult {
        match self {
            Turn::Attack { result, .. } => *result,
            Turn::Order {
                result: OrderResult::Hit,
                ..
            } => AttackResult::Hit,
            Turn::Order {
                result: OrderResult::Refused(_),
                ..
            } => AttackResult::Wasted,
            Turn::Order { .. } => AttackResult::Miss,
        }
    }

    /// Returns the turn without its result.
    pub const fn step(&self) -> Step {
        match self {
            Turn::Attack { at, .. } => Step::Attack(*at),
            Turn::Order { order, .. } => Step::Order(*order),
        }
    }

    /// Returns the reply with which its player took it, if it is not one of several shots.
    pub const fn reply(&self) -> Reply {
        match self {
            Turn::Attack { at, .. } => Reply::Attack(*at),
            Turn::Order { order, .. } => Reply::Act(*order),
        }
    }

    /// Returns the line that tells the player the result.
    pub fn result(&self) -> Request {
        match self {
            Turn::Attack { at, result } => Request::Result(*at, *result),
            Turn::Order { order, result } => Request::OrderResult(*order, result.clone()),
        }
    }

    /// Returns the line that tells the opponent of the turn, or `None` if the rules hide it.
    pub fn notice(&self) -> Option<Request> {
        let is_told = match self {
            Turn::Attack { .. } => true,
            Turn::Order { result, .. } => result.is_of_shot(),
        };
        is_told.then(|| Request::Opponent(self.target()))
    }

    /// Returns the cell that was attacked, fired at or moved to.
    pub const fn target(&self) -> Point {
        match self {
            Turn::Attack { at, .. } => *at,
            Turn::Order { order, .. } => order.target,
        }
    }

    /// Returns the side in whose waters the turn of `mover` happened; `None` if it was refused.
    pub const fn acts_on(&self, mover: Side) -> Option<Side> {
        match self {
            Turn::Order {
                result: OrderResult::Refused(_),
                ..
            } => None,
            Turn::Order {
                result: OrderResult::Repaired(_) | OrderResult::Found { .. },
                ..
            } => Some(mover),
            Turn::Order { .. } | Turn::Attack { .. } => Some(mover.other()),
        }
    }

    /// Returns the words of the result: those behind the cells in the line that [`Turn::result`]
    /// is.
    pub fn result_in_words(&self) -> String {
        match self {
            Turn::Attack { result, .. } => result.to_string(),
            Turn::Order { result, .. } => result.to_string(),
        }
    }

    /// Returns the result in a word, with the number of cells or units that it names, as in `found
    /// 3`.
    pub fn result_in_short(&self) -> String {
        match self {
            Turn::Order {
                result: OrderResult::Repaired(units),
                ..
            } => {
                format!("repaired {}", units.iter().count())
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

    /// Returns whether `other`, by the rules of today, is the same turn with the same result. The
    /// reason of a refusal may be in other words: another version may have given it.
    pub fn agrees_with(&self, other: &Turn) -> bool {
        let is_wasted = |turn: &Turn| turn.impact() == AttackResult::Wasted;
        self == other || self.step() == other.step() && is_wasted(self) && is_wasted(other)
    }

    /// Returns the cells that its reply names.
    pub fn cells(&self) -> Vec<Point> {
        match self {
            Turn::Attack { at, .. } => vec![*at],
            Turn::Order { order, .. } => vec![order.origin, order.target],
        }
    }
}

/// A turn with its player and time.
///
/// It is serialized as a list, since a record is mostly made of these: the player (0 or 1), the
/// numbers of its reply, the words of the protocol's `result` line behind them, and the time, as in
/// `[0,3,4,"sunk 2",17]`. The lists of a record are read by [`read_attacks`] and [`read_orders`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedTurn {
    /// The side that took it.
    pub mover: Side,
    /// The turn.
    pub turn: Turn,
    /// The time of the reply in microseconds; more than an hour counts as 2^32 - 1.
    pub us: u32,
}

impl PlayedTurn {
    /// Returns the turn of `mover`, which took this time.
    pub fn new(mover: Side, turn: Turn, time: Duration) -> PlayedTurn {
        let us = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        PlayedTurn { mover, turn, us }
    }

    /// Returns the time of the reply.
    pub const fn time(&self) -> Duration {
        Duration::from_micros(self.us as u64)
    }
}

impl Serialize for PlayedTurn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let player = self.mover;
        match &self.turn {
            Turn::Attack { at, result } => {
                (player, at.row, at.col, result, self.us).serialize(serializer)
            }
            Turn::Order { order, result } => {
                let Point { row, col } = order.origin;
                let to = order.target;
                (player, row, col, to.row, to.col, result, self.us).serialize(serializer)
            }
        }
    }
}

/// An attack as records have it: the player, the cell, the result, and the time in microseconds.
type AttackLine = (Side, i32, i32, AttackResult, u32);

/// An order as records have it: the player, both cells, the result, and the time in microseconds.
type OrderLine = (Side, i32, i32, i32, i32, OrderResult, u32);

/// Reads the attacks of a record, if there are any.
///
/// # Errors
/// If one of them is not an attack.
pub fn read_attacks<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<PlayedTurn>>, D::Error> {
    read_turns(deserializer, |line| {
        let (player, row, col, result, us): AttackLine = line;
        let at = Point::new(row, col);
        (player, Turn::Attack { at, result }, us)
    })
}

/// Reads the orders of a record, if there are any.
///
/// # Errors
/// If one of them is not an order.
pub fn read_orders<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<PlayedTurn>>, D::Error> {
    read_turns(deserializer, |line| {
        let (player, row, col, to_row, to_col, result, us): OrderLine = line;
        let order = Order::new(Point::new(row, col), Point::new(to_row, to_col));
        (player, Turn::Order { order, result }, us)
    })
}

fn read_turns<'de, D: Deserializer<'de>, L: Deserialize<'de>>(
    deserializer: D,
    parts: impl Fn(L) -> (Side, Turn, u32),
) -> Result<Option<Vec<PlayedTurn>>, D::Error> {
    let Some(lines) = Option::<Vec<L>>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let turns = lines.into_iter().map(|line| {
        let (mover, turn, us) = parts(line);
        PlayedTurn { mover, turn, us }
    });
    Ok(Some(turns.collect()))
}

/// Results are read from their words, and are serialized as these.
macro_rules! in_words {
    ($result:ty) => {
        impl FromStr for $result {
            type Err = MalformedLine;

            fn from_str(text: &str) -> Result<Self, MalformedLine> {
                let mut words = Words::all_of(text.as_bytes())?;
                let result = Self::parse(&mut words)?;
                words.end()?;
                Ok(result)
            }
        }

        impl Serialize for $result {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $result {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let words = String::deserialize(deserializer)?;
                words.parse().map_err(D::Error::custom)
            }
        }
    };
}

in_words!(AttackResult);
in_words!(OrderResult);

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Lists {
        #[serde(default, deserialize_with = "read_attacks")]
        shots: Option<Vec<PlayedTurn>>,
        #[serde(default, deserialize_with = "read_orders")]
        moves: Option<Vec<PlayedTurn>>,
    }

    #[test]
    fn turns_are_short_lists() {
        let attacks = r#"{"shots":[[0,3,4,"sunk 2",17],[1,-1,30,"wasted",0]],"moves":null}"#;
        let orders = [
            "miss",
            "repaired",
            "repaired 0 4",
            "found 3 4 y 3 5 x",
            "refused no, no",
        ]
        .map(|result| format!("[1,2,0,5,13,\"{result}\",17]"));
        let orders = format!("{{\"shots\":null,\"moves\":[{}]}}", orders.join(","));
        for record in [attacks, &orders] {
            let lists: Lists = serde_json::from_str(record).unwrap();
            assert_eq!(serde_json::to_string(&lists).unwrap(), record);
        }
    }

    #[test]
    fn a_wrong_turn_is_named() {
        for (wrong, why) in [
            (
                r#"{"shots":[[0,3,4,"boom",17]]}"#,
                "unexpected word \"boom\"",
            ),
            (r#"{"shots":[[2,3,4,"hit",17]]}"#, "there is no player 2"),
            (r#"{"shots":[[0,3,4,"hit"]]}"#, "invalid length 4"),
            (r#"{"shots":[[0,3,4,"hit",17,4]]}"#, "trailing characters"),
            (r#"{"shots":[[0,3,"hit",17]]}"#, "invalid type: string"),
            (r#"{"moves":[[1,2,0,5,13,"sunk 3",17]]}"#, "unexpected word"),
        ] {
            let error = serde_json::from_str::<Lists>(wrong).err().unwrap();
            assert!(error.to_string().starts_with(why), "{error}");
        }
    }
}
