use std::io;
use std::time::Duration;

use battleship::protocol::{Reply, Request, Ruleset};
use battleship::{AttackResult, Board, Game, Point};

use super::placement::place_fleet;
use super::reply::{Over, bad_reply, understand};
use super::setup::{Match, announce, conclude, tell_ending};
use super::{EndedBy, Ending, Event, Listener};
use bothost::{Lane, Side};

/// Plays one classic game; see [`super::play()`].
pub(super) fn play(
    lane: &mut Lane,
    game: &Match,
    rules: &Game,
    first: Side,
    listener: &mut dyn Listener,
) -> io::Result<Ending> {
    let mut boards = [Board::new(rules), Board::new(rules)];
    let over = set_up(lane, game, rules, first, &mut boards)
        .and_then(|()| take_turns(lane, game, first, &mut boards, listener));
    let ending = conclude(lane, over)?;
    let [one, two] = &boards;
    tell_ending(listener, &ending, Some([one, two]))
}

/// Announces the game and has both players place their ships, the first mover first.
fn set_up(
    lane: &mut Lane,
    game: &Match,
    rules: &Game,
    first: Side,
    boards: &mut [Board<'_>; 2],
) -> Result<(), Over> {
    for side in [first, first.other()] {
        announce_classic(lane, side, rules, game.seeds[side.index()])?;
        let answer = lane.ask(side, &Request::Place, game.limits[side.index()]);
        let line = answer.map_err(|error| Over::of(side, error))?.line;
        let n_ships = rules.n_ships();
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

/// Announces a classic game by `rules` to the player on `side`.
pub(crate) fn announce_classic(
    lane: &mut Lane,
    side: Side,
    rules: &Game,
    seed: u32,
) -> io::Result<()> {
    let ships = rules.ships().iter().map(|ship| (ship.length, ship.symbol, &ship.name[..]));
    announce(lane, side, Ruleset::Classic, [rules.rows(), rules.cols()], ships, seed)
}

fn take_turns(
    lane: &mut Lane,
    game: &Match,
    first: Side,
    boards: &mut [Board<'_>; 2],
    listener: &mut dyn Listener,
) -> Result<Ending, Over> {
    listener.hear(&Event::Placed)?;
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
