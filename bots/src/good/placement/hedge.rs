//! Ways to choose one of the drawn fleets, and how much each of them is trusted.

use crate::good::cells::real;

/// The fleet that lasts longest of this number of the drawn ones.
const BEST_OF: [f64; WAYS] = [1.0, 6.0, 30.0, 100.0];
pub(super) const WAYS: usize = 4;
/// The trust in each way before the first game.
const TRUST: [f64; WAYS] = [0.5, 0.25, 0.15, 0.1];
/// By how much a shot more that a way lasts multiplies its trust, as a logarithm.
const RATE: f64 = 0.1;
/// The part of all trust that is handed back after each game, so that an opponent that changes its
/// ways is noticed.
const HANDED_BACK: f64 = 0.02;

/// Returns by way and fleet how likely that way is to choose it, if the fleets last so long. That
/// the best of k draws with replacement from n fleets is the one with r better ones has the
/// probability ((n - r) / n)^k - ((n - r - 1) / n)^k.
pub(super) fn shares(lasting: &[f64]) -> [Vec<f64>; WAYS] {
    let mut order: Vec<usize> = (0..lasting.len()).collect();
    order.sort_by(|one, other| lasting[*other].total_cmp(&lasting[*one]));
    let best_of = |draws: f64| {
        let at_least =
            |better: usize| libm::pow(real(lasting.len() - better) / real(lasting.len()), draws);
        let mut shares = vec![0.0; lasting.len()];
        for (rank, fleet) in order.iter().enumerate() {
            shares[*fleet] = at_least(rank) - at_least(rank + 1);
        }
        shares
    };
    BEST_OF.map(best_of)
}

/// The trust in each way: multiplicative weights with all ways judged after each game (Freund and
/// Schapire, 1997).
#[derive(Debug)]
pub(super) struct Hedge([f64; WAYS]);

impl Default for Hedge {
    fn default() -> Hedge {
        Hedge(TRUST)
    }
}

impl Hedge {
    /// Returns by fleet how likely to choose it if the ways choose as `shares` says.
    pub(super) fn mixed(&self, shares: &[Vec<f64>; WAYS]) -> Vec<f64> {
        let fleets = shares[0].len();
        let mix = |fleet: usize| {
            self.0
                .iter()
                .zip(shares)
                .map(|(trust, shares)| trust * shares[fleet])
                .sum()
        };
        (0..fleets).map(mix).collect()
    }

    /// Learns from a game in which the fleets would have lasted this long.
    pub(super) fn learn(&mut self, shares: &[Vec<f64>; WAYS], lasted: &[f64]) {
        let mean = |shares: &Vec<f64>| -> f64 {
            shares
                .iter()
                .zip(lasted)
                .map(|(share, lasted)| share * lasted)
                .sum()
        };
        let means: Vec<f64> = shares.iter().map(mean).collect();
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (trust, mean) in self.0.iter_mut().zip(means) {
            *trust *= libm::exp(RATE * (mean - best));
        }
        let total: f64 = self.0.iter().sum();
        for (trust, first) in self.0.iter_mut().zip(TRUST) {
            *trust = (1.0 - HANDED_BACK) * *trust / total + HANDED_BACK * first;
        }
    }
}
