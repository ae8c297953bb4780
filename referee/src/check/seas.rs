use battleship::Game;

/// A board and the lengths of the ships to place on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sea {
    rows: i32,
    cols: i32,
    ships: &'static [i32],
}

const fn sea(rows: i32, cols: i32, ships: &'static [i32]) -> Sea {
    Sea { rows, cols, ships }
}

/// The lengths of the standard fleet.
const STANDARD: &[i32] = &[5, 4, 3, 3, 2];

/// Boards with room enough for their ships, from the smallest to the largest.
pub(super) const ROOMY: [Sea; 24] = [
    sea(1, 1, &[1]),
    sea(1, 2, &[1]),
    sea(1, 2, &[2]),
    sea(2, 1, &[2]),
    sea(2, 2, &[2]),
    sea(2, 3, &[2]),
    sea(3, 2, &[3]),
    sea(1, 10, &[5]),
    sea(10, 1, &[5]),
    sea(3, 3, &[2, 1]),
    sea(3, 7, &[5, 1]),
    sea(7, 3, &[5, 1]),
    sea(4, 4, &[4, 3]),
    sea(5, 5, &[5, 4]),
    sea(5, 8, &[3, 3, 3]),
    sea(8, 5, &[4, 4, 2]),
    sea(2, 10, &[4, 3]),
    sea(10, 2, &[4, 3]),
    sea(6, 6, &[2, 2, 2, 2, 2, 2]),
    sea(9, 10, STANDARD),
    sea(10, 9, STANDARD),
    sea(10, 10, &[10]),
    sea(10, 10, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    sea(10, 10, &[2, 3, 3, 4, 5]),
];

/// Boards whose ships fit in one way only, but for turning the board and swapping ships of one length.
pub(super) const FULL: [Sea; 6] = [
    sea(1, 3, &[3]),
    sea(4, 1, &[4]),
    sea(2, 2, &[2, 2]),
    sea(3, 3, &[3, 3, 3]),
    sea(1, 4, &[4]),
    sea(2, 4, &[4, 4]),
];

/// Boards on which there is no room for all the ships, though each fits by itself.
pub(super) const TOO_SMALL: [Sea; 4] =
    [sea(1, 1, &[1, 1]), sea(1, 3, &[2, 2]), sea(3, 3, &[3, 3, 3, 1]), sea(2, 3, &[3, 2, 2])];

/// Boards for whole games: square and not, large and tiny.
pub(super) const GAMES: [Sea; 6] = [
    sea(10, 10, STANDARD),
    sea(3, 9, &[3, 2]),
    sea(9, 3, &[3, 2]),
    sea(1, 1, &[1]),
    sea(5, 5, &[3, 1]),
    sea(10, 10, STANDARD),
];

impl Sea {
    /// The game on this board.
    pub(super) fn game(&self) -> Game {
        let mut game = Game::new(self.rows, self.cols).expect("the board is 1 to 10 cells wide");
        if self.ships == STANDARD {
            game.add_standard_ships().expect("the standard fleet fits this board");
            return game;
        }
        for (number, (length, symbol)) in self.ships.iter().zip('A'..='Z').enumerate() {
            let name = format!("boat {}", number + 1);
            game.add_ship(*length, symbol, &name).expect("every ship fits, and X is far away");
        }
        game
    }
}

/// A board as people say it: 3x7.
pub(super) fn size(game: &Game) -> String {
    format!("{}x{}", game.rows(), game.cols())
}

/// A board with its rows and columns: 3x7 (rows 0 to 2, columns 0 to 6).
pub(super) fn extent(game: &Game) -> String {
    format!("{} (rows 0 to {}, columns 0 to {})", size(game), game.rows() - 1, game.cols() - 1)
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
        for (seas, ways) in [(&FULL[..], 1..=2), (&TOO_SMALL[..], 0..=0)] {
            for sea in seas {
                let game = sea.game();
                let mut found = HashSet::new();
                placements(&mut Board::new(&game), 0, &mut found);
                assert!(ways.contains(&found.len()), "{sea:?}: {}", found.len());
                assert!(found.len() < 2 || sea.rows == sea.cols, "{sea:?} can be turned");
            }
        }
    }
}
