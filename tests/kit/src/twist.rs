//! Players of the twist game, written for the tests.

use std::iter::once;

use crate::programs::scripted;

/// Each unit in a row of its own, at the left.
const AT_THE_LEFT: &str = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h";

/// A shot at a cell without a unit.
const INTO_THE_WATER: &str = "act 0 2 11 11";

/// A player with this placement that gives these orders.
pub fn player(name: &str, placement: &str, orders: &[String]) -> String {
    let words: Vec<_> = once(placement)
        .chain(orders.iter().map(String::as_str))
        .collect();
    scripted(name, &words)
}

/// A player that gives this order in every turn.
pub fn one_that_says(name: &str, order: &str) -> String {
    player(name, AT_THE_LEFT, &[order.to_owned()])
}

/// A player that draws its orders from its seed. Some of them may be refused.
pub fn random(name: &str) -> String {
    player(name, AT_THE_LEFT, &[])
}

/// A player that sinks a fleet at the left with 26 orders, one for each cell.
pub fn hunter(name: &str) -> String {
    let lengths = (0..).zip([5, 5, 5, 3, 3, 3, 1, 1]);
    let cells = lengths.flat_map(|(row, length)| (0..length).map(move |col| (row, col)));
    let orders: Vec<_> = cells
        .map(|(row, col)| format!("act 0 2 {row} {col}"))
        .collect();
    player(name, AT_THE_LEFT, &orders)
}

/// A player that does no harm.
pub fn harmless(name: &str) -> String {
    one_that_says(name, INTO_THE_WATER)
}

/// The options for a twist game with this seed in which the first player starts.
pub const STARTING: [&str; 6] = ["--rules", "twist", "--first", "1", "--seed", "1"];
