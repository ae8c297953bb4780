//! Replays a recorded game as the events it was made of.

use std::time::Duration;

use battleship::protocol::OrderResult;
use battleship::twist::{self, Cell, Fleet, Quirks, State};
use battleship::{AttackResult, Board, Direction, Game, Placement, Point};
use thiserror::Error;

use super::{GameRecord, Placed, ShotResult};
use crate::game::{EndedBy, Ending, Event, Listener, Stop};
use crate::terms::RulesName;
use bothost::Side;

/// Why a recorded game cannot be played again.
#[derive(Debug, Error)]
pub(crate) enum ReplayError {
    /// It ended before there was anything to see.
    #[error("there is nothing to see of this game: {0}")]
    NotBegun(String),
    /// What it says of the game cannot be.
    #[error("the record cannot be right: {0}")]
    Wrong(String),
    /// A turn of it cannot be, or not with that result.
    #[error("the record cannot be right: turn {turn}: {what}")]
    Turn {
        /// Which, from 1.
        turn: usize,
        /// What is wrong.
        what: String,
    },
    /// The listener wants no more, or cannot take more.
    #[error(transparent)]
    Stop(#[from] Stop),
}

#[allow(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn wrong(what: impl ToString) -> ReplayError {
    ReplayError::Wrong(what.to_string())
}

/// Lets `listener` hear of everything that happened in a recorded game, in order.
///
/// # Errors
/// If the record contradicts the rules, or if `listener` stops.
pub(crate) fn replay(game: &GameRecord, listener: &mut dyn Listener) -> Result<(), ReplayError> {
    let [Some(one), Some(two)] = &game.fleets else {
        return Err(ReplayError::NotBegun(game.reason.clone()));
    };
    let seat = |index: usize| Side::BOTH.get(index).copied().ok_or_else(|| wrong("a third player"));
    let winner = game.winner.as_ref().map(|winner| {
        let place = game.players.iter().position(|player| player.name == *winner);
        place.ok_or_else(|| wrong("another player has won"))
    });
    let ending = Ending {
        winner: winner.transpose()?.map(seat).transpose()?,
        by: game.by.map(seat).transpose()?,
        ended_by: game.ended_by,
        what: without_name(game),
    };
    if game.rules == RulesName::Twist {
        let winner = replay_twist(game, [one, two], seat(game.first)?, listener)?;
        check_winner(&ending, winner)?;
        listener.hear(&Event::Ended { ending: &ending, boards: None })?;
        return Ok(());
    }
    let rules = rules_of(game)?;
    let mut boards = [board_of(&rules, one)?, board_of(&rules, two)?];
    listener.hear(&Event::Placed)?;
    let first = seat(game.first)?;
    let due = |turn: usize| if turn % 2 == 1 { first } else { first.other() };
    for (turn, shot) in (1..).zip(&game.shots) {
        let mover = seat(shot.player.into())?;
        let wrong = |what: &str| ReplayError::Turn { turn, what: what.to_owned() };
        if mover != due(turn) {
            return Err(wrong("it is not this player's turn"));
        }
        if boards.iter().any(Board::all_ships_destroyed) {
            return Err(wrong("the game is over"));
        }
        let target = &mut boards[mover.other().index()];
        listener.hear(&Event::Turn { mover, target })?;
        let at = Point::new(shot.row, shot.col);
        let result = target.attack(at).map_or(AttackResult::Wasted, AttackResult::from);
        if ShotResult::from(result) != shot.result {
            let what = format!("{} at {at}, where the rules say {result}", shot.result);
            return Err(ReplayError::Turn { turn, what });
        }
        let time = Duration::from_micros(shot.us.into());
        listener.hear(&Event::Attacked { mover, target, at, result, time })?;
    }
    let sunk = boards.iter().position(Board::all_ships_destroyed);
    check_winner(&ending, sunk.map(seat).transpose()?.map(Side::other))?;
    if !matches!(game.ended_by, EndedBy::FleetSunk | EndedBy::TurnCap) {
        // It ended in a turn: the player that was asked for an attack made none.
        let mover = due(game.shots.len() + 1);
        listener.hear(&Event::Turn { mover, target: &boards[mover.other().index()] })?;
    }
    let [first, second] = &boards;
    listener.hear(&Event::Ended { ending: &ending, boards: Some([first, second]) })?;
    Ok(())
}

/// Checks that the game ended as it should when `winner` has sunk the whole fleet of the other, or `None` has.
fn check_winner(ending: &Ending, winner: Option<Side>) -> Result<(), ReplayError> {
    match winner {
        None if ending.ended_by == EndedBy::FleetSunk => Err(wrong("no fleet has been sunk")),
        Some(_) if ending.ended_by != EndedBy::FleetSunk || ending.winner != winner => {
            Err(wrong("a fleet has been sunk, and it ended in another way"))
        }
        None | Some(_) => Ok(()),
    }
}

/// The reason without the name before it, as an ending has it.
fn without_name(game: &GameRecord) -> String {
    let name = game.by.and_then(|by| game.players.get(by)).map(|player| &player.name);
    let rest = name.and_then(|name| game.reason.strip_prefix(name.as_str()));
    let rest = rest.map(|rest| rest.strip_prefix(" forfeits:").unwrap_or(rest).trim_start());
    rest.unwrap_or(&game.reason).to_owned()
}

/// The board and the ships of a recorded classic game.
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

fn board_of<'g>(rules: &'g Game, fleet: &[Placed]) -> Result<Board<'g>, ReplayError> {
    let mut board = Board::new(rules);
    for (ship, placed) in fleet.iter().enumerate() {
        let Placement { top_or_left, direction } = placement_of(placed)?;
        board.place_ship(top_or_left, ship, direction).map_err(wrong)?;
    }
    Ok(board)
}

/// Where a ship lies, as the protocol has it.
///
/// # Errors
/// If its direction is none.
pub(crate) fn placement_of(placed: &Placed) -> Result<Placement, ReplayError> {
    let direction = Direction::from_letter(placed.direction);
    let direction = direction.ok_or_else(|| wrong("a ship lies neither across nor down"))?;
    Ok(Placement { top_or_left: Point::new(placed.row, placed.col), direction })
}

/// The fleet of the twist game that is placed so.
///
/// # Errors
/// If the rules do not allow it.
pub(crate) fn fleet_of_twist(fleet: &[Placed]) -> Result<Fleet, ReplayError> {
    let unit = |placed: &Placed| {
        let Placement { top_or_left, direction } = placement_of(placed)?;
        let bow = battleship::protocol::cell_at(top_or_left);
        let bow: Cell = bow.ok_or_else(|| wrong("a unit is outside the grid"))?;
        Ok(twist::Placement { bow, direction })
    };
    let units = fleet.iter().map(unit).collect::<Result<Vec<_>, ReplayError>>()?;
    Fleet::new(&units).map_err(wrong)
}

/// Returns who has sunk the whole fleet of the other.
fn replay_twist(
    game: &GameRecord,
    fleets: [&Vec<Placed>; 2],
    first: Side,
    listener: &mut dyn Listener,
) -> Result<Option<Side>, ReplayError> {
    let [one, two] = fleets.map(|fleet| fleet_of_twist(fleet));
    let mut state = State::new([one?, two?], first, Quirks::default());
    listener.hear(&Event::UnitsPlaced { state: &state })?;
    for (turn, moved) in (1..).zip(&game.moves) {
        let wrong = |what: String| ReplayError::Turn { turn, what };
        let mover = Side::BOTH.get(usize::from(moved.player)).copied();
        let mover = mover.ok_or_else(|| wrong("a third player".to_owned()))?;
        listener.hear(&Event::TurnToOrder { mover, state: &state })?;
        let order = moved.order();
        let result = if let Some(why) = moved.result.strip_prefix("refused ") {
            state.pass(mover).map_err(|why| wrong(why.to_string()))?;
            OrderResult::Refused(why.to_owned())
        } else {
            let on_grid = order.on_grid().ok_or_else(|| wrong("outside the grid".to_owned()))?;
            let event = state.act(mover, on_grid);
            OrderResult::from(event.map_err(|why| wrong(why.to_string()))?.effect)
        };
        if result.to_string() != moved.result {
            let what = format!("{} for {order}, where the rules say {result}", moved.result);
            return Err(wrong(what));
        }
        let time = Duration::from_micros(moved.us.into());
        listener.hear(&Event::Ordered { mover, order, result: &result, time, state: &state })?;
    }
    Ok(Side::BOTH.into_iter().find(|winner| state.winner() == Some(*winner)))
}
