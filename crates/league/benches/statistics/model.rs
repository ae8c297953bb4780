//! Pairs of games between two players of known strength.

use league::statistics::{Pentanomial, elo};
use wire::seeds::SeededRng;

/// The domain of [`SeededRng`] that pairs are drawn from.
const DOMAIN: u64 = u64::from_be_bytes(*b"coverage");

/// The luck of a pair: the share of pairs that are even by the luck that both players share, and
/// the share of drawn games in the other pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Luck {
    pub(crate) even: f64,
    pub(crate) drawn: f64,
}

/// No pairs are even but by chance, many are, or most games are drawn.
pub(crate) const LUCK: [Luck; 3] = [
    Luck {
        even: 0.0,
        drawn: 0.0,
    },
    Luck {
        even: 0.3,
        drawn: 0.0,
    },
    Luck {
        even: 0.0,
        drawn: 0.9,
    },
];

/// The outcome of the pairs of games of two players: of the pairs that luck leaves to them, each
/// game that is not drawn is won by the first player with the same chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The chances that a pair brings the first player 0, 1/2, 1, 3/2 and 2 points.
    chances: [f64; 5],
}

impl Model {
    pub(crate) fn new(Luck { even, drawn }: Luck, chance: f64) -> Model {
        let rest = 1.0 - even;
        let won = (1.0 - drawn) * chance;
        let lost = (1.0 - drawn) * (1.0 - chance);
        let [one, three] = [lost, won].map(|game| 2.0 * rest * drawn * game);
        let [none, all] = [lost, won].map(|game| rest * game * game);
        let two = 1.0 - none - one - three - all;
        Model {
            chances: [none, one, two, three, all],
        }
    }

    /// Returns the model with this luck and this normalized Elo difference, found by bisection.
    pub(crate) fn of_normalized_elo(luck: Luck, elo: f64) -> Model {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if Model::new(luck, middle).normalized_elo() < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        Model::new(luck, low)
    }

    /// Returns the model with this luck and this Elo difference.
    pub(crate) fn of_elo(luck: Luck, elo: f64) -> Model {
        // Even pairs and drawn games are worth half of the points.
        let score = elo::expected_score(elo);
        let of_others = (score - luck.even / 2.0) / (1.0 - luck.even);
        Model::new(luck, (of_others - luck.drawn / 2.0) / (1.0 - luck.drawn))
    }

    /// Returns the share of the points that the first player gets in the long run.
    pub(crate) fn score(&self) -> f64 {
        let [_, one, two, three, all] = self.chances;
        one / 4.0 + two / 2.0 + 0.75 * three + all
    }

    /// Returns the normalized Elo difference.
    pub(crate) fn normalized_elo(&self) -> f64 {
        let mean = self.score();
        let spread = self
            .chances
            .iter()
            .zip([0.0, 0.25, 0.5, 0.75, 1.0])
            .map(|(chance, score)| chance * (score - mean).powi(2));
        // Of a game: a pair's score varies half as much.
        2.0 * elo::PER_LOG_ODDS * (mean - 0.5) / (2.0 * spread.sum::<f64>()).sqrt()
    }

    /// Returns the half points that the next pair brings the first player.
    pub(crate) fn pair(&self, rng: &mut SeededRng) -> usize {
        let mut left = rng.unit();
        let mut half_points = 0;
        while half_points < 4 && left >= self.chances[half_points] {
            left -= self.chances[half_points];
            half_points += 1;
        }
        half_points
    }

    /// Returns a match of this many pairs.
    pub(crate) fn pairs(&self, pairs: u32, rng: &mut SeededRng) -> Pentanomial {
        let mut counts = [0; 5];
        for _ in 0..pairs {
            counts[self.pair(rng)] += 1;
        }
        Pentanomial::new(counts)
    }
}

/// Returns the source of chance of a simulation.
pub(crate) fn rng(seed: u64) -> SeededRng {
    SeededRng::in_domain(seed, DOMAIN)
}
