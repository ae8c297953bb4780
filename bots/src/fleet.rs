//! Ways to place a whole fleet.

use battleship::seeded::SeededRng;
use battleship::{Board, CellSet, Direction, Game, Placement, ShipId};

/// The number of placements of single ships that one search may try. A search that is unsuccessful
/// for so long would otherwise outlast any time limit: the worst of them grow exponentially with
/// the number of ships.
pub(crate) const SEARCH_BUDGET: usize = 100_000;

/// All places on an empty board for a ship of `length`, row by row, horizontal before vertical.
pub(crate) fn all_placements(game: &Game, length: i32) -> Vec<Placement> {
    let fits = |Placement {
                    top_or_left,
                    direction,
                }: &Placement| {
        CellSet::line(*top_or_left, *direction, length)
            .is_some_and(|cells| cells.is_subset(game.cells()))
    };
    game.points()
        .flat_map(|top_or_left| {
            Direction::BOTH.map(|direction| Placement {
                top_or_left,
                direction,
            })
        })
        .filter(fits)
        .collect()
}

/// Places all ships on `board`, in id order, each at the first of its `candidates` (by id) from
/// which the rest can be placed too: a depth-first search that takes ships back where it finds
/// itself stuck. False, with the board as it was, if there is no such way or none is found within
/// the budget.
pub(crate) fn place_in_order(board: &mut Board<'_>, candidates: &[Vec<Placement>]) -> bool {
    place_within(board, candidates, &mut { SEARCH_BUDGET })
}

/// As [`place_in_order`], trying at most as many placements of single ships as `budget` says, which
/// then says how many are left.
pub(crate) fn place_within(
    board: &mut Board<'_>,
    candidates: &[Vec<Placement>],
    budget: &mut usize,
) -> bool {
    place_rest(board, 0, candidates, budget)
}

fn place_rest(
    board: &mut Board<'_>,
    ship: ShipId,
    candidates: &[Vec<Placement>],
    budget: &mut usize,
) -> bool {
    let Some(places) = candidates.get(ship) else {
        return true;
    };
    let needed: i32 = board.game().ships()[ship..]
        .iter()
        .map(|ship| ship.length)
        .sum();
    if usize::try_from(needed).is_ok_and(|needed| needed > board.free().len()) {
        return false;
    }
    for &Placement {
        top_or_left,
        direction,
    } in places
    {
        let Some(rest) = budget.checked_sub(1) else {
            return false;
        };
        *budget = rest;
        if board.place_ship(top_or_left, ship, direction).is_ok() {
            if place_rest(board, ship + 1, candidates, budget) {
                return true;
            }
            board
                .unplace_ship(top_or_left, ship, direction)
                .expect("the ship was placed there a moment ago");
        }
    }
    false
}

/// Places all ships on `board`, which is empty, row by row: each at the first place that leaves
/// space for the rest. Returns `false` if no way is found.
pub(crate) fn first_fleet(board: &mut Board<'_>) -> bool {
    let game = board.game();
    let candidates: Vec<_> = game
        .ships()
        .iter()
        .map(|ship| all_placements(game, ship.length))
        .collect();
    place_in_order(board, &candidates)
}

/// Places all ships on `board`, which is empty: uniformly at random among all possible fleets where
/// random tries succeed often enough, else by a search in random order, else by one row by row.
/// Returns `false` if none of them finds a way.
pub fn random_fleet(board: &mut Board<'_>, rng: &mut SeededRng) -> bool {
    let game = board.game();
    let mut candidates: Vec<_> = game
        .ships()
        .iter()
        .map(|ship| all_placements(game, ship.length))
        .collect();
    for _ in 0..1000 {
        board.clear();
        let placed = candidates.iter().enumerate().all(|(ship, places)| {
            rng.choose(places).is_some_and(
                |Placement {
                     top_or_left,
                     direction,
                 }| { board.place_ship(top_or_left, ship, direction).is_ok() },
            )
        });
        if placed {
            return true;
        }
    }
    board.clear();
    for _ in 0..5 {
        for places in &mut candidates {
            rng.shuffle(places);
        }
        if place_in_order(board, &candidates) {
            return true;
        }
    }
    first_fleet(board)
}

#[cfg(test)]
pub(crate) use tests::game;

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn game(rows: i32, cols: i32, lengths: &[i32]) -> Game {
        let mut game = Game::new(rows, cols).unwrap();
        for (length, symbol) in lengths.iter().zip(('a'..).filter(|symbol| *symbol != 'o')) {
            game.add_ship(*length, symbol, "ship").unwrap();
        }
        game
    }

    #[test]
    fn a_search_that_is_stuck_takes_ships_back() {
        // The first place for the dinghy is in the way of the raft.
        let game = game(2, 3, &[1, 3, 2]);
        let candidates: Vec<_> = game
            .ships()
            .iter()
            .map(|ship| all_placements(&game, ship.length))
            .collect();
        let mut board = Board::new(&game);
        assert!(place_in_order(&mut board, &candidates));
        assert_eq!(board.display(false), "  012\n0 acc\n1 bbb\n");
    }

    #[test]
    fn an_impossible_fleet_leaves_the_board_empty() {
        let game = game(2, 3, &[3, 3, 1]);
        let mut board = Board::new(&game);
        assert!(!random_fleet(&mut board, &mut SeededRng::new(1)));
        assert!(board.occupied().is_empty());
    }

    #[test]
    fn a_fleet_that_fills_the_board_is_placed() {
        let game = game(10, 10, &[10; 10]);
        let mut board = Board::new(&game);
        assert!(random_fleet(&mut board, &mut SeededRng::new(1)));
        assert_eq!(board.occupied(), game.cells());
    }

    #[test]
    fn every_possible_fleet_is_equally_likely() {
        // A ship of 2 and one of 1 on 2x2: 4 places for the first, then 2 for the second.
        let game = game(2, 2, &[2, 1]);
        let mut rng = SeededRng::new(5);
        let mut counts = std::collections::BTreeMap::<String, u32>::new();
        for _ in 0..8000 {
            let mut board = Board::new(&game);
            assert!(random_fleet(&mut board, &mut rng));
            *counts.entry(board.display(false)).or_default() += 1;
        }
        assert_eq!(counts.len(), 8);
        // Six standard deviations of a binomial count (n = 8,000, p = 1/8) are 177.
        assert!(
            counts.values().all(|count| count.abs_diff(1000) < 177),
            "{counts:?}"
        );
    }
}
