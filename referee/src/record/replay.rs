//! A recorded game, played again as the events that it was made of.

use std::time::Duration;

use battleship::protocol::{OrderResult, fleet_of};
use battleship::twist::Fleet;
use battleship::{AttackResult, Direction, Game, GameOver, GameState, Placement, Point, Side};
use thiserror::Error;

use super::{GameRecord, Placed};
use crate::game::{
    Classic, EndedBy, Ending, Event, Listener, ResultOf, Stop, TurnOf, Twist, WireGame,
};
use crate::terms::RulesName;

/// Why a recorded game cannot be played again.
#[derive(Debug, Error)]
pub(crate) enum ReplayError {
    /// It ended before there was anything to see.
    #[error("there is nothing to see of this game: {0}")]
    NotBegun(String),
    /// It contradicts the rules or itself.
    #[error("the record cannot be right: {0}")]
    Wrong(String),
    /// The rules do not allow a turn, or give it another result.
    #[error("the record cannot be right: turn {turn}: {what}")]
    Turn {
        /// Which, from 1.
        turn: usize,
        /// What is wrong.
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

/// Plays a recorded game again: `listener` hears everything that happened in it, in order.
///
/// # Errors
/// If the record contradicts the rules, or if `listener` stops.
pub(crate) fn replay(record: &GameRecord, listener: &mut dyn Listener) -> Result<(), ReplayError> {
    match record.rules {
        RulesName::Classic => replay_by(&Classic(&rules_of(record)?), record, listener),
        RulesName::Twist => replay_by(&Twist, record, listener),
    }
}

/// How a game's turns are recorded.
trait RecordedGame: WireGame {
    /// Returns the turns with their players, recorded results and times in microseconds.
    fn turns(record: &GameRecord) -> Vec<RecordedTurn<Self>>;

    /// Returns what is wrong if the rules give a turn the result `played`, or `None` if that agrees with the record.
    fn disagreement(recorded: &RecordedTurn<Self>, played: &ResultOf<Self>) -> Option<String>;
}

struct RecordedTurn<G: WireGame + ?Sized> {
    player: u8,
    turn: TurnOf<G>,
    result: ResultOf<G>,
    us: u32,
}

impl RecordedGame for Classic<'_> {
    fn turns(record: &GameRecord) -> Vec<RecordedTurn<Self>> {
        let turns = record.shots.iter().map(|shot| RecordedTurn {
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
        let turns = record.moves.iter().map(|turn| RecordedTurn {
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

fn replay_by<G: RecordedGame>(
    game: &G,
    record: &GameRecord,
    listener: &mut dyn Listener,
) -> Result<(), ReplayError> {
    let [Some(one), Some(two)] = &record.fleets else {
        return Err(ReplayError::NotBegun(record.reason.clone()));
    };
    let ending = ending_of(record)?;
    let mut fleets = game.no_fleets();
    for (side, fleet) in Side::BOTH.into_iter().zip([one, two]) {
        let placements = fleet.iter().map(placement_of).collect::<Result<Vec<_>, _>>()?;
        game.place(&mut fleets, side, &placements).map_err(wrong)?;
    }
    let mut state = game.begin(fleets, side(record.first)?);
    listener.hear(&Event::Placed { position: G::position(&state) })?;
    for (number, recorded) in (1..).zip(G::turns(record)) {
        let wrong = |what: String| ReplayError::Turn { turn: number, what };
        let mover = side(recorded.player.into())?;
        match state.turn() {
            None => return Err(wrong(GameOver.to_string())),
            Some(due) if due != mover => {
                return Err(wrong("it is not this player's turn".to_owned()));
            }
            Some(_) => {}
        }
        listener.hear(&Event::Turn { mover, position: G::position(&state) })?;
        let played = state.play(recorded.turn).map_err(|over| wrong(over.to_string()))?;
        if let Some(what) = G::disagreement(&recorded, &played) {
            return Err(wrong(what));
        }
        let time = Duration::from_micros(recorded.us.into());
        let (played, position) = (G::played(recorded.turn, &recorded.result), G::position(&state));
        listener.hear(&Event::Played { mover, played, time, position })?;
    }
    check_winner(&ending, state.winner())?;
    if let Some(mover) = state.turn().filter(|_| ending.ended_by != EndedBy::TurnCap) {
        // It ended in the middle of a turn: this player was asked and did not play it.
        listener.hear(&Event::Turn { mover, position: G::position(&state) })?;
    }
    listener.hear(&Event::Ended { ending: &ending, position: Some(G::position(&state)) })?;
    Ok(())
}

fn side(index: usize) -> Result<Side, ReplayError> {
    Side::try_from(index).map_err(|_| wrong("a third player"))
}

/// Returns how a recorded game ended.
fn ending_of(record: &GameRecord) -> Result<Ending, ReplayError> {
    let winner = record.winner.as_ref().map(|winner| {
        let place = record.players.iter().position(|player| player.name == *winner);
        place.ok_or_else(|| wrong("another player has won")).and_then(side)
    });
    Ok(Ending {
        winner: winner.transpose()?,
        by: record.by.map(side).transpose()?,
        ended_by: record.ended_by,
        what: without_name(record),
    })
}

/// Checks that a game ended as it should in which `winner` has sunk its opponent's whole fleet, or neither has.
fn check_winner(ending: &Ending, winner: Option<Side>) -> Result<(), ReplayError> {
    match winner {
        None if ending.ended_by == EndedBy::FleetSunk => Err(wrong("no fleet has been sunk")),
        Some(_) if ending.ended_by != EndedBy::FleetSunk || ending.winner != winner => {
            Err(wrong("a fleet has been sunk, and it ended in another way"))
        }
        None | Some(_) => Ok(()),
    }
}

/// Returns the reason without the name before it, as an [`Ending`] has it.
fn without_name(game: &GameRecord) -> String {
    let name = game.by.and_then(|by| game.players.get(by)).map(|player| &player.name);
    let rest = name.and_then(|name| game.reason.strip_prefix(name.as_str()));
    let rest = rest.map(|rest| rest.strip_prefix(" forfeits:").unwrap_or(rest).trim_start());
    rest.unwrap_or(&game.reason).to_owned()
}

/// Returns the board and the ships of a recorded classic game.
///
/// # Errors
/// If the rules do not allow them.
pub(crate) fn rules_of(game: &GameRecord) -> Result<Game, ReplayError> {
    let mut rules = Game::new(game.rows, game.cols).map_err(wrong)?;
    for ship in &game.ships {
        rules.add_ship(ship.length, ship.symbol, &ship.name).map_err(wrong)?;
    }
    Ok(rules)
}

/// Returns where a recorded ship lies, as the protocol has it.
///
/// # Errors
/// If its direction is neither `h` nor `v`.
pub(crate) fn placement_of(placed: &Placed) -> Result<Placement, ReplayError> {
    let direction = Direction::from_letter(placed.direction);
    let direction = direction.ok_or_else(|| wrong("a ship lies neither across nor down"))?;
    Ok(Placement { top_or_left: Point::new(placed.row, placed.col), direction })
}

/// Returns the fleet of the twist game that is placed so.
///
/// # Errors
/// If the rules do not allow it.
pub(super) fn fleet_of_twist(fleet: &[Placed]) -> Result<Fleet, ReplayError> {
    let placements = fleet.iter().map(placement_of).collect::<Result<Vec<_>, _>>()?;
    fleet_of(&placements).map_err(wrong)
}
