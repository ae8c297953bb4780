//! A player's share of the points, and the interval of it.

use super::{Interval, Sample, Z_95, Z_95_ONE_SIDED};

/// A player's share of the points of some games, from 0 to 1, and the number of independent games
/// that would be as precise.
///
/// The interval is E. B. Wilson's for the effective number of games (L. Kish, "Survey Sampling"
/// (1965), section 8.2): that many independent games without draws would vary as much as the pairs
/// did. Where no pair differs from the others the spread is unknown and not 0, so the spread is
/// that of the pairs with half a pair more of each of the three main results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The share.
    pub share: f64,
    /// The number of games.
    pub games: f64,
    /// The number of independent games without draws that would give the same precision.
    pub effective_games: f64,
}

impl Score {
    /// Returns the score in all games of some samples: pairs and single games, against one opponent
    /// or several. `None` without samples.
    #[must_use]
    pub fn of(samples: impl IntoIterator<Item = Sample>) -> Option<Score> {
        let mut games = 0.0;
        let mut points = 0.0;
        let mut smoothed = 0.0;
        let mut variance = 0.0;
        for sample in samples {
            let of_sample = sample.games();
            games += of_sample;
            points += of_sample * sample.score;
            smoothed += of_sample * sample.smoothed_score();
            // The variance is that of the points and not of the share: points add up over samples,
            // since how often players meet is not chance.
            let chance = sample.smoothed_score() * (1.0 - sample.smoothed_score());
            variance += of_sample * chance * sample.dispersion();
        }
        if games <= 0.0 {
            return None;
        }
        let mean = smoothed / games;
        let effective_games = games * games * mean * (1.0 - mean) / variance;
        Some(Score {
            share: points / games,
            games,
            effective_games,
        })
    }

    /// Returns the 95% interval of the share that the player gets in the long run.
    #[must_use]
    pub fn interval(&self) -> Interval {
        self.reaching(Z_95)
    }

    /// Returns the share that the player gets at least in the long run, with 95% confidence: a
    /// bound to this side alone.
    #[must_use]
    pub fn at_least(&self) -> f64 {
        self.reaching(Z_95_ONE_SIDED).low
    }

    /// Returns the same score as the opponents see it.
    #[must_use]
    pub fn reversed(self) -> Score {
        Score {
            share: 1.0 - self.share,
            ..self
        }
    }

    /// Returns the number of games, with those that were played, after which the interval leaves
    /// out an even score if the share stays as it is; infinite for an even share.
    #[must_use]
    pub fn games_to_decide(&self) -> f64 {
        // Wilson's interval leaves out 1/2 if the share is more than z sqrt(1/4 / n) away from it.
        let lead = (self.share - 0.5) / (0.5 * Z_95);
        self.games / self.effective_games / (lead * lead)
    }

    fn reaching(&self, z: f64) -> Interval {
        Interval::wilson(self.share, self.effective_games, z)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Wdl};
    use super::*;

    fn score(counts: [u64; 5]) -> Score {
        Score::of(Pentanomial::new(counts).sample()).unwrap()
    }

    fn width(counts: [u64; 5]) -> f64 {
        let Interval { low, high } = score(counts).interval();
        assert!(low >= 0.0 && high <= 1.0, "{counts:?}: {low} {high}");
        high - low
    }

    #[test]
    fn independent_games_count_as_many_as_they_are() {
        let singles = Wdl {
            wins: 750,
            draws: 0,
            losses: 250,
        };
        // Of the pairs: quarters of losses and wins, squared, and twice their product.
        let pairs = score([10_000, 0, 60_000, 0, 90_000]);
        for score in [pairs, Score::of(singles.sample()).unwrap()] {
            assert!((score.share - 0.75).abs() < 1e-12);
            let effective = score.effective_games / score.games;
            assert!((effective - 1.0).abs() < 3e-3, "{score:?}");
        }
    }

    #[test]
    fn even_pairs_narrow_the_interval() {
        assert!(width([5, 0, 90, 0, 5]) < width([25, 0, 50, 0, 25]) / 1.5);
    }

    #[test]
    fn pairs_that_are_all_alike_have_a_width() {
        for counts in [
            [0, 0, 10, 0, 0],
            [0, 0, 0, 0, 10],
            [10, 0, 0, 0, 0],
            [0, 0, 0, 0, 1],
        ] {
            assert!(width(counts) > 0.1, "{counts:?}");
        }
    }

    #[test]
    fn strata_add_up_and_are_not_mixed() {
        // Against a strong and a weak opponent: what differs between the two is not chance.
        let strata = [[90, 0, 10, 0, 0], [0, 0, 10, 0, 90]].map(Pentanomial::new);
        let both = Score::of(strata.iter().filter_map(Pentanomial::sample)).unwrap();
        let mixed = score([90, 0, 20, 0, 90]);
        assert!((both.share - mixed.share).abs() < 1e-12);
        assert!(both.effective_games > 5.0 * mixed.effective_games);
    }

    #[test]
    fn enough_games_leave_out_an_even_score() {
        let played = score([10, 0, 60, 0, 20]);
        let needed = played.games_to_decide() / played.games;
        for (factor, is_decided) in [(1.0 / needed, false), (0.999, false), (1.001, true)] {
            let effective_games = factor * needed * played.effective_games;
            let longer = Score {
                effective_games,
                ..played
            };
            assert_eq!(longer.interval().low > 0.5, is_decided);
        }
        assert!(score([10, 0, 60, 0, 10]).games_to_decide().is_infinite());
    }

    #[test]
    fn a_bound_to_one_side_is_nearer() {
        // Wilson 1927 for 96 of 100 independent games, with 1.645 in place of 1.96.
        let score = Score {
            share: 0.96,
            games: 100.0,
            effective_games: 100.0,
        };
        for (bound, expected) in [
            (score.at_least(), 0.9138),
            (score.interval().low, 0.9016),
            (score.reversed().interval().high, 0.0984),
        ] {
            assert!((bound - expected).abs() < 1e-4, "{bound}");
        }
    }
}
