//! The results of a player's attacks, and the course's abstract player.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{AttackError, Board, Point, ShipId, Shot};

/// The result of an attack, as its player hears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttackResult {
    /// The shot fell into the water.
    Miss,
    /// A ship was hit and is still afloat.
    Hit,
    /// The last undamaged segment of the ship with this id was hit.
    Sunk(ShipId),
    /// The point lies outside the board or had been attacked before; the turn is lost.
    Wasted,
}

impl From<Shot> for AttackResult {
    fn from(shot: Shot) -> AttackResult {
        match shot {
            Shot::Miss => AttackResult::Miss,
            Shot::Hit => AttackResult::Hit,
            Shot::Sunk(ship) => AttackResult::Sunk(ship),
        }
    }
}

/// An attack outside the board or on an attacked cell is wasted.
impl From<Result<Shot, AttackError>> for AttackResult {
    fn from(attacked: Result<Shot, AttackError>) -> AttackResult {
        attacked.map_or(AttackResult::Wasted, AttackResult::from)
    }
}

/// As the protocol writes it: `miss`, `hit`, `sunk ID` or `wasted`.
impl fmt::Display for AttackResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttackResult::Miss => write!(f, "miss"),
            AttackResult::Hit => write!(f, "hit"),
            AttackResult::Sunk(ship) => write!(f, "sunk {ship}"),
            AttackResult::Wasted => write!(f, "wasted"),
        }
    }
}

/// Text that is not the result of an attack.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not miss, hit, sunk ID or wasted")]
pub struct NoAttackResult(String);

/// Reads what [`AttackResult`] is displayed as.
impl FromStr for AttackResult {
    type Err = NoAttackResult;

    fn from_str(text: &str) -> Result<AttackResult, NoAttackResult> {
        match text {
            "miss" => Ok(AttackResult::Miss),
            "hit" => Ok(AttackResult::Hit),
            "wasted" => Ok(AttackResult::Wasted),
            _ => text
                .strip_prefix("sunk ")
                // A board has at most a ship for each of 100 cells.
                .and_then(|ship| ship.parse::<u8>().ok())
                .map(|ship| AttackResult::Sunk(ship.into()))
                .ok_or_else(|| NoAttackResult(text.to_owned())),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for AttackResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The course's abstract class: a player of one game, which it is made for and knows.
///
/// A new bot is easier to write as a [`Bot`](crate::Bot), which lives through a whole series.
/// [`PlayerBot`](crate::PlayerBot) makes one of players.
pub trait Player {
    /// Returns the player's name.
    fn name(&self) -> &str;

    /// Returns whether the player is a human, who must not see the opponent's undamaged ships.
    fn is_human(&self) -> bool {
        false
    }

    /// Places every ship of the game on `board`, which is empty. Returns `false` if the player cannot; the game
    /// then ends without a winner.
    fn place_ships(&mut self, board: &mut Board<'_>) -> bool;

    /// Returns the point of the opponent's board that the player attacks next.
    fn recommend_attack(&mut self) -> Point;

    /// Tells the player the result of its attack at `at`.
    fn record_attack_result(&mut self, at: Point, result: AttackResult);

    /// Tells the player where its opponent attacked.
    fn record_attack_by_opponent(&mut self, at: Point);

    /// Returns whether the player has given up. It is asked after `place_ships` and `recommend_attack`, whose answers
    /// do not count then. Players of the specification never give up; a person may walk away.
    fn has_resigned(&self) -> bool {
        false
    }
}
