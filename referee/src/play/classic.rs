use std::io;
use std::time::Duration;

use battleship::protocol::{Outcome, Reply, Request, Ruleset};
use battleship::{AttackResult, Board, Game, Point};

use super::placement::place_fleet;
use super::reply::{Over, bad_reply, understand};
use super::{EndedBy, Ending, Event, Listener};
use crate::process::{Lane, Side};

/// What a game is played with.
#[derive(Clone, Debug)]
pub struct Match {
    /// The boards and the fleet.
    pub game: Game,
    /// The seed of each bot, in order.
    pub seeds: [u32; 2],
    /// How long each player may take for a reply; nothing for no limit.
    pub limits: [Option<Duration>; 2],
    /// How many attacks each player may make before the game ends without a winner.
    pub max_turns: u32,
}

/// The attacks that each player of `game` may make unless something else is asked for: ten times the cells.
#[must_use]
pub fn default_max_turns(game: &Game) -> u32 {
    u32::try_from(10 * game.rows() * game.cols()).expect("at most 100 cells")
}

/// Plays one game between the bots of `lane`, which have been greeted; the player on `first` moves first.
/// `listener` is told of everything, and both bots are told the end. One that has failed is good for no other
/// game.
///
/// # Errors
/// If the referee or its machine fails. Whatever a bot does is an [`Ending`].
pub fn play(
    lane: &mut Lane,
    game: &Match,
    first: Side,
    listener: &mut dyn Listener,
) -> io::Result<Ending> {
    let mut boards = [Board::new(&game.game), Board::new(&game.game)];
    let over = set_up(lane, game, first, &mut boards)
        .and_then(|()| take_turns(lane, game, first, &mut boards, listener));
    let ending = match over {
        Ok(ending) | Err(Over::Ended(ending)) => ending,
        Err(Over::Failed(error)) => return Err(error),
    };
    for side in Side::BOTH {
        let outcome = match ending.winner {
            None => Outcome::Void,
            Some(winner) if winner == side => Outcome::Won,
            Some(_) => Outcome::Lost,
        };
        lane.tell(side, &Request::End(outcome, ending.ended_by.to_string()))?;
    }
    let [one, two] = &boards;
    match listener
        .hear(&Event::Ended { ending: &ending, boards: Some([one, two]) })
        .map_err(Over::from)
    {
        Ok(()) => Ok(ending),
        Err(Over::Ended(interrupted)) => Ok(interrupted),
        Err(Over::Failed(error)) => Err(error),
    }
}

/// Announces the game and has both players place their ships, the first mover first.
fn set_up(
    lane: &mut Lane,
    game: &Match,
    first: Side,
    boards: &mut [Board<'_>; 2],
) -> Result<(), Over> {
    for side in [first, first.other()] {
        announce(lane, game, side)?;
        let answer = lane.ask(side, &Request::Place, game.limits[side.index()]);
        let line = answer.map_err(|error| Over::of(side, error))?.line;
        let n_ships = game.game.n_ships();
        let expected = format!("\"place ROW COL h|v ...\" ({n_ships} ships) or \"place none\"");
        let reply = understand(side, &expected, line)?;
        if reply == Reply::PlaceNone {
            let what = "could not place its ships";
            return Err(Ending::void(Some(side), EndedBy::CannotPlace, what).into());
        }
        let Reply::Place(fleet) = reply else {
            return Err(bad_reply(side, &expected, line, None).into());
        };
        place_fleet(&mut boards[side.index()], &fleet)
            .map_err(|faults| Ending::lost_by(side, EndedBy::IllegalPlacement, faults))?;
    }
    Ok(())
}

fn announce(lane: &mut Lane, game: &Match, side: Side) -> io::Result<()> {
    let (rows, cols) = (game.game.rows(), game.game.cols());
    lane.tell(side, &Request::Game { ruleset: Ruleset::Classic, rows, cols })?;
    for (id, ship) in game.game.ships().iter().enumerate() {
        let (length, symbol, name) = (ship.length, ship.symbol, ship.name.clone());
        lane.tell(side, &Request::Ship { id, length, symbol, name })?;
    }
    lane.tell(side, &Request::Seed(game.seeds[side.index()]))
}

fn take_turns(
    lane: &mut Lane,
    game: &Match,
    first: Side,
    boards: &mut [Board<'_>; 2],
    listener: &mut dyn Listener,
) -> Result<Ending, Over> {
    let [one, two] = &*boards;
    listener.hear(&Event::Placed { boards: [one, two] })?;
    for _ in 0..game.max_turns {
        for mover in [first, first.other()] {
            let target = &mut boards[mover.other().index()];
            listener.hear(&Event::Turn { mover, target })?;
            let (at, time) = ask_for_attack(lane, mover, game.limits[mover.index()])?;
            let result = target.attack(at).map_or(AttackResult::Wasted, AttackResult::from);
            lane.tell(mover, &Request::Result(at, result))?;
            lane.tell(mover.other(), &Request::Opponent(at))?;
            listener.hear(&Event::Attacked { mover, target, at, result, time })?;
            if matches!(result, AttackResult::Sunk(_)) && target.all_ships_destroyed() {
                return Ok(Ending::won_by(mover));
            }
        }
    }
    let what = format!("nobody sank the other's fleet in {} attacks each", game.max_turns);
    Ok(Ending::void(None, EndedBy::TurnCap, what))
}

fn ask_for_attack(
    lane: &mut Lane,
    side: Side,
    limit: Option<Duration>,
) -> Result<(Point, Duration), Over> {
    let answer = lane.ask(side, &Request::Attack, limit).map_err(|error| Over::of(side, error))?;
    let expected = "\"attack ROW COL\"";
    let Reply::Attack(at) = understand(side, expected, answer.line)? else {
        return Err(bad_reply(side, expected, answer.line, None).into());
    };
    Ok((at, answer.time))
}
