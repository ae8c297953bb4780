//! One game as a line of a record.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use battleship::protocol::{MalformedLine, Order, OrderResult};
use battleship::{AttackResult, Point};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::Figure;
use crate::game::EndedBy;
use crate::terms::{Rules, RulesName, SandboxLevel, ShipOfGame};

/// What every line says of itself.
pub const FORMAT: &str = "battleship-game";

/// The version of the format; another one where a reader of this one would misread a line.
pub const VERSION: u32 = 1;

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// `battleship-game`.
    pub format: String,
    /// The version of such a line.
    pub version: u32,
    /// The version of the referee that played it.
    pub referee: String,
    /// Its place in a contest, if it was played in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<InContest>,
    /// The rules.
    pub rules: RulesName,
    /// The number of rows of each board.
    pub rows: i32,
    /// The number of columns of each board.
    pub cols: i32,
    /// The ship types, in id order.
    pub ships: Vec<ShipOfGame>,
    /// The seed from which the seeds of both players come.
    pub seed: u64,
    /// How many attacks each player could make.
    pub max_turns: u32,
    /// The sandbox that the bots were confined to, if there was one.
    pub sandbox: Option<SandboxOfGame>,
    /// The players, in the order in which they were named. `shots` and others refer to them as 0 and 1.
    pub players: [Player; 2],
    /// Which player moved first.
    pub first: usize,
    /// Each player's ships, in id order; `None` if a player had placed none when the game ended.
    pub fleets: [Option<Vec<Placed>>; 2],
    /// All attacks of a classic game, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shots: Option<Vec<Shot>>,
    /// All turns of a twist game, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Move>>,
    /// The winner's name; `None` without a winner.
    pub winner: Option<String>,
    /// The player who caused the end, 0 or 1: the winner where a fleet was sunk, else the player who gave up or failed;
    /// `None` if neither did.
    pub by: Option<usize>,
    /// The typed reason.
    pub ended_by: EndedBy,
    /// The reason as a sentence.
    pub reason: String,
    /// The figures that the players' programs printed, by player and name in the order in which they first did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
}

impl GameRecord {
    /// The record of a game of `players` that has yet to be played; player 0 moves first.
    pub fn new(rules: &Rules, seed: u64, max_turns: u32, players: [Player; 2]) -> GameRecord {
        let [rows, cols] = rules.size();
        GameRecord {
            format: FORMAT.to_owned(),
            version: VERSION,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            contest: None,
            rules: rules.name(),
            rows,
            cols,
            ships: rules.ships(),
            seed,
            max_turns,
            sandbox: None,
            players,
            first: 0,
            fleets: [None, None],
            shots: (rules.name() == RulesName::Classic).then(Vec::new),
            moves: (rules.name() == RulesName::Twist).then(Vec::new),
            winner: None,
            by: None,
            ended_by: EndedBy::Interrupted,
            reason: String::new(),
            figures: Vec::new(),
        }
    }
}

/// Where in a contest a game belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct InContest {
    /// The id of the contest, as in the header.
    pub id: String,
    /// The series, from 1.
    pub series: usize,
    /// Which of the games between these two players in this contest it is, from 1.
    pub game: u32,
}

impl GameRecord {
    /// All attacks of a classic game, in order.
    #[must_use]
    pub fn shots(&self) -> &[Shot] {
        self.shots.as_deref().unwrap_or_default()
    }

    /// All turns of a twist game, in order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        self.moves.as_deref().unwrap_or_default()
    }

    /// Returns the name of the list of turns, if the record should have one and has none.
    pub(super) const fn missing_turns(&self) -> Option<&'static str> {
        match self.rules {
            RulesName::Classic if self.shots.is_none() => Some("shots"),
            RulesName::Twist if self.moves.is_none() => Some("moves"),
            RulesName::Classic | RulesName::Twist => None,
        }
    }

    /// The names of the players, in the order in which they moved.
    #[must_use]
    pub fn movers(&self) -> [String; 2] {
        let mut movers = self.players.each_ref().map(|player| player.name.clone());
        if self.first == 1 {
            movers.reverse();
        }
        movers
    }
}

/// The sandbox of a game's bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct SandboxOfGame {
    /// How much it took away.
    pub level: SandboxLevel,
    /// What an attacking process, confined in the same way before the game, was refused.
    pub refused: Vec<String>,
    /// What the kernel limited for all processes of a bot together: `memory`, `pids`, `cpu`. The rest was counted by the
    /// referee.
    pub hard_limits: Vec<String>,
}

/// Returns a time as records have it: in whole milliseconds.
#[must_use]
pub fn in_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// One player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct Player {
    /// What it is called; no two players of a game have the same name.
    pub name: String,
    /// What it calls itself, if that is something else and no other player's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_itself: Option<String>,
    /// The command that starts it.
    pub command: String,
    /// Whether a student handed that command in: it is data, and only a class starts it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub submission: bool,
    /// Who wrote it, if it says.
    pub author: Option<String>,
    /// Whether a person plays.
    pub human: bool,
    /// Its seed in this game.
    pub seed: u32,
    /// How long it could take for a reply, in milliseconds; `None` for no limit.
    pub limit_ms: Option<u64>,
    /// What was odd about it, though it was no fault, in a sentence each.
    pub warnings: Vec<String>,
}

/// Where a ship lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct Placed {
    /// The row of its topmost or leftmost cell.
    pub row: i32,
    /// The column of that cell.
    pub col: i32,
    /// `h` or `v`.
    pub direction: char,
}

/// The result of an attack. In a record: the words after the cell in the protocol's `result` line, as `sunk 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema), schemars(into = "String"))]
pub enum ShotResult {
    /// The shot fell into the water.
    Miss,
    /// A ship was hit.
    Hit,
    /// The ship with this id was sunk.
    Sunk(u8),
    /// The turn was lost.
    Wasted,
}

impl From<AttackResult> for ShotResult {
    fn from(result: AttackResult) -> ShotResult {
        match result {
            AttackResult::Miss => ShotResult::Miss,
            AttackResult::Hit => ShotResult::Hit,
            AttackResult::Sunk(ship) => {
                ShotResult::Sunk(u8::try_from(ship).expect("at most a ship for each of 100 cells"))
            }
            AttackResult::Wasted => ShotResult::Wasted,
        }
    }
}

impl From<ShotResult> for AttackResult {
    fn from(result: ShotResult) -> AttackResult {
        match result {
            ShotResult::Miss => AttackResult::Miss,
            ShotResult::Hit => AttackResult::Hit,
            ShotResult::Sunk(ship) => AttackResult::Sunk(ship.into()),
            ShotResult::Wasted => AttackResult::Wasted,
        }
    }
}

impl fmt::Display for ShotResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShotResult::Miss => f.write_str("miss"),
            ShotResult::Hit => f.write_str("hit"),
            ShotResult::Sunk(ship) => write!(f, "sunk {ship}"),
            ShotResult::Wasted => f.write_str("wasted"),
        }
    }
}

/// Text that is no result of an attack.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is none of miss, hit, sunk ID, wasted")]
pub struct NoShotResult(String);

impl FromStr for ShotResult {
    type Err = NoShotResult;

    fn from_str(text: &str) -> Result<ShotResult, NoShotResult> {
        match text {
            "miss" => Ok(ShotResult::Miss),
            "hit" => Ok(ShotResult::Hit),
            "wasted" => Ok(ShotResult::Wasted),
            _ => text
                .strip_prefix("sunk ")
                .and_then(|ship| ship.parse().ok())
                .map(ShotResult::Sunk)
                .ok_or_else(|| NoShotResult(text.to_owned())),
        }
    }
}

impl Serialize for ShotResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ShotResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ShotResult, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// One attack. In a record: a list of the fields in this order, since a record is mostly made of these; and small in
/// memory too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(into = "ShotInRecord", from = "ShotInRecord")]
pub struct Shot {
    /// Who attacked: 0 or 1.
    pub player: u8,
    /// The row attacked; it may be outside the board.
    pub row: i32,
    /// The column attacked.
    pub col: i32,
    /// Its result.
    pub result: ShotResult,
    /// How long the player took, in microseconds; more than an hour counts as 2^32 - 1.
    pub us: u32,
}

type ShotInRecord = (u8, i32, i32, ShotResult, u32);

impl From<Shot> for ShotInRecord {
    fn from(shot: Shot) -> ShotInRecord {
        (shot.player, shot.row, shot.col, shot.result, shot.us)
    }
}

impl From<ShotInRecord> for Shot {
    fn from((player, row, col, result, us): ShotInRecord) -> Shot {
        Shot { player, row, col, result, us }
    }
}

/// One turn of a twist game. In a record: a list of the player, the four numbers of the order, the words of the
/// protocol's `result` line behind them, as `found 3 4 y`, and the time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(into = "MoveInRecord", try_from = "MoveInRecord")]
pub struct Move {
    /// Whose turn it was: 0 or 1.
    pub player: u8,
    /// What the player ordered; it may be outside the grid.
    pub order: Order,
    /// What the order did.
    pub result: OrderResult,
    /// How long the player took, in microseconds; more than an hour counts as 2^32 - 1.
    pub us: u32,
}

type MoveInRecord = (u8, i32, i32, i32, i32, String, u32);

impl From<Move> for MoveInRecord {
    fn from(Move { player, order: Order { origin, target }, result, us }: Move) -> MoveInRecord {
        (player, origin.row, origin.col, target.row, target.col, result.to_string(), us)
    }
}

/// Text that is no result of an order.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no result of an order: {1}")]
pub struct NoOrderResult(String, MalformedLine);

impl TryFrom<MoveInRecord> for Move {
    type Error = NoOrderResult;

    fn try_from(
        (player, row, col, to_row, to_col, result, us): MoveInRecord,
    ) -> Result<Move, NoOrderResult> {
        let order = Order { origin: Point::new(row, col), target: Point::new(to_row, to_col) };
        match result.parse() {
            Ok(result) => Ok(Move { player, order, result, us }),
            Err(why) => Err(NoOrderResult(result, why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shot_is_a_short_list() {
        let line = r#"[0,3,4,"sunk 2",17]"#;
        let shot: Shot = serde_json::from_str(line).unwrap();
        assert_eq!(shot, Shot { player: 0, row: 3, col: 4, result: ShotResult::Sunk(2), us: 17 });
        assert_eq!(serde_json::to_string(&shot).unwrap(), line);
        let error = serde_json::from_str::<Shot>(r#"[0,3,4,"boom",17]"#).unwrap_err();
        assert!(error.to_string().starts_with("\"boom\" is none of miss, hit"), "{error}");
    }

    #[test]
    fn a_turn_of_a_twist_game_is_a_short_list_too() {
        for result in
            ["miss", "hit", "repaired", "repaired 0 4", "found 3 4 y 3 5 x", "refused no, no"]
        {
            let line = format!("[1,2,0,5,13,\"{result}\",17]");
            let turn: Move = serde_json::from_str(&line).unwrap();
            assert_eq!(turn.order.to_string(), "2 0 5 13");
            assert_eq!(serde_json::to_string(&turn).unwrap(), line);
        }
        let error = serde_json::from_str::<Move>("[1,2,0,5,13,\"sunk 3\",17]").unwrap_err();
        assert!(error.to_string().starts_with("\"sunk 3\" is no result of an order"), "{error}");
    }
}
