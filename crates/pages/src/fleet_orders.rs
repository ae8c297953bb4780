//! The turns of a twist game in words.

use battleship::Point;
use battleship::protocol::{Order, OrderResult, cell_at};

/// Returns what the player called `name` has done, for viewers who may see everything.
pub(super) fn told_openly(name: &str, order: Order, result: &OrderResult) -> String {
    let (from, to) = (place(order.origin), place(order.target));
    match result {
        OrderResult::Hit => format!("{name} fires from {from} at {to}: hit"),
        OrderResult::Miss => format!("{name} fires from {from} at {to}: water"),
        OrderResult::Repaired(units) => {
            let count = units.len();
            let units = if count == 1 { "unit" } else { "units" };
            format!("{name} moves a support ship from {from} to {to}: {count} {units} repaired")
        }
        OrderResult::Found(sightings) => {
            let count = sightings.len();
            let cells = if count == 1 { "cell" } else { "cells" };
            format!(
                "{name} moves a submarine from {from} to {to}: {count} {cells} with units found"
            )
        }
        OrderResult::Refused(why) => format!("{name} orders {from} {to}: refused, {why}"),
    }
}

/// Returns the same for its opponent, who learns of shots only.
pub(super) fn told_to_opponent(name: &str, order: Order, result: &OrderResult) -> String {
    match result {
        OrderResult::Hit => format!("{name} fires at {}: hit", place(order.target)),
        OrderResult::Miss => format!("{name} fires at {}: water", place(order.target)),
        OrderResult::Repaired(_) | OrderResult::Found(_) | OrderResult::Refused(_) => {
            format!("{name} does not fire")
        }
    }
}

/// Returns a cell as the original writes it, `C3`; what is off the grid by its numbers.
fn place(at: Point) -> String {
    cell_at(at).map_or_else(|| at.to_string(), |cell| cell.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_told_openly_or_as_the_opponent_learns_of_it() {
        let order = |to_row| Order { origin: Point::new(2, 2), target: Point::new(to_row, 11) };
        let moved = OrderResult::Repaired(vec![0]);
        assert_eq!(told_openly("P", order(9), &OrderResult::Hit), "P fires from C3 at L12: hit");
        assert_eq!(
            told_openly("P", order(11), &moved),
            "P moves a support ship from C3 to N12: 1 unit repaired"
        );
        let why = OrderResult::Refused("there is no room".to_owned());
        assert_eq!(
            told_openly("P", order(12), &why),
            "P orders C3 (12,11): refused, there is no room"
        );
        assert_eq!(told_to_opponent("P", order(0), &OrderResult::Miss), "P fires at A12: water");
        assert_eq!(told_to_opponent("P", order(0), &moved), "P does not fire");
    }
}
