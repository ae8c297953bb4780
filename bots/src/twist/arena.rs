use battleship::protocol::{Order, OrderResult, cell_at};
use battleship::twist::{Admiral, Fleet, Placement, Quirks, Refused, Side, State};

/// Plays a twist game within this process: who wins, or nobody if neither has after `max_turns` turns of each. The
/// player number `first` moves first. A player that cannot place its units, or resigns, loses; an order that is refused
/// loses the turn.
pub fn play_twist(players: [&mut dyn Admiral; 2], first: usize, max_turns: u32) -> Option<usize> {
    let [a, b] = players;
    let Some(fleet_a) = fleet(a) else { return Some(1) };
    let Some(fleet_b) = fleet(b) else { return Some(0) };
    let starter = if first == 0 { Side::A } else { Side::B };
    let mut state = State::new([fleet_a, fleet_b], starter, Quirks::default());
    for _ in 0..max_turns.saturating_mul(2) {
        let side = state.turn()?;
        let (mover, other): (&mut dyn Admiral, &mut dyn Admiral) = match side {
            Side::A => (&mut *a, &mut *b),
            Side::B => (&mut *b, &mut *a),
        };
        let order = mover.recommend_order();
        if mover.has_resigned() {
            return Some(side.other().index());
        }
        let result = carry_out(&mut state, side, order);
        mover.record_result(order, &result);
        if matches!(result, OrderResult::Hit | OrderResult::Miss) {
            other.record_shot_by_opponent(order.target);
        }
        if let Some(winner) = state.winner() {
            return Some(winner.index());
        }
    }
    None
}

fn fleet(player: &mut dyn Admiral) -> Option<Fleet> {
    let placements = player.place_units()?;
    let placements: Option<Vec<Placement>> = placements
        .into_iter()
        .map(|battleship::Placement { top_or_left, direction }| {
            Some(Placement { bow: cell_at(top_or_left)?, direction })
        })
        .collect();
    Fleet::new(&placements?).ok()
}

fn carry_out(state: &mut State, side: Side, order: Order) -> OrderResult {
    let on_grid = order.on_grid().ok_or_else(|| "that is not on the grid".to_owned());
    let acted = on_grid.and_then(|order| state.act(side, order).map_err(|why| why.to_string()));
    match acted {
        Ok(event) => event.outcome.into(),
        Err(why) => {
            // Only the turn of a game that is over cannot pass, and this one is not.
            let _: Result<(), Refused> = state.pass(side);
            OrderResult::Refused(why)
        }
    }
}
