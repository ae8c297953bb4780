//! The points of each player against each other one.

use crate::statistics::to_f64;

/// The points and the counted games of every player against every other.
///
/// A won game is a point. Points are kept in halves, so that sums and comparisons are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    players: usize,
    /// Row by row: the points of the player of the row against the player of the column.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    half_points: u64,
    games: u64,
}

impl Crosstable {
    /// Returns an empty table for this many players.
    #[must_use]
    pub fn new(players: usize) -> Crosstable {
        Crosstable {
            players,
            cells: vec![Cell::default(); players * players],
        }
    }

    /// Adds rows and columns for more players, behind the players of the table.
    pub fn grow_to(&mut self, players: usize) {
        let mut grown = Crosstable::new(players);
        for player in 0..self.players {
            let start = player * players;
            grown.cells[start..start + self.players].copy_from_slice(self.row(player));
        }
        *self = grown;
    }

    /// Adds counted games between `a` and `b`, who divide their points.
    ///
    /// # Panics
    /// If a player meets itself, or if `a` got more than a point a game: the caller has miscounted.
    pub fn add(&mut self, a: usize, b: usize, half_points_of_a: u64, games: u64) {
        assert_ne!(a, b, "no player meets itself");
        assert!(half_points_of_a <= 2 * games, "a game is worth one point");
        for (one, other, half_points) in [
            (a, b, half_points_of_a),
            (b, a, 2 * games - half_points_of_a),
        ] {
            let cell = &mut self.cells[one * self.players + other];
            cell.half_points += half_points;
            cell.games += games;
        }
    }

    /// Returns the points of `a` against `b`.
    #[must_use]
    pub fn points(&self, a: usize, b: usize) -> f64 {
        to_f64(self.half_points(a, b)) / 2.0
    }

    /// Returns the points of `a` against `b`, in half points.
    #[must_use]
    pub fn half_points(&self, a: usize, b: usize) -> u64 {
        self.cells[a * self.players + b].half_points
    }

    /// Returns the counted games between `a` and `b`.
    #[must_use]
    pub fn games(&self, a: usize, b: usize) -> u64 {
        self.cells[a * self.players + b].games
    }

    /// Returns the points of `a` against all others.
    #[must_use]
    pub fn total_points(&self, a: usize) -> f64 {
        to_f64(self.row(a).iter().map(|cell| cell.half_points).sum()) / 2.0
    }

    /// Returns the counted games of `a` against all others.
    #[must_use]
    pub fn total_games(&self, a: usize) -> u64 {
        self.row(a).iter().map(|cell| cell.games).sum()
    }

    /// Returns the points of `a` for each of its counted games, from 0 to 1; `None` before the
    /// first of them.
    ///
    /// Equal fractions give equal shares, since a division is rounded correctly.
    #[must_use]
    pub fn share(&self, a: usize) -> Option<f64> {
        match self.total_games(a) {
            0 => None,
            games => Some(self.total_points(a) / to_f64(games)),
        }
    }

    fn row(&self, a: usize) -> &[Cell] {
        &self.cells[a * self.players..(a + 1) * self.players]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_both_players_add_up() {
        let mut table = Crosstable::new(2);
        table.add(0, 1, 3, 2);
        table.grow_to(3);
        table.add(1, 0, 4, 2);
        table.add(2, 1, 1, 2);
        assert_eq!((table.points(0, 1), table.points(1, 0)), (1.5, 2.5));
        assert_eq!((table.points(2, 1), table.points(1, 2)), (0.5, 1.5));
        assert_eq!((table.games(1, 0), table.games(2, 0)), (4, 0));
        assert_eq!((table.total_points(1), table.total_games(1)), (4.0, 6));
    }

    #[test]
    fn shares_of_the_same_fraction_are_equal() {
        let mut table = Crosstable::new(5);
        table.add(0, 1, 2, 3);
        table.add(2, 3, 14, 21);
        assert_eq!(table.share(0), table.share(2));
        assert_eq!(table.share(4), None);
    }

    #[test]
    #[should_panic(expected = "a game is worth one point")]
    fn a_game_is_worth_one_point() {
        Crosstable::new(2).add(0, 1, 5, 2);
    }
}
