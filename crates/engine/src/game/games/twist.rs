//! The twist game over the wire.

use battleship::protocol::{Order, OrderResult, Reply, Request, Ruleset, fleet_of};
use battleship::twist::{Fleet, Quirks, SIZE, State, UnitId};
use battleship::{BySide, Placement, Side};

use super::{Played, Position, WireGame};

/// The twist game, which has always the same grid and units.
#[derive(Clone, Copy, Debug)]
pub struct Twist;

impl WireGame for Twist {
    type Fleets = BySide<Option<Fleet>>;
    type State = State;

    const CANNOT_PLACE: &'static str = "could not place its units";
    const TURN: Request = Request::Act;
    const EXPECTED_TURN: &'static str = "\"act ROW COL ROW COL\"";

    fn announcement(&self) -> Vec<Request> {
        let (rows, cols) = (SIZE.into(), SIZE.into());
        let units = UnitId::ALL.iter().enumerate().map(|(id, unit)| {
            let kind = unit.kind();
            let (length, symbol, name) =
                (kind.size().into(), kind.letter(), kind.name().to_owned());
            Request::Ship { id, length, symbol, name }
        });
        [Request::Game { ruleset: Ruleset::Twist, rows, cols }].into_iter().chain(units).collect()
    }

    fn expected_placement(&self) -> String {
        "\"place ROW COL h|v ...\" (8 units) or \"place none\"".to_owned()
    }

    fn no_fleets(&self) -> BySide<Option<Fleet>> {
        BySide::default()
    }

    fn place(
        &self,
        fleets: &mut BySide<Option<Fleet>>,
        side: Side,
        placements: &[Placement],
    ) -> Result<(), String> {
        fleets[side] = Some(fleet_of(placements).map_err(|faults| faults.to_string())?);
        Ok(())
    }

    /// The original draws both grids of a player at once, which needs both fleets.
    fn placed(_fleets: &BySide<Option<Fleet>>) -> Option<Position<'_>> {
        None
    }

    fn begin(&self, fleets: BySide<Option<Fleet>>, first: Side) -> State {
        let fleets = fleets.map(|fleet| fleet.expect("both players have placed their units"));
        State::new(fleets, first, Quirks::default())
    }

    fn position(state: &State) -> Position<'_> {
        Position::Twist(state)
    }

    fn turn_in(reply: &Reply) -> Option<Order> {
        if let Reply::Act(order) = reply { Some(*order) } else { None }
    }

    fn result(order: Order, result: &OrderResult) -> Request {
        Request::OrderResult(order, result.clone())
    }

    fn notice(order: Order, result: &OrderResult) -> Option<Request> {
        result.is_of_shot().then_some(Request::Opponent(order.target))
    }

    fn played(order: Order, result: &OrderResult) -> Played<'_> {
        Played::Order { order, result }
    }

    fn undecided(max_turns: u32) -> String {
        format!("neither player sank the other's units in {max_turns} turns each")
    }
}
