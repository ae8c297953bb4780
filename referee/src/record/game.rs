use battleship::protocol::Ruleset;
use battleship::{Game, ShipType};
use serde::{Deserialize, Serialize};

use crate::play::EndedBy;

/// What every line says of itself.
pub const FORMAT: &str = "battleship-game";

/// The version of the format; another one where a reader of this one would misread a line.
pub const VERSION: u32 = 1;

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The version of the referee that played it.
    pub referee: String,
    /// The rules: `classic`.
    pub rules: String,
    /// The number of rows of each board.
    pub rows: usize,
    /// The number of columns of each board.
    pub cols: usize,
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
    /// Each player's ships, in id order; nothing if a player had placed none when the game ended.
    pub fleets: [Option<Vec<Placed>>; 2],
    /// All attacks, in order.
    pub shots: Vec<Shot>,
    /// The winner's name, or nothing if nobody won.
    pub winner: Option<String>,
    /// The typed reason.
    pub ended_by: EndedBy,
    /// The reason as a sentence.
    pub reason: String,
}

impl GameRecord {
    /// The record of a game of `players` that has yet to be played; player 0 moves first.
    #[must_use]
    pub fn new(game: &Game, seed: u64, max_turns: u32, players: [Player; 2]) -> GameRecord {
        let ship = |ship: &ShipType| {
            let (length, symbol, name) = (ship.length, ship.symbol, ship.name.clone());
            ShipOfGame { length, symbol, name }
        };
        GameRecord {
            format: FORMAT.to_owned(),
            version: VERSION,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            rules: Ruleset::Classic.word().to_owned(),
            rows: game.rows(),
            cols: game.cols(),
            ships: game.ships().iter().map(ship).collect(),
            seed,
            max_turns,
            sandbox: None,
            players,
            first: 0,
            fleets: [None, None],
            shots: Vec::new(),
            winner: None,
            ended_by: EndedBy::Interrupted,
            reason: String::new(),
        }
    }
}

/// The sandbox of a game's bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxOfGame {
    /// `on` or `strict`.
    pub level: String,
    /// What an attacking process, confined in the same way before the game, was refused.
    pub refused: Vec<String>,
}

/// One player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// What it is called; no two players of a game have the same name.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// Who wrote it, if it says.
    pub author: Option<String>,
    /// Whether a person plays.
    pub human: bool,
    /// Its seed in this game.
    pub seed: u32,
    /// How long it could take for a reply, in milliseconds; nothing for no limit.
    pub limit_ms: Option<u64>,
    /// What was odd about it, though it was no fault, in a sentence each.
    pub warnings: Vec<String>,
}

/// One ship type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShipOfGame {
    /// How many cells it covers.
    pub length: usize,
    /// The character that stands for it.
    pub symbol: char,
    /// What messages call it.
    pub name: String,
}

/// Where a ship lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The row of its topmost or leftmost cell.
    pub row: i32,
    /// The column of that cell.
    pub col: i32,
    /// `h` or `v`.
    pub direction: char,
}

/// What became of an attack, without the ship that was sunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShotResult {
    /// The shot fell into the water.
    Miss,
    /// A ship was hit.
    Hit,
    /// A ship was sunk.
    Sunk,
    /// The turn was lost.
    Wasted,
}

/// One attack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// Who attacked: 0 or 1.
    pub player: usize,
    /// The row attacked; it may be outside the board.
    pub row: i32,
    /// The column attacked.
    pub col: i32,
    /// What became of it.
    pub result: ShotResult,
    /// The id of the ship that was sunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ship: Option<usize>,
    /// How long the player took, in microseconds.
    pub us: u64,
}
