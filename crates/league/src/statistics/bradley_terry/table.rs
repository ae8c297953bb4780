//! The points of players against each other, as the fit needs them.

use super::HeadToHead;

/// The points of each player against each other one.
#[derive(Clone, Debug)]
pub(super) struct PointsTable {
    players: usize,
    /// Row by row: what the player of the row got against the player of the column.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    points: f64,
    /// The games times their dispersion: by how much their points vary, as a multiple of an
    /// independent game without draws.
    spread: f64,
}

impl PointsTable {
    /// Returns the table of these results.
    pub(super) fn of(players: usize, results: &[HeadToHead]) -> PointsTable {
        let cells = vec![Cell::default(); players * players];
        let mut table = PointsTable { players, cells };
        for HeadToHead {
            players: [one, two],
            score,
        } in results
        {
            assert_ne!(one, two, "no player meets itself");
            assert!(one.max(two) < &players, "there is no such player");
            assert!((0.0..=1.0).contains(&score.share), "a share is from 0 to 1");
            let spread = score.games * score.games / score.effective_games;
            table.add(*one, *two, score.share * score.games, spread);
            table.add(*two, *one, (1.0 - score.share) * score.games, spread);
        }
        table
    }

    fn add(&mut self, player: usize, against: usize, points: f64, spread: f64) {
        let cell = &mut self.cells[player * self.players + against];
        cell.points += points;
        cell.spread += spread;
    }

    /// Returns the number of players.
    pub(super) const fn players(&self) -> usize {
        self.players
    }

    /// Returns the points of one player against another.
    pub(super) fn points(&self, player: usize, against: usize) -> f64 {
        self.cells[player * self.players + against].points
    }

    /// Returns the number of games that two players had.
    pub(super) fn games(&self, one: usize, two: usize) -> f64 {
        self.points(one, two) + self.points(two, one)
    }

    /// Returns the number of games that two players had times their dispersion.
    pub(super) fn spread(&self, one: usize, two: usize) -> f64 {
        self.cells[one * self.players + two].spread
    }

    /// Returns the table of some players, in the order given.
    pub(super) fn only(&self, group: &[usize]) -> PointsTable {
        let mut cells = Vec::with_capacity(group.len() * group.len());
        for &one in group {
            cells.extend(
                group
                    .iter()
                    .map(|&two| self.cells[one * self.players + two]),
            );
        }
        PointsTable {
            players: group.len(),
            cells,
        }
    }

    /// Gives both of any two players who met half a point more: a draw in each pairing that was
    /// played makes the graph strongly connected, and connects no groups that never met.
    pub(super) fn smooth(&mut self) {
        for one in 0..self.players {
            for two in 0..one {
                let games = self.games(one, two);
                if games > 0.0 {
                    // The additional game varies as the others do.
                    let spread = self.spread(one, two) / games;
                    self.add(one, two, 0.5, spread);
                    self.add(two, one, 0.5, spread);
                }
            }
        }
    }
}
