//! A game of Battleship as a line of a record: its own fields are written, read, measured and
//! played again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use thiserror::Error;
use wire::game::{DialogueLine, Game, GameReader, GameStats, Readers, Speaker};
use wire::{BySide, EndedBy, Ending, Event, GameListener, Side, Stop};

use crate::protocol::{Reply, Request};
use crate::table::InPlay;
use crate::{
    AttackResult, GameInPlay, Placement, PlayedTurn, Point, RuleOptions, Rules, Ruleset, ShipType,
    Turn, read_attacks, read_orders,
};

/// The fields of a line that are Battleship's own.
#[derive(Debug, Serialize)]
struct OwnPart {
    rows: i32,
    cols: i32,
    ships: Vec<ShipType>,
    #[serde(skip_serializing_if = "RuleOptions::is_usual")]
    options: RuleOptions,
    fleets: BySide<Option<Vec<Placement>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shots: Option<Vec<PlayedTurn>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<PlayedTurn>>,
}

/// Returns the own fields of a game by `rules` as a JSON object.
pub(crate) fn own_part(
    rules: &Rules,
    fleets: BySide<Option<Vec<Placement>>>,
    turns: Vec<PlayedTurn>,
) -> Box<RawValue> {
    let [rows, cols] = rules.size();
    let mut own = OwnPart {
        rows,
        cols,
        ships: rules.ships(),
        options: rules.options(),
        fleets,
        shots: None,
        moves: None,
    };
    if has_shots(rules.ruleset()) {
        own.shots = Some(turns);
    } else {
        own.moves = Some(turns);
    }
    to_raw_value(&own).expect("its maps have text for keys")
}

/// Returns whether a record calls the turns of a game `shots`, as those of the first game, or
/// `moves`.
const fn has_shots(ruleset: Ruleset) -> bool {
    matches!(ruleset, Ruleset::Classic | Ruleset::Salvo)
}

/// A game of Battleship as its line in a record has it.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// The game.
    pub rules: Ruleset,
    /// The number of rows and of columns of each board.
    pub size: [i32; 2],
    /// The ship types, in id order.
    pub ships: Vec<ShipType>,
    /// The options of the rules that are not as usual.
    pub options: RuleOptions,
    /// The option by which this version cannot play the game again.
    pub withdrawn: Option<WithdrawnOption>,
    /// The players.
    pub players: BySide<ListedPlayer>,
    /// The player that moved first.
    pub first: Side,
    /// Each player's ships, in id order; `None` if a player had placed none when the game ended.
    pub fleets: BySide<Option<Vec<Placement>>>,
    /// All turns, in order.
    pub turns: Vec<PlayedTurn>,
    /// The name of the winner.
    pub winner: Option<String>,
    /// The player by whom the game ended.
    pub by: Option<Side>,
    /// The typed reason.
    pub ended_by: EndedBy,
    /// The reason as a sentence.
    pub reason: String,
}

#[derive(Deserialize)]
struct Line {
    rules: Ruleset,
    rows: i32,
    cols: i32,
    ships: Vec<ShipType>,
    #[serde(default)]
    options: Value,
    players: BySide<ListedPlayer>,
    first: Side,
    fleets: BySide<Option<Vec<Placement>>>,
    #[serde(default, deserialize_with = "read_attacks")]
    shots: Option<Vec<PlayedTurn>>,
    #[serde(default, deserialize_with = "read_orders")]
    moves: Option<Vec<PlayedTurn>>,
    winner: Option<String>,
    by: Option<Side>,
    ended_by: EndedBy,
    reason: String,
}

/// An option of version 1.0.0 that later versions do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithdrawnOption {
    /// `--apart=sides`: ships may touch at corners only.
    ApartAtSides,
    /// `--salvo-results count`: a player learns the number of hits of a salvo, not the hits.
    CountedSalvos,
}

impl WithdrawnOption {
    /// Returns the withdrawn option among the recorded `options` of a game.
    fn find(options: &Value) -> Option<WithdrawnOption> {
        if options.get("apart").is_some_and(|apart| apart == "sides") {
            Some(WithdrawnOption::ApartAtSides)
        } else if options.get("count").is_some_and(|count| count == true) {
            Some(WithdrawnOption::CountedSalvos)
        } else {
            None
        }
    }

    const fn typed(self) -> &'static str {
        match self {
            WithdrawnOption::ApartAtSides => "--apart=sides",
            WithdrawnOption::CountedSalvos => "--salvo-results count",
        }
    }
}

/// A player of a recorded game, as far as Battleship reads it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ListedPlayer {
    /// The name.
    pub name: String,
    /// The seed in this game.
    pub seed: u32,
    /// The time for a reply, in milliseconds; `None` for no limit.
    pub limit_ms: Option<u64>,
}

impl<'de> Deserialize<'de> for RecordedGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RecordedGame, D::Error> {
        let line = Line::deserialize(deserializer)?;
        let (name, turns) = if has_shots(line.rules) {
            ("shots", line.shots)
        } else {
            ("moves", line.moves)
        };
        let withdrawn = WithdrawnOption::find(&line.options);
        let options = if line.options.is_null() || withdrawn.is_some() {
            RuleOptions::default()
        } else {
            RuleOptions::deserialize(line.options).map_err(serde::de::Error::custom)?
        };
        Ok(RecordedGame {
            rules: line.rules,
            size: [line.rows, line.cols],
            ships: line.ships,
            options,
            withdrawn,
            players: line.players,
            first: line.first,
            fleets: line.fleets,
            turns: turns.ok_or_else(|| serde::de::Error::missing_field(name))?,
            winner: line.winner,
            by: line.by,
            ended_by: line.ended_by,
            reason: line.reason,
        })
    }
}

/// The reason why a recorded game cannot be played again.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// It ended before there was anything to see.
    #[error("there is nothing to see of this game: {0}")]
    NotBegun(String),
    /// The game was played with an option that this version does not have.
    #[error(
        "version 1.0.0 played this game with `{}`, which this version does not have; only version 1.0.0 replays it", .0.typed()
    )]
    Withdrawn(WithdrawnOption),
    /// It contradicts the rules or itself.
    #[error("the record cannot be right: {0}")]
    Wrong(String),
    /// The rules do not allow a turn, or give it another result.
    #[error("the record cannot be right: turn {turn}: {what}")]
    Turn {
        /// The number of the turn, from 1.
        turn: usize,
        /// The fault.
        what: String,
    },
    /// The listener stops.
    #[error(transparent)]
    Stop(#[from] Stop),
}

#[allow(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn wrong(what: impl ToString) -> ReplayError {
    ReplayError::Wrong(what.to_string())
}

impl RecordedGame {
    /// Reads a game from its line in a record.
    ///
    /// # Errors
    /// If a field is missing or wrong.
    pub fn read(line: &str) -> Result<RecordedGame, serde_json::Error> {
        serde_json::from_str(line)
    }

    /// Returns the names of the players.
    pub fn names(&self) -> BySide<String> {
        self.players.as_ref().map(|player| player.name.clone())
    }

    /// Returns the turns of the player on `side`, in order.
    pub fn turns_of(&self, side: Side) -> impl Iterator<Item = &PlayedTurn> {
        self.turns.iter().filter(move |turn| turn.mover == side)
    }

    /// Returns the number of turns of the player on `side` that hit something.
    pub fn hits_of(&self, side: Side) -> usize {
        self.turns_of(side)
            .filter(|played| played.turn.impact().is_hit())
            .count()
    }

    /// Returns the rules.
    ///
    /// # Errors
    /// If this version has no such rules.
    pub fn rules(&self) -> Result<Rules, ReplayError> {
        if let Some(option) = self.withdrawn {
            return Err(ReplayError::Withdrawn(option));
        }
        Rules::new(self.rules, self.size, &self.ships, self.options).map_err(wrong)
    }

    /// Plays the game again: `listener` receives everything that happened in it, in order.
    ///
    /// # Errors
    /// If the record contradicts the rules, or if `listener` stops.
    pub fn replay(&self, listener: &mut GameListener<'_>) -> Result<(), ReplayError> {
        let game = self.rules()?.begin();
        let (Some(one), Some(two)) = (&self.fleets.one, &self.fleets.two) else {
            return Err(ReplayError::NotBegun(self.reason.clone()));
        };
        let ending = self.ending()?;
        let mut position = InPlay { game, turn: None };
        position.game.place(Side::One, one).map_err(wrong)?;
        position.game.place(Side::Two, two).map_err(wrong)?;
        position.game.start(self.first);
        listener.on_event(&Event::Begun {
            position: &position,
        })?;
        for (number, recorded) in (1..).zip(&self.turns) {
            let side = recorded.mover;
            if !position.game.is_mid_turn() {
                listener.on_event(&Event::Asked {
                    side,
                    position: &position,
                })?;
            }
            replay_turn(&mut *position.game, recorded)
                .map_err(|what| ReplayError::Turn { turn: number, what })?;
            position.turn = Some(recorded.turn.clone());
            listener.on_event(&Event::Played {
                side,
                time: recorded.time(),
                position: &position,
            })?;
        }
        check_winner(&ending, position.game.winner())?;
        if let Some(side) = position.game.mover()
            && ending.ended_by != EndedBy::TurnCap
        {
            // It ended in the middle of a turn: this player was asked and did not play it.
            listener.on_event(&Event::Asked {
                side,
                position: &position,
            })?;
        }
        listener.on_event(&Event::Ended {
            ending: &ending,
            position: Some(&position),
        })?;
        Ok(())
    }

    /// Returns the ending of the game.
    fn ending(&self) -> Result<Ending, ReplayError> {
        let winner = match &self.winner {
            None => None,
            Some(name) => {
                let mut sides = Side::BOTH.into_iter();
                let winner = sides.find(|side| self.players[*side].name == *name);
                Some(winner.ok_or_else(|| wrong("another player has won"))?)
            }
        };
        // An ending has no name of a player before its reason.
        let mut what = &*self.reason;
        if let Some(by) = self.by
            && let Some(rest) = what.strip_prefix(&*self.players[by].name)
        {
            what = rest.strip_prefix(" forfeits:").unwrap_or(rest).trim_start();
        }
        Ok(Ending {
            winner,
            by: self.by,
            ended_by: self.ended_by,
            what: what.to_owned(),
        })
    }

    /// Returns the counts of the game.
    fn stats(&self) -> GameStats {
        let mut stats = GameStats::default();
        let mut hasher = DefaultHasher::new();
        (self.size, &self.ships, self.options, &self.fleets).hash(&mut hasher);
        for played in &self.turns {
            let side = played.mover;
            side.hash(&mut hasher);
            played.turn.hash(&mut hasher);
            stats.turns[side] += 1;
            stats.hits[side] += u32::from(played.turn.impact().is_hit());
            stats.wasted[side] += u32::from(played.turn.impact() == AttackResult::Wasted);
            // A shot of a salvo that is not its first has no reply of its own.
            if played.us > 0 {
                stats.reply_us[side].push(played.us);
            }
        }
        stats.game_hash = hasher.finish();
        let cells = self.ships.iter().map(|ship| ship.length);
        let cells = cells.fold(0, i32::saturating_add);
        stats.reached = stats.hits.map(|hits| {
            // If damage is repaired, a cell may be hit more than once, so hits are not a share of
            // the cells.
            if self.rules.hits_once() {
                format!("{hits} of {cells} cells hit")
            } else {
                format!("{hits} shots that hit")
            }
        });
        stats
    }
}

/// Plays a recorded turn, and says what is wrong with it.
fn replay_turn(game: &mut dyn GameInPlay, recorded: &PlayedTurn) -> Result<(), String> {
    match game.mover() {
        None => return Err("the game is over".to_owned()),
        Some(due) if due != recorded.mover => {
            return Err("it is not this player's turn".to_owned());
        }
        Some(_) => {}
    }
    let turn = &recorded.turn;
    let played = game
        .play(turn.step())
        .ok_or("it is a turn of another game")?;
    if turn.agrees_with(&played) {
        return Ok(());
    }
    let before = turn.result_in_words();
    let now = played.result_in_words();
    let reply = turn.reply();
    Err(format!("{before} for {reply}, where the rules say {now}"))
}

/// Checks that a game ended as it should in which `winner` has sunk its opponent's whole fleet, or
/// neither has.
fn check_winner(ending: &Ending, winner: Option<Side>) -> Result<(), ReplayError> {
    match winner {
        None if ending.ended_by == EndedBy::FleetSunk => Err(wrong("no fleet has been sunk")),
        Some(_) if ending.ended_by != EndedBy::FleetSunk || ending.winner != winner => {
            Err(wrong("a fleet has been sunk, and it ended in another way"))
        }
        None | Some(_) => Ok(()),
    }
}

/// The readers of a program that knows Battleship alone.
pub const READERS: Readers = &[&BattleshipReader];

/// Reads games of Battleship in all their variants.
#[derive(Debug)]
pub struct BattleshipReader;

impl GameReader for BattleshipReader {
    fn reads(&self, rules: &str) -> bool {
        Ruleset::parse(rules).is_some()
    }

    fn game(&self, settings: &Map<String, Value>) -> Result<Arc<dyn Game>, String> {
        let mut settings = settings.clone();
        // Games with a withdrawn option are listed and counted, but never replayed.
        if settings
            .get("options")
            .and_then(WithdrawnOption::find)
            .is_some()
        {
            settings.remove("options");
        }
        let rules: Result<Rules, _> = serde_json::from_value(Value::Object(settings));
        Ok(Arc::new(rules.map_err(|error| error.to_string())?))
    }

    fn stats(&self, line: &str) -> serde_json::Result<GameStats> {
        Ok(RecordedGame::read(line)?.stats())
    }

    fn dialogue(&self, line: &str) -> Result<Vec<DialogueLine>, String> {
        let game = RecordedGame::read(line).map_err(|error| error.to_string())?;
        game.dialogue().map_err(|error| error.to_string())
    }
}

impl RecordedGame {
    /// Returns the dialogue of the game with each player, from its announcement to its last line.
    ///
    /// # Errors
    /// If the record contradicts the rules.
    pub fn dialogue(&self) -> Result<Vec<DialogueLine>, ReplayError> {
        let mut lines = Vec::new();
        let mut add = |side, from, text: String| lines.push(DialogueLine { side, from, text });
        let rules = match self.rules() {
            Ok(rules) => rules,
            // What a player was asked that had not placed its ships is known without them.
            Err(error) => {
                let side = self
                    .by
                    .filter(|by| self.fleets[*by].is_none())
                    .ok_or(error)?;
                add(side, Speaker::Request, Request::Place.to_string());
                return Ok(lines);
            }
        };
        let mut game = rules.begin();
        let mut placed = 0;
        for side in [self.first, self.first.other()] {
            let player = &self.players[side];
            let limit = player.limit_ms.map(Duration::from_millis);
            let announcement = rules.announce().into_iter();
            let own = [Some(Request::Seed(player.seed)), limit.map(Request::Limit)];
            for line in announcement.chain(own.into_iter().flatten()) {
                add(side, Speaker::Notice, line.to_string());
            }
            add(side, Speaker::Request, Request::Place.to_string());
            if let Some(fleet) = &self.fleets[side] {
                game.place(side, fleet).map_err(wrong)?;
                add(
                    side,
                    Speaker::Reply,
                    Reply::Place(fleet.clone()).to_string(),
                );
                placed += 1;
            } else if self.by != Some(side.other()) {
                break;
            }
        }
        if placed < 2 {
            return Ok(lines);
        }
        game.start(self.first);
        let mut turns = &self.turns[..];
        while let Some(side) = game.mover() {
            let request = game.request();
            if turns.is_empty() {
                // Its player was asked and did not play it.
                if self.ended_by != EndedBy::TurnCap {
                    add(side, Speaker::Request, request.to_string());
                }
                break;
            }
            let mut played = 0;
            while let Some(next) = turns.get(played) {
                replay_turn(&mut *game, next).map_err(|what| ReplayError::Turn {
                    turn: self.turns.len() - turns.len() + played + 1,
                    what,
                })?;
                played += 1;
                if !game.is_mid_turn() {
                    break;
                }
            }
            let (reply, rest) = turns.split_at(played);
            turns = rest;
            let cells: Vec<Point> = reply.iter().flat_map(|one| one.turn.cells()).collect();
            if let Some(said) = Reply::naming(&cells, &request) {
                add(side, Speaker::Request, request.to_string());
                add(side, Speaker::Reply, said.to_string());
            }
            for one in reply {
                add(side, Speaker::Notice, one.turn.result().to_string());
            }
            for notice in reply.iter().filter_map(|one| Turn::notice(&one.turn)) {
                add(side.other(), Speaker::Notice, notice.to_string());
            }
        }
        Ok(lines)
    }
}
