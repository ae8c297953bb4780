//! One game as a line of a record.

use std::time::Duration;

use battleship::{
    Placement, PlayedTurn, RuleOptions, Rules, Ruleset, ShipType, read_attacks, read_orders,
};
use serde::{Deserialize, Serialize};

use super::Figure;
use crate::game::{EndedBy, Entrant};
use crate::terms::SandboxLevel;

/// The format of every line.
pub const FORMAT: &str = "battleship-game";

/// The version of the format; another one where a reader of this one would misread a line.
pub const VERSION: u32 = 1;

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub rules: Ruleset,
    /// The number of rows of each board.
    pub rows: i32,
    /// The number of columns of each board.
    pub cols: i32,
    /// The ship types, in id order.
    pub ships: Vec<ShipType>,
    /// The options of the rules that are not as usual.
    #[serde(default, skip_serializing_if = "RuleOptions::is_usual")]
    pub options: RuleOptions,
    /// The seed from which the seeds of both players come.
    pub seed: u64,
    /// The number of attacks that each player could make.
    pub max_turns: u32,
    /// The sandbox that the bots were confined to, if there was one.
    pub sandbox: Option<SandboxOfGame>,
    /// The players, in the order in which they were named. `shots` and others refer to them as 0 and 1.
    pub players: [Player; 2],
    /// The player that moved first.
    pub first: usize,
    /// Each player's ships, in id order; `None` if a player had placed none when the game ended.
    pub fleets: [Option<Vec<Placed>>; 2],
    /// All turns in order, if each is an attack: see [`GameRecord::turns`].
    #[serde(
        default,
        deserialize_with = "read_attacks",
        skip_serializing_if = "Option::is_none"
    )]
    pub shots: Option<Vec<PlayedTurn>>,
    /// All turns in order, if each is an order.
    #[serde(
        default,
        deserialize_with = "read_orders",
        skip_serializing_if = "Option::is_none"
    )]
    pub moves: Option<Vec<PlayedTurn>>,
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
            rules: rules.ruleset(),
            rows,
            cols,
            ships: rules.ships(),
            options: rules.options(),
            seed,
            max_turns,
            sandbox: None,
            players,
            first: 0,
            fleets: [None, None],
            shots: (list_of(rules.ruleset()) == "shots").then(Vec::new),
            moves: (list_of(rules.ruleset()) == "moves").then(Vec::new),
            winner: None,
            by: None,
            ended_by: EndedBy::Interrupted,
            reason: String::new(),
            figures: Vec::new(),
        }
    }
}

/// Returns the name of the list of turns in a record: the first game called its turns shots.
const fn list_of(ruleset: Ruleset) -> &'static str {
    if matches!(ruleset, Ruleset::Classic | Ruleset::Salvo) {
        "shots"
    } else {
        "moves"
    }
}

/// The place of a game in a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InContest {
    /// The id of the contest, as in the header.
    pub id: String,
    /// The series, from 1.
    pub series: usize,
    /// Its number among the games between these two players in this contest, from 1.
    pub game: u32,
}

impl GameRecord {
    /// Returns all turns, in order.
    #[must_use]
    pub fn turns(&self) -> &[PlayedTurn] {
        self.shots
            .as_deref()
            .or(self.moves.as_deref())
            .unwrap_or_default()
    }

    /// Returns the list of all turns, to change it.
    pub fn turns_mut(&mut self) -> &mut Vec<PlayedTurn> {
        match list_of(self.rules) {
            "shots" => self.shots.get_or_insert_default(),
            _ => self.moves.get_or_insert_default(),
        }
    }

    /// Returns how many turns of the player on `seat`, 0 or 1, hit something.
    #[must_use]
    pub fn hits_of(&self, seat: usize) -> usize {
        let is_hit = |played: &&PlayedTurn| played.turn.impact().is_hit();
        self.turns_of(seat).filter(is_hit).count()
    }

    /// Returns the turns of the player on `seat`, 0 or 1, in order.
    pub fn turns_of(&self, seat: usize) -> impl Iterator<Item = &PlayedTurn> {
        self.turns()
            .iter()
            .filter(move |turn| turn.mover.index() == seat)
    }

    /// Returns the name of the list of turns, if the record should have one and has none.
    pub(super) fn missing_turns(&self) -> Option<&'static str> {
        let list = list_of(self.rules);
        let is_there = if list == "shots" {
            self.shots.is_some()
        } else {
            self.moves.is_some()
        };
        (!is_there).then_some(list)
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
pub struct SandboxOfGame {
    /// The amount that it took away.
    pub level: SandboxLevel,
    /// The attempts of an attacking process, confined in the same way before the game, that were refused.
    pub refused: Vec<String>,
    /// The limits that the kernel held for all processes of a bot together: `memory`, `pids`, `cpu`. The referee counted the
    /// rest.
    pub hard_limits: Vec<String>,
}

/// Returns a time as records have it: in whole milliseconds.
#[must_use]
pub fn in_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// One player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Its name; no two players of a game have the same name.
    pub name: String,
    /// Its name for itself, if that is something else and no other player's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_itself: Option<String>,
    /// The command that starts it.
    pub command: String,
    /// Whether a student handed that command in: it is data, and only a class starts it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub submission: bool,
    /// Its author, if it says.
    pub author: Option<String>,
    /// Whether a person plays.
    pub human: bool,
    /// Its seed in this game.
    pub seed: u32,
    /// The time that it could take for a reply, in milliseconds; `None` for no limit.
    pub limit_ms: Option<u64>,
    /// Its oddities, though it was not a fault, in a sentence each.
    pub warnings: Vec<String>,
}

impl Player {
    /// Returns what is known of `player` before its game: it has this `seed`, and `limit` for each reply; `None` for no limit.
    #[must_use]
    pub fn of(player: &Entrant, seed: u32, limit: Option<Duration>) -> Player {
        Player {
            name: player.name.clone(),
            calls_itself: None,
            command: player.program.command_line.clone(),
            submission: player.program.view.is_closed(),
            author: None,
            human: player.human,
            seed,
            limit_ms: limit.map(in_milliseconds),
            warnings: Vec::new(),
        }
    }
}

/// The place of a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The row of its topmost or leftmost cell.
    pub row: i32,
    /// The column of that cell.
    pub col: i32,
    /// `h` or `v`.
    pub direction: char,
}

impl From<Placement> for Placed {
    fn from(
        Placement {
            top_or_left,
            direction,
        }: Placement,
    ) -> Placed {
        Placed {
            row: top_or_left.row,
            col: top_or_left.col,
            direction: direction.letter(),
        }
    }
}
