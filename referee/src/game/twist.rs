use std::io;

use battleship::protocol::{Order, OrderResult, Reply, Request, Ruleset, cell_at};
use battleship::twist::{self, Fleet, Outcome, PlacementFault, Quirks, Refused, State, UnitId};
use battleship::{Placement, Point};

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
    Ok(State::new(fleets, first.into(), Quirks::default()))
}

/// Announces a twist game to the player on `side`.
pub(crate) fn announce_twist(lane: &mut Lane, side: Side, seed: u32) -> io::Result<()> {
    let units = UnitId::ALL.iter().map(|unit| {
        let kind = unit.kind();
        (usize::from(kind.size()), kind.letter(), kind.name())
    });
    announce(lane, side, Ruleset::Twist, [usize::from(twist::SIZE); 2], units, seed)
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
    fleet_of(&placements)
        .map_err(|faults| Ending::lost_by(side, EndedBy::IllegalPlacement, faults).into())
}

/// The fleet that is placed so.
///
/// # Errors
/// All that is wrong with it at once, as the end of a sentence that begins with the player's name. Only of a fleet
/// whose units all begin on the grid is it known which of them do not fit or overlap.
pub(crate) fn fleet_of(placements: &[Placement]) -> Result<Fleet, String> {
    if placements.len() != UnitId::ALL.len() {
        let units = if placements.len() == 1 { "unit" } else { "units" };
        return Err(format!(
            "placed {} {units} instead of {}",
            placements.len(),
            UnitId::ALL.len()
        ));
    }
    let (mut on_grid, mut faults) = (Vec::new(), Vec::new());
    for (unit, Placement { top_or_left, direction }) in UnitId::ALL.iter().zip(placements) {
        match cell_at(*top_or_left) {
            Some(bow) => on_grid.push(twist::Placement { bow, direction: *direction }),
            None => faults.push(format!("placed {unit} outside the grid at {top_or_left}")),
        }
    }
    if faults.is_empty() {
        let why = match Fleet::new(&on_grid) {
            Ok(fleet) => return Ok(fleet),
            Err(why) => why,
        };
        faults.extend(why.faults().iter().map(placement_fault));
    }
    Err(faults.join("; "))
}

/// What is wrong with a placement, with rows and columns as the protocol has them.
fn placement_fault(fault: &PlacementFault) -> String {
    match fault {
        PlacementFault::OffGrid { unit, bow } => {
            format!("placed {unit} partly outside the grid from {}", Point::from(*bow))
        }
        PlacementFault::Overlaps { unit, other, cell } => {
            format!("placed {unit} over {other} at {}", Point::from(*cell))
        }
        PlacementFault::Missing(_)
        | PlacementFault::TooMany(_)
        | PlacementFault::Crooked { .. }
        | PlacementFault::Backwards { .. }
        | PlacementFault::Length { .. } => format!("placed its units wrongly: {fault}"),
    }
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
            let (result, shot) = carry_out(&mut state, mover, order);
            lane.tell(mover, &Request::OrderResult(order, result.clone()))?;
            if let Some(at) = shot {
                lane.tell(mover.other(), &Request::Opponent(at))?;
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

/// Carries out an order; one that cannot be costs the turn all the same. What the player is told of it, and where it
/// fired, which its opponent is told.
pub(crate) fn carry_out(
    state: &mut State,
    mover: Side,
    order: Order,
) -> (OrderResult, Option<Point>) {
    let side = mover.into();
    let refuse = |state: &mut State, why: String| {
        state.pass(side).expect("the game goes on, and it is this player's turn");
        (OrderResult::Refused(why), None)
    };
    let Some(on_grid) = order.on_grid() else {
        let why = format!("{} and {} are not both on the grid", order.origin, order.target);
        return refuse(state, why);
    };
    match state.act(side, on_grid) {
        Ok(event) => {
            let fired = matches!(event.outcome, Outcome::Fired { .. });
            (event.outcome.into(), fired.then_some(order.target))
        }
        Err(why) => refuse(state, reason(why)),
    }
}

/// Why an order was refused, with rows and columns as the protocol has them.
fn reason(why: Refused) -> String {
    match why {
        Refused::Over | Refused::NotYourTurn => why.to_string(),
        Refused::NoUnit(cell) => format!("there is no unit at {}", Point::from(cell)),
        Refused::NotCentre { unit, centre, .. } => {
            format!("unit {} is ordered by its centre, {}", unit.index(), Point::from(centre))
        }
        Refused::OffGrid { unit, target } => {
            format!("unit {} does not fit on the grid at {}", unit.index(), Point::from(target))
        }
        Refused::Occupied { unit, target, cell, other } => format!(
            "unit {} cannot move to {}: unit {} is at {}",
            unit.index(),
            Point::from(target),
            other.index(),
            Point::from(cell)
        ),
    }
}

#[cfg(test)]
mod tests {
    use battleship::Direction;
    use battleship::protocol::Sighting;
    use battleship::twist::Cell;

    use super::*;

    fn state() -> State {
        let at = |row| twist::Placement {
            bow: Cell::new(row, 0).unwrap(),
            direction: Direction::Horizontal,
        };
        let fleet = || Fleet::new(&(0..8).map(at).collect::<Vec<_>>()).unwrap();
        State::new([fleet(), fleet()], twist::Side::A, Quirks::default())
    }

    fn order(numbers: [i32; 4]) -> Order {
        let [row, col, to_row, to_col] = numbers;
        Order { origin: Point::new(row, col), target: Point::new(to_row, to_col) }
    }

    #[test]
    fn an_order_that_cannot_be_carried_out_costs_the_turn_and_says_why() {
        for (numbers, why) in [
            ([12, 0, 0, 0], "(12,0) and (0,0) are not both on the grid"),
            ([9, 9, 0, 0], "there is no unit at (9,9)"),
            ([0, 0, 0, 0], "unit 0 is ordered by its centre, (0,2)"),
            ([3, 1, 3, 11], "unit 3 does not fit on the grid at (3,11)"),
            ([3, 1, 4, 1], "unit 3 cannot move to (4,1): unit 4 is at (4,0)"),
        ] {
            let mut state = state();
            let (result, shot) = carry_out(&mut state, Side::One, order(numbers));
            assert_eq!((result, shot), (OrderResult::Refused(why.to_owned()), None));
            assert_eq!(state.turn(), Some(twist::Side::B));
        }
    }

    #[test]
    fn a_player_is_told_what_its_unit_did_and_its_opponent_only_of_shots() {
        let mut state = state();
        let mut act = |side, numbers| carry_out(&mut state, side, order(numbers));
        assert_eq!(act(Side::One, [0, 2, 5, 2]), (OrderResult::Hit, Some(Point::new(5, 2))));
        let (found, shot) = act(Side::Two, [7, 0, 9, 0]);
        // The opponent's two submarines, on rows 6 and 7 as its own were, are in sight from row 9.
        let seen = vec![(Point::new(7, 0), Sighting::Whole)];
        assert_eq!((found, shot), (OrderResult::Found(seen), None));
        assert_eq!(act(Side::One, [0, 2, 11, 11]).0, OrderResult::Miss);
        assert_eq!(act(Side::Two, [4, 1, 4, 1]).0, OrderResult::Repaired(vec![5]));
    }
}
