//! The boards on which a bot is checked.

use battleship::{Rules, Ruleset, ShipType};

/// A board and the lengths of the ships to place on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrialBoard {
    rows: i32,
    cols: i32,
    ships: &'static [i32],
}

const fn board(rows: i32, cols: i32, ships: &'static [i32]) -> TrialBoard {
    TrialBoard { rows, cols, ships }
}

/// The lengths of the standard fleet.
const STANDARD: &[i32] = &[5, 4, 3, 3, 2];

/// Boards with room enough for their ships, from the smallest to the largest.
pub(super) const ROOMY: [TrialBoard; 24] = [
    board(1, 1, &[1]),
    board(1, 2, &[1]),
    board(1, 2, &[2]),
    board(2, 1, &[2]),
    board(2, 2, &[2]),
    board(2, 3, &[2]),
    board(3, 2, &[3]),
    board(1, 10, &[5]),
    board(10, 1, &[5]),
    board(3, 3, &[2, 1]),
    board(3, 7, &[5, 1]),
    board(7, 3, &[5, 1]),
    board(4, 4, &[4, 3]),
    board(5, 5, &[5, 4]),
    board(5, 8, &[3, 3, 3]),
    board(8, 5, &[4, 4, 2]),
    board(2, 10, &[4, 3]),
    board(10, 2, &[4, 3]),
    board(6, 6, &[2, 2, 2, 2, 2, 2]),
    board(9, 10, STANDARD),
    board(10, 9, STANDARD),
    board(10, 10, &[10]),
    board(10, 10, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    board(10, 10, &[2, 3, 3, 4, 5]),
];

/// Boards whose ships fit in one way only, but for turning the board and swapping ships of one length.
pub(super) const FULL: [TrialBoard; 6] = [
    board(1, 3, &[3]),
    board(4, 1, &[4]),
    board(2, 2, &[2, 2]),
    board(3, 3, &[3, 3, 3]),
    board(1, 4, &[4]),
    board(2, 4, &[4, 4]),
];

/// Boards on which there is no room for all the ships, though each fits by itself.
pub(super) const TOO_SMALL: [TrialBoard; 4] = [
    board(1, 1, &[1, 1]),
    board(1, 3, &[2, 2]),
    board(3, 3, &[3, 3, 3, 1]),
    board(2, 3, &[3, 2, 2]),
];

/// Boards for whole games: square and not, large and tiny.
pub(super) const GAMES: [TrialBoard; 6] = [
    board(10, 10, STANDARD),
    board(3, 9, &[3, 2]),
    board(9, 3, &[3, 2]),
    board(1, 1, &[1]),
    board(5, 5, &[3, 1]),
    board(10, 10, STANDARD),
];

impl TrialBoard {
    /// Returns the rules of a game on this board.
    pub(super) fn rules(&self, ruleset: Ruleset) -> Rules {
        let boat = |(number, (length, symbol)): (usize, (&i32, char))| ShipType {
            length: *length,
            symbol,
            name: format!("boat {}", number + 1),
        };
        let ships = if self.ships == STANDARD {
            Rules::usual(ruleset).ships()
        } else {
            self.ships.iter().zip('A'..='Z').enumerate().map(boat).collect()
        };
        Rules::new(ruleset, [self.rows, self.cols], &ships)
            .expect("every ship fits on a board of 1 to 10 rows and columns, and X is far away")
    }
}

/// Returns the size of a board in words: 3x7.
pub(super) fn size_in_words([rows, cols]: [i32; 2]) -> String {
    format!("{rows}x{cols}")
}

/// Returns the size of a board with its rows and columns: 3x7 (rows 0 to 2, columns 0 to 6).
pub(super) fn extent([rows, cols]: [i32; 2]) -> String {
    format!("{rows}x{cols} (rows 0 to {}, columns 0 to {})", rows - 1, cols - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use battleship::{Board, Direction};

    use super::*;

    /// All sets of ships' cells, as they lie on the board in some placement.
    fn placements(board: &mut Board<'_>, ship: usize, found: &mut HashSet<Vec<String>>) {
        let game = board.game();
        if ship == game.n_ships() {
            let lie = |ship| {
                let placement = board.placement(ship).unwrap();
                format!("{} {:?}", game.ship_length(ship), placement)
            };
            let mut all: Vec<_> = (0..game.n_ships()).map(lie).collect();
            all.sort();
            found.insert(all);
            return;
        }
        for at in game.points() {
            for direction in Direction::BOTH {
                if board.place_ship(at, ship, direction).is_ok() {
                    placements(board, ship + 1, found);
                    board.unplace_ship(at, ship, direction).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_full_board_has_one_placement_or_that_and_its_turned_twin_and_a_too_small_one_has_none() {
        for (boards, ways) in [(&FULL[..], 1..=2), (&TOO_SMALL[..], 0..=0)] {
            for trial in boards {
                let Rules::Classic(game) = trial.rules(Ruleset::Classic) else { unreachable!() };
                let mut found = HashSet::new();
                placements(&mut Board::new(&game), 0, &mut found);
                assert!(ways.contains(&found.len()), "{trial:?}: {}", found.len());
                assert!(found.len() < 2 || trial.rows == trial.cols, "{trial:?} can be turned");
            }
        }
    }
}
