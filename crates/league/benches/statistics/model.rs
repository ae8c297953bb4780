//! Pairs of games between two players of known strength.

use league::statistics::{Pentanomial, elo};
use wire::seeds::SeededRng;

/// The domain of [`SeededRng`] that pairs are drawn from.
const DOMAIN: u64 = u64::from_be_bytes(*b"coverage");

/// The outcome of the pairs of games of two players: a share of them is even by the luck that both players share, and in the
/// others each game is won by the first player with the same chance. There are no draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The chances that the first player wins none, one and both games of a pair.
    chances: [f64; 3],
}

impl Model {
    pub(crate) fn new(even: f64, chance: f64) -> Model {
        let rest = 1.0 - even;
        let (won, lost) = (
            rest * chance * chance,
            rest * (1.0 - chance) * (1.0 - chance),
        );
        Model {
            chances: [lost, 1.0 - won - lost, won],
        }
    }

    /// Returns the model with this many even pairs and this normalized Elo difference, found by bisection.
    pub(crate) fn of_normalized_elo(even: f64, elo: f64) -> Model {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if Model::new(even, middle).normalized_elo() < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        Model::new(even, low)
    }

    /// Returns the model with this many even pairs and this Elo difference.
    pub(crate) fn of_elo(even: f64, elo: f64) -> Model {
        // Even pairs are worth half of the points.
        let score = elo::expected_score(elo);
        Model::new(even, (score - even / 2.0) / (1.0 - even))
    }

    /// Returns the share of the points that the first player gets in the long run.
    pub(crate) fn score(&self) -> f64 {
        self.chances[1] / 2.0 + self.chances[2]
    }

    /// Returns the normalized Elo difference.
    pub(crate) fn normalized_elo(&self) -> f64 {
        let mean = self.score();
        let spread = self
            .chances
            .iter()
            .zip([0.0, 0.5, 1.0])
            .map(|(chance, score)| chance * (score - mean).powi(2));
        // Of a game: a pair's score varies half as much.
        2.0 * elo::PER_LOG_ODDS * (mean - 0.5) / (2.0 * spread.sum::<f64>()).sqrt()
    }

    /// Returns how the next pair ends: how many of its games the first player wins.
    pub(crate) fn pair(&self, rng: &mut SeededRng) -> usize {
        let drawn = uniform(rng);
        usize::from(drawn >= self.chances[0])
            + usize::from(drawn >= self.chances[0] + self.chances[1])
    }

    /// Returns a match of this many pairs.
    pub(crate) fn pairs(&self, pairs: u32, rng: &mut SeededRng) -> Pentanomial {
        let mut counts = [0; 5];
        for _ in 0..pairs {
            counts[2 * self.pair(rng)] += 1;
        }
        Pentanomial::new(counts)
    }
}

/// Returns the source of chance of a simulation.
pub(crate) fn rng(seed: u64) -> SeededRng {
    SeededRng::in_domain(seed, DOMAIN)
}

/// Returns a number from 0 to 1.
#[allow(clippy::cast_precision_loss, reason = "of 53 bits, which is exact")]
fn uniform(rng: &mut SeededRng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}
