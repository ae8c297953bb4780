//! Where to place one's own ships.

use battleship::Board;
use battleship::seeded::SeededRng;

use super::grid::{SIZE, index};
use crate::fleet::random_fleet;

/// From how many fleets the one that this opponent is likely to find last is chosen.
const CHOICES: usize = 6;

/// Places all ships on `board`, which is empty: at random, and rather where an opponent that shoots as `heat` says
/// (by cell, how early) comes late. Returns `false` if no way is found.
pub(super) fn place(
    board: &mut Board<'_>,
    heat: Option<&[f64; SIZE * SIZE]>,
    rng: &mut SeededRng,
) -> bool {
    if !random_fleet(board, rng) {
        return false;
    }
    let choices = if heat.is_some() { CHOICES } else { 1 };
    let mut best = board.clone();
    for _ in 1..choices {
        if random_fleet(board, rng) && cost(board, heat) < cost(&best, heat) {
            best = board.clone();
        }
    }
    *board = best;
    true
}

/// How early the opponent is likely to have hit the ships.
fn cost(board: &Board<'_>, heat: Option<&[f64; SIZE * SIZE]>) -> f64 {
    heat.map_or(0.0, |heat| board.occupied().iter().map(|point| heat[index(point)]).sum())
}
