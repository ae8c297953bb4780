//! The boards on which a bot is checked.

use battleship::seeded::SeededRng;
use battleship::{Direction, Placement, Point, Rules, ShipType, Side};

/// The rows and columns of a board, and the lengths of the ships to place on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrialBoard(i32, i32, &'static [i32]);

/// The lengths of the standard fleet.
const STANDARD: &[i32] = &[5, 4, 3, 3, 2];

/// Boards with enough space for their ships, from the smallest to the largest.
pub(crate) const ROOMY: [TrialBoard; 24] = [
    TrialBoard(1, 1, &[1]),
    TrialBoard(1, 2, &[1]),
    TrialBoard(1, 2, &[2]),
    TrialBoard(2, 1, &[2]),
    TrialBoard(2, 2, &[2]),
    TrialBoard(2, 3, &[2]),
    TrialBoard(3, 2, &[3]),
    TrialBoard(1, 10, &[5]),
    TrialBoard(10, 1, &[5]),
    TrialBoard(3, 3, &[2, 1]),
    TrialBoard(3, 7, &[5, 1]),
    TrialBoard(7, 3, &[5, 1]),
    TrialBoard(4, 4, &[4, 3]),
    TrialBoard(5, 5, &[5, 4]),
    TrialBoard(5, 8, &[3, 3, 3]),
    TrialBoard(8, 5, &[4, 4, 2]),
    TrialBoard(2, 10, &[4, 3]),
    TrialBoard(10, 2, &[4, 3]),
    TrialBoard(6, 6, &[2, 2, 2, 2, 2, 2]),
    TrialBoard(9, 10, STANDARD),
    TrialBoard(10, 9, STANDARD),
    TrialBoard(10, 10, &[10]),
    TrialBoard(10, 10, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    TrialBoard(10, 10, &[2, 3, 3, 4, 5]),
];

/// Boards on which the ships fit in one way only, except for turning the board and swapping ships
/// of one length.
pub(crate) const FULL: [TrialBoard; 6] = [
    TrialBoard(1, 3, &[3]),
    TrialBoard(4, 1, &[4]),
    TrialBoard(2, 2, &[2, 2]),
    TrialBoard(3, 3, &[3, 3, 3]),
    TrialBoard(1, 4, &[4]),
    TrialBoard(2, 4, &[4, 4]),
];

/// Boards with too little space for all the ships, though each fits by itself.
pub(crate) const TOO_SMALL: [TrialBoard; 4] = [
    TrialBoard(1, 1, &[1, 1]),
    TrialBoard(1, 3, &[2, 2]),
    TrialBoard(3, 3, &[3, 3, 3, 1]),
    TrialBoard(2, 3, &[3, 2, 2]),
];

/// Boards for whole games: square and not, large and tiny; `None` for the usual one.
pub(crate) const GAMES: [Option<TrialBoard>; 6] = [
    None,
    Some(TrialBoard(3, 9, &[3, 2])),
    Some(TrialBoard(9, 3, &[3, 2])),
    Some(TrialBoard(1, 1, &[1])),
    Some(TrialBoard(5, 5, &[3, 1])),
    None,
];

/// Returns the rules of the whole game on the board of that number.
pub(crate) fn rules_of_game(number: usize, usual: &Rules) -> Rules {
    GAMES[number].map_or_else(|| usual.clone(), |board| board.rules(usual))
}

impl TrialBoard {
    /// Returns the rules of a game on this board, with the options of the usual one.
    pub(crate) fn rules(&self, usual: &Rules) -> Rules {
        let TrialBoard(rows, cols, lengths) = *self;
        let mut ships = Rules::usual(usual.ruleset()).ships();
        if lengths != STANDARD {
            ships = Vec::new();
            for (number, (length, symbol)) in (1..).zip(lengths.iter().zip('A'..='Z')) {
                ships.push(ShipType {
                    length: *length,
                    symbol,
                    name: format!("boat {number}"),
                });
            }
        }
        Rules::new(usual.ruleset(), [rows, cols], &ships, usual.options())
            .expect("every ship fits on a board of 1 to 10 rows and columns, and X is far away")
    }

    /// Returns whether there is space for the fleet, on one of these boards: they have it where
    /// ships may touch, but not all of them where they may not. It tries so often that it finds a
    /// place on all that have one, as a test shows.
    pub(crate) fn has_room(&self, usual: &Rules) -> bool {
        let rules = self.rules(usual);
        let mut rng = SeededRng::new(1);
        let mut game = rules.begin();
        !rules.options().apart
            || (0..TRIES).any(|_| game.place(Side::One, &any_fleet(&rules, &mut rng)).is_ok())
    }
}

/// Number of random fleets that are tried on a board that may be too small.
const TRIES: u32 = 3000;

/// Returns random places for the ships, which may overlap.
pub(crate) fn any_fleet(rules: &Rules, rng: &mut SeededRng) -> Vec<Placement> {
    let mut fleet = Vec::new();
    for _ in rules.ships() {
        let [row, col] = rules.size().map(|lines| {
            let line = rng.below(usize::try_from(lines).unwrap_or(0));
            i32::try_from(line).expect("it is on the board")
        });
        let direction = if rng.coin() {
            Direction::Horizontal
        } else {
            Direction::Vertical
        };
        fleet.push(Placement {
            top_or_left: Point::new(row, col),
            direction,
        });
    }
    fleet
}

/// Returns all cells of a board.
pub(crate) fn cells([rows, cols]: [i32; 2]) -> impl Iterator<Item = Point> + use<> {
    (0..rows).flat_map(move |row| (0..cols).map(move |col| Point::new(row, col)))
}

/// Returns the cells of a ship, from its top or left.
pub(crate) fn hull(ship: &ShipType, at: &Placement) -> impl Iterator<Item = Point> + use<> {
    let at = *at;
    (0..ship.length).map(move |step| at.top_or_left.step(at.direction, step))
}

/// Returns the cell with row and column swapped.
pub(crate) fn mirror(at: Point) -> Point {
    Point::new(at.col, at.row)
}

/// Returns the cell that is named by numbers from 0 where `at` has numbers from 1.
pub(crate) fn one_less(at: Point) -> Point {
    at.step(Direction::Vertical, -1)
        .step(Direction::Horizontal, -1)
}

/// Returns the size of a board in words: 3x7.
pub(crate) fn size_in_words([rows, cols]: [i32; 2]) -> String {
    format!("{rows}x{cols}")
}

/// Returns the size of a board with its rows and columns: 3x7 (rows 0 to 2, columns 0 to 6).
pub(crate) fn extent([rows, cols]: [i32; 2]) -> String {
    format!(
        "{rows}x{cols} (rows 0 to {}, columns 0 to {})",
        rows - 1,
        cols - 1
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use battleship::{Board, Game, RuleOptions, Ruleset};

    use super::*;

    /// Finds sets of ships' cells, as they lie on the board in some placement, until `most` are
    /// found.
    fn placements(
        board: &mut Board<'_>,
        ship: usize,
        most: usize,
        found: &mut HashSet<Vec<String>>,
    ) {
        let game: &Game = board.game();
        if ship == game.n_ships() {
            let lie = |ship| {
                let placement = board.placement(ship).unwrap();
                format!("{} {placement:?}", game.ship_length(ship))
            };
            let mut all: Vec<_> = (0..game.n_ships()).map(lie).collect();
            all.sort();
            found.insert(all);
            return;
        }
        for at in game.points() {
            for direction in Direction::BOTH {
                if found.len() < most && board.place_ship(at, ship, direction).is_ok() {
                    placements(board, ship + 1, most, found);
                    board.unplace_ship(at, ship, direction).unwrap();
                }
            }
        }
    }

    fn count(rules: &Rules, most: usize) -> usize {
        let mut found = HashSet::new();
        placements(&mut Board::new(rules.game().unwrap()), 0, most, &mut found);
        found.len()
    }

    #[test]
    fn a_full_board_has_one_placement() {
        for (boards, ways) in [(&FULL[..], 1..=2), (&TOO_SMALL[..], 0..=0)] {
            for trial in boards {
                let found = count(&trial.rules(&Rules::usual(Ruleset::Classic)), usize::MAX);
                assert!(ways.contains(&found), "{trial:?}: {found}");
                // A board that can be turned has a twin of each placement.
                assert!(found < 2 || trial.0 == trial.1, "{trial:?}");
            }
        }
    }

    #[test]
    fn room_for_ships_apart_is_found() {
        let options = RuleOptions {
            apart: true,
            ..RuleOptions::default()
        };
        let usual = Rules::usual(Ruleset::Classic).with(options);
        // The board of six ships has space for four of them; to try all their places takes too long
        // here.
        for trial in ROOMY.iter().chain(&FULL) {
            if trial.2.len() != 6 {
                let has_room = count(&trial.rules(&usual), 1) == 1;
                assert_eq!(trial.has_room(&usual), has_room, "{trial:?}");
            }
        }
    }
}
