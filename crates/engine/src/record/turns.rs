//! What is particular to each game in a record: its turns and its fleets, on the way in and on the way out.

use battleship::protocol::OrderResult;
use battleship::twist::{Fleet, Unit};
use battleship::{AttackResult, Board, Point, Side};

use super::{GameRecord, Move, Placed, Shot};
use crate::game::{Classic, Played, Position, ResultOf, TurnOf, Twist, WireGame};
use crate::terms::Rules;

/// Something that is done with a game of some rules and its record, whichever game that is.
pub(super) trait WithRecordedGame {
    /// What it returns.
    type Output;

    /// Does it with `game`.
    fn with<G: RecordedGame>(self, game: &G) -> Self::Output;
}

/// Does `work` with the game that is played by these rules.
pub(super) fn rules_with_record<W: WithRecordedGame>(rules: &Rules, work: W) -> W::Output {
    match rules {
        Rules::Classic(game) => work.with(&Classic(game)),
        Rules::Twist => work.with(&Twist),
    }
}

/// How a game's turns are recorded.
pub(super) trait RecordedGame: WireGame {
    /// Returns the turns with their players, recorded results and times in microseconds.
    fn turns(record: &GameRecord) -> Vec<RecordedTurn<Self>>;

    /// Returns what is wrong if the rules give a turn the result `played`, or `None` if that agrees with the record.
    fn disagreement(recorded: &RecordedTurn<Self>, played: &ResultOf<Self>) -> Option<String>;
}

/// A turn as it is recorded.
pub(super) struct RecordedTurn<G: WireGame + ?Sized> {
    pub(super) player: u8,
    pub(super) turn: TurnOf<G>,
    pub(super) result: ResultOf<G>,
    pub(super) us: u32,
}

impl RecordedGame for Classic<'_> {
    fn turns(record: &GameRecord) -> Vec<RecordedTurn<Self>> {
        let turns = record.shots().iter().map(|shot| RecordedTurn {
            player: shot.player,
            turn: Point::new(shot.row, shot.col),
            result: shot.result.into(),
            us: shot.us,
        });
        turns.collect()
    }

    fn disagreement(recorded: &RecordedTurn<Self>, played: &AttackResult) -> Option<String> {
        let RecordedTurn { turn, result, .. } = recorded;
        (result != played).then(|| format!("{result} at {turn}, where the rules say {played}"))
    }
}

impl RecordedGame for Twist {
    fn turns(record: &GameRecord) -> Vec<RecordedTurn<Self>> {
        let turns = record.moves().iter().map(|turn| RecordedTurn {
            player: turn.player,
            turn: turn.order,
            result: turn.result.clone(),
            us: turn.us,
        });
        turns.collect()
    }

    fn disagreement(recorded: &RecordedTurn<Self>, played: &OrderResult) -> Option<String> {
        let RecordedTurn { turn, result, .. } = recorded;
        match (result, played) {
            // Another version of the referee may have given the reason in other words.
            (OrderResult::Refused(_), OrderResult::Refused(_)) => None,
            (_, OrderResult::Refused(why)) => Some(why.clone()),
            _ if result == played => None,
            _ => Some(format!("{result} for {turn}, where the rules say {played}")),
        }
    }
}

/// Appends a turn to the record of its game.
pub(super) fn record_turn(record: &mut GameRecord, mover: Side, played: &Played<'_>, us: u32) {
    let player = u8::from(mover == Side::Two);
    match played {
        Played::Attack { at, result } => {
            let (row, col, result) = (at.row, at.col, (*result).into());
            let shots = record.shots.get_or_insert_default();
            shots.push(Shot { player, row, col, result, us });
        }
        Played::Order { order, result } => {
            let (order, result) = (*order, (*result).clone());
            let moves = record.moves.get_or_insert_default();
            moves.push(Move { player, order, result, us });
        }
    }
}

/// Returns each player's ships, or `None` for a player that has not placed all of them.
pub(super) fn fleets_of(position: Position<'_>) -> [Option<Vec<Placed>>; 2] {
    match position {
        Position::Classic(boards) => boards.as_ref().map(|board| fleet_of(board)).into(),
        Position::Twist(state) => Side::BOTH.map(|side| Some(units_of(state.fleet(side)))),
    }
}

/// Returns the whole fleet on `board`; `None` if a ship is missing.
fn fleet_of(board: &Board<'_>) -> Option<Vec<Placed>> {
    let placed = |ship| {
        let place = board.placement(ship)?;
        let (at, direction) = (place.top_or_left, place.direction.letter());
        Some(Placed { row: at.row, col: at.col, direction })
    };
    (0..board.game().n_ships()).map(placed).collect()
}

/// Where the units of a twist game are.
fn units_of(fleet: &Fleet) -> Vec<Placed> {
    let placed = |unit: &Unit| {
        let (bow, direction) = (unit.placement().bow, unit.placement().direction.letter());
        Placed { row: bow.row().into(), col: bow.column().into(), direction }
    };
    fleet.units().iter().map(placed).collect()
}
