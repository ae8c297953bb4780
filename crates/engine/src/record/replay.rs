//! A recorded game, played again as the events that it was made of.

use battleship::twist::Fleet;
use battleship::{Direction, Placement, PlayedTurn, Point, Rules, Side};
use thiserror::Error;

use super::{GameRecord, Placed};
use crate::game::{EndedBy, Ending, Event, GameListener, Stop};
use battleship::table::InPlay;

/// The reason why a recorded game cannot be played again.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// It ended before there was anything to see.
    #[error("there is nothing to see of this game: {0}")]
    NotBegun(String),
    /// It was played by rules that version 1.0.0 had.
    #[error(
        "version 1.0.0 played this game by `--apart=sides` or `--salvo-results count`, which this version has not; that one replays it"
    )]
    Withdrawn,
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

/// Plays a recorded game again: `listener` hears everything that happened in it, in order.
///
/// # Errors
/// If the record contradicts the rules, or if `listener` stops.
pub fn replay(record: &GameRecord, listener: &mut GameListener<'_>) -> Result<(), ReplayError> {
    let rules = rules_of(record)?;
    let [Some(one), Some(two)] = &record.fleets else {
        return Err(ReplayError::NotBegun(record.reason.clone()));
    };
    let ending = ending_of(record)?;
    let game = rules.begin();
    let mut position = InPlay { game, turn: None };
    for (side, fleet) in Side::BOTH.into_iter().zip([one, two]) {
        let placements = fleet
            .iter()
            .map(placement_of)
            .collect::<Result<Vec<_>, _>>()?;
        position.game.place(side, &placements).map_err(wrong)?;
    }
    position.game.start(side(record.first)?);
    listener.on_event(&Event::Begun {
        position: &position,
    })?;
    for (number, recorded) in (1..).zip(record.turns()) {
        let wrong = |what: String| ReplayError::Turn { turn: number, what };
        let PlayedTurn { mover, turn, .. } = recorded;
        match position.game.mover() {
            None => return Err(wrong("the game is over".to_owned())),
            Some(due) if due != *mover => {
                return Err(wrong("it is not this player's turn".to_owned()));
            }
            Some(_) => {}
        }
        if !position.game.is_mid_turn() {
            listener.on_event(&Event::Asked {
                side: *mover,
                position: &position,
            })?;
        }
        let played = position.game.play(turn.step());
        let played = played.ok_or_else(|| wrong("it is a turn of another game".to_owned()))?;
        if !turn.agrees_with(&played) {
            let (recorded, played) = (turn.result_in_words(), played.result_in_words());
            let reply = turn.reply();
            return Err(wrong(format!(
                "{recorded} for {reply}, where the rules say {played}"
            )));
        }
        position.turn = Some(turn.clone());
        listener.on_event(&Event::Played {
            side: *mover,
            time: recorded.time(),
            position: &position,
        })?;
    }
    check_winner(&ending, position.game.winner())?;
    if let Some(side) = position
        .game
        .mover()
        .filter(|_| ending.ended_by != EndedBy::TurnCap)
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

fn side(index: usize) -> Result<Side, ReplayError> {
    Side::try_from(index).map_err(|_| wrong("a third player"))
}

/// Returns how a recorded game ended.
fn ending_of(record: &GameRecord) -> Result<Ending, ReplayError> {
    let winner = record.winner.as_ref().map(|winner| {
        let place = record
            .players
            .iter()
            .position(|player| player.name == *winner);
        place
            .ok_or_else(|| wrong("another player has won"))
            .and_then(side)
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
    let name = game
        .by
        .and_then(|by| game.players.get(by))
        .map(|player| &player.name);
    let rest = name.and_then(|name| game.reason.strip_prefix(name.as_str()));
    let rest = rest.map(|rest| rest.strip_prefix(" forfeits:").unwrap_or(rest).trim_start());
    rest.unwrap_or(&game.reason).to_owned()
}

/// Returns the rules of a recorded game.
///
/// # Errors
/// If this version has no such rules.
pub fn rules_of(record: &GameRecord) -> Result<Rules, ReplayError> {
    let GameRecord {
        rules,
        rows,
        cols,
        ships,
        options,
        ..
    } = record;
    if options.withdrawn {
        return Err(ReplayError::Withdrawn);
    }
    Rules::new(*rules, [*rows, *cols], ships, *options).map_err(wrong)
}

/// Returns where a recorded ship lies, as the protocol has it.
///
/// # Errors
/// If its direction is neither `h` nor `v`.
pub(crate) fn placement_of(placed: &Placed) -> Result<Placement, ReplayError> {
    let direction = Direction::from_letter(placed.direction);
    let direction = direction.ok_or_else(|| wrong("a ship lies neither across nor down"))?;
    Ok(Placement {
        top_or_left: Point::new(placed.row, placed.col),
        direction,
    })
}

/// Returns the fleet of the twist game that is placed so.
///
/// # Errors
/// If the rules do not allow it.
pub(super) fn fleet_of_twist(fleet: &[Placed]) -> Result<Fleet, ReplayError> {
    let placements = fleet
        .iter()
        .map(placement_of)
        .collect::<Result<Vec<_>, _>>()?;
    Fleet::new(&placements).map_err(wrong)
}
