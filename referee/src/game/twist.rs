use std::io;

use battleship::GameState;
use battleship::protocol::{Reply, Request, Ruleset, fleet_of};
use battleship::twist::{self, Fleet, Quirks, State, UnitId};

use super::reply::{Over, bad_reply, understand};
use super::setup::{Match, announce, conclude, tell_ending};
use super::{EndedBy, Ending, Event, Listener};
use bothost::{Lane, Side};

/// Plays one twist game; see [`super::play()`].
pub(super) fn play(
    lane: &mut Lane,
    game: &Match,
    first: Side,
    listener: &mut dyn Listener,
) -> io::Result<Ending> {
    let over =
        set_up(lane, game, first).and_then(|state| take_turns(lane, game, first, state, listener));
    let ending = conclude(lane, over)?;
    tell_ending(listener, &ending, None)
}

/// Announces the game and has both players place their units, the first mover first.
fn set_up(lane: &mut Lane, game: &Match, first: Side) -> Result<State, Over> {
    let mut fleets = [None, None];
    for side in [first, first.other()] {
        announce_twist(lane, side, game.seeds[side.index()])?;
        fleets[side.index()] = Some(ask_for_fleet(lane, game, side)?);
    }
    let fleets = fleets.map(|fleet| fleet.expect("both have placed theirs"));
    Ok(State::new(fleets, first, Quirks::default()))
}

/// Announces a twist game to the player on `side`.
pub(crate) fn announce_twist(lane: &mut Lane, side: Side, seed: u32) -> io::Result<()> {
    let units = UnitId::ALL.iter().map(|unit| {
        let kind = unit.kind();
        (i32::from(kind.size()), kind.letter(), kind.name())
    });
    announce(lane, side, Ruleset::Twist, [i32::from(twist::SIZE); 2], units, seed)
}

fn ask_for_fleet(lane: &mut Lane, game: &Match, side: Side) -> Result<Fleet, Over> {
    let answer = lane.ask(side, &Request::Place, game.limits[side.index()]);
    let line = answer.map_err(|error| Over::of(side, error))?.line;
    let expected = "\"place ROW COL h|v ...\" (8 units) or \"place none\"";
    let reply = understand(side, expected, line)?;
    if reply == Reply::PlaceNone {
        let what = "could not place its units";
        return Err(Ending::void(Some(side), EndedBy::CannotPlace, what).into());
    }
    let Reply::Place(placements) = reply else {
        return Err(bad_reply(side, expected, line, None).into());
    };
    fleet_of(&placements).map_err(|faults| {
        Ending::lost_by(side, EndedBy::IllegalPlacement, faults.to_string()).into()
    })
}

fn take_turns(
    lane: &mut Lane,
    game: &Match,
    first: Side,
    mut state: State,
    listener: &mut dyn Listener,
) -> Result<Ending, Over> {
    listener.hear(&Event::UnitsPlaced { state: &state })?;
    for _ in 0..game.max_turns {
        for mover in [first, first.other()] {
            listener.hear(&Event::TurnToOrder { mover, state: &state })?;
            let answer = lane.ask(mover, &Request::Act, game.limits[mover.index()]);
            let answer = answer.map_err(|error| Over::of(mover, error))?;
            let (time, expected) = (answer.time, "\"act ROW COL ROW COL\"");
            let Reply::Act(order) = understand(mover, expected, answer.line)? else {
                return Err(bad_reply(mover, expected, answer.line, None).into());
            };
            let result = state.play(order).expect("the game goes on until one has won");
            lane.tell(mover, &Request::OrderResult(order, result.clone()))?;
            if result.is_of_shot() {
                lane.tell(mover.other(), &Request::Opponent(order.target))?;
            }
            listener.hear(&Event::Ordered {
                mover,
                order,
                result: &result,
                time,
                state: &state,
            })?;
            if state.winner().is_some() {
                return Ok(Ending::won_by(mover));
            }
        }
    }
    let what = format!("nobody sank the other's units in {} turns each", game.max_turns);
    Ok(Ending::void(None, EndedBy::TurnCap, what))
}
