//! The points of all encounters, as the fit needs them.

use super::{Encounter, RatingError};

/// The points of each player against each other.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    players: usize,
    /// Row by row.
    points: Vec<f64>,
    /// The games of each two players times their dispersion, row by row.
    spread: Vec<f64>,
}

impl Scores {
    /// Returns an empty table.
    fn empty(players: usize) -> Scores {
        let nothing = vec![0.0; players * players];
        Scores {
            players,
            points: nothing.clone(),
            spread: nothing,
        }
    }

    /// Returns the points of all encounters.
    pub(super) fn of(players: usize, encounters: &[Encounter]) -> Result<Scores, RatingError> {
        let mut table = Scores::empty(players);
        for Encounter {
            players: [one, two],
            points,
            dispersion,
        } in encounters
        {
            if let Some(&player) = [one, two].into_iter().find(|&&player| player >= players) {
                return Err(RatingError::NoSuchPlayer { player, players });
            }
            if one == two {
                return Err(RatingError::Itself(*one));
            }
            if let Some(points) = points
                .iter()
                .find(|points| !(0.0..f64::INFINITY).contains(*points))
            {
                return Err(RatingError::Points(*points));
            }
            if !(0.0..f64::INFINITY).contains(dispersion) {
                return Err(RatingError::Dispersion(*dispersion));
            }
            for (one, two, points) in [(one, two, points), (two, one, &[points[1], points[0]])] {
                table.points[one * players + two] += points[0];
                table.spread[one * players + two] += dispersion * (points[0] + points[1]);
            }
        }
        Ok(table)
    }

    /// Returns the number of players.
    pub(super) const fn players(&self) -> usize {
        self.players
    }

    /// Returns the points of one player against another.
    pub(super) fn points(&self, player: usize, against: usize) -> f64 {
        self.points[player * self.players + against]
    }

    /// Returns the number of games that two players had.
    pub(super) fn games(&self, one: usize, two: usize) -> f64 {
        self.points(one, two) + self.points(two, one)
    }

    /// Returns the number of games that two players had times their dispersion.
    pub(super) fn spread(&self, one: usize, two: usize) -> f64 {
        self.spread[one * self.players + two]
    }

    /// Returns the table of some players, in the order given.
    pub(super) fn only(&self, group: &[usize]) -> Scores {
        let cells = || {
            group
                .iter()
                .flat_map(|&one| group.iter().map(move |&two| (one, two)))
        };
        Scores {
            players: group.len(),
            points: cells().map(|(one, two)| self.points(one, two)).collect(),
            spread: cells().map(|(one, two)| self.spread(one, two)).collect(),
        }
    }

    /// Gives both of any two players who met half a point more.
    pub(super) fn soften(&mut self) {
        // The pairs that have met are settled first: the points change while they are walked through. Half a point for both
        // sides is a draw more in each pairing that was played, which makes the graph strongly connected and draws no group
        // together that never met.
        let games: Vec<f64> = (0..self.players)
            .flat_map(|one| (0..self.players).map(move |two| (one, two)))
            .map(|(one, two)| self.games(one, two))
            .collect();
        for ((points, spread), games) in self.points.iter_mut().zip(&mut self.spread).zip(games) {
            if games > 0.0 {
                *points += 0.5;
                // The game more varies as the others do.
                *spread += *spread / games;
            }
        }
    }
}
