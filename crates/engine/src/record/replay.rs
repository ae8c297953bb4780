//! A recorded game, played again as the events that it was made of.

use std::time::Duration;

use battleship::protocol::fleet_of;
use battleship::twist::Fleet;
use battleship::{Direction, GameOver, GameState, Placement, Point, Side};
use thiserror::Error;

use super::turns::{RecordedGame, WithRecordedGame, rules_with_record};
use super::{GameRecord, Placed};
use crate::game::{EndedBy, Ending, Event, Listener, Stop};
use crate::terms::Rules;

/// Why a recorded game cannot be played again.
#[derive(Debug, Error)]
pub enum ReplayError {
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
pub fn replay(record: &GameRecord, listener: &mut dyn Listener) -> Result<(), ReplayError> {
    let rules = rules_of(record)?;
    rules_with_record(&rules, Replay { record, listener })
}

/// A recorded game that is played again.
struct Replay<'r> {
    record: &'r GameRecord,
    listener: &'r mut dyn Listener,
}

impl WithRecordedGame for Replay<'_> {
    type Output = Result<(), ReplayError>;

    fn with<G: RecordedGame>(self, game: &G) -> Result<(), ReplayError> {
        replay_by(game, self.record, self.listener)
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

/// Returns the rules of a recorded game.
///
/// # Errors
/// If there is no such board or fleet.
pub fn rules_of(record: &GameRecord) -> Result<Rules, ReplayError> {
    let GameRecord { rules, rows, cols, ships, .. } = record;
    Rules::recorded(*rules, *rows, *cols, ships).map_err(wrong)
}

/// Returns where a recorded ship lies, as the protocol has it.
///
/// # Errors
/// If its direction is neither `h` nor `v`.
pub fn placement_of(placed: &Placed) -> Result<Placement, ReplayError> {
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
