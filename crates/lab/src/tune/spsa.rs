//! The search for the numbers with which a player scores best, by games alone: simultaneous
//! perturbation stochastic approximation (SPSA).
//!
//! The method is J. C. Spall's, "Multivariate Stochastic Approximation Using a Simultaneous
//! Perturbation Gradient Approximation", IEEE Transactions on Automatic Control 37 (1992); the gain
//! sequences and their exponents are those of his "Implementation of the Simultaneous Perturbation
//! Algorithm for Stochastic Optimization", IEEE Transactions on Aerospace and Electronic Systems 34
//! (1998), counted back from their last values as Fishtest and `OpenBench` do.
//!
//! Each number is a coordinate from 0 to 1: its place in its range. Nothing is random here; the
//! caller tosses the coins.

use league::statistics::{Interval, Z_95_ONE_SIDED, to_f64};

/// The exponents by which steps become shorter, and by which both sides come closer.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The length of the last step, in coordinates for each point by which a coordinate from 0 to 1
/// would raise the score.
const LAST_STEP: f64 = 0.05;

/// The distance of the last sides from the middle.
const LAST_OFFSET: f64 = 0.1;

/// The stability constant `A` as a share of all rounds. It keeps the first steps from leaving the
/// range.
const STABILITY: f64 = 0.1;

/// The fewest rounds for an estimate: the first rounds depend on the start of the search.
const LEAST_ROUNDS: usize = 40;

/// The quantile of 97.5% of the distribution of [`Spsa::estimates`].
const RANDOM_SCALING_95: f64 = 6.747;

/// A search in progress.
#[derive(Clone, Debug)]
pub(super) struct Spsa {
    rounds: u64,
    at: Vec<f64>,
    /// The position after each round and the slope that the round measured, coordinate by
    /// coordinate.
    past: Vec<Vec<Seen>>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    at: f64,
    slope: f64,
}

/// The knowledge of one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// The best value, as far as is known.
    pub(super) value: f64,
    /// The 95% interval of the value that the search tends to; all that is allowed if too little is
    /// known.
    pub(super) interval: Interval,
}

impl Spsa {
    /// Returns the search from `start` that is to take this many rounds.
    pub(super) fn new(start: Vec<f64>, rounds: u64) -> Spsa {
        Spsa {
            rounds,
            at: start,
            past: Vec::new(),
        }
    }

    /// Returns the number of rounds so far.
    pub(super) fn round(&self) -> u64 {
        self.past.len() as u64
    }

    /// Returns the position of the search, coordinate by coordinate.
    pub(super) fn at(&self) -> &[f64] {
        &self.at
    }

    /// Returns the number of the next round over that of the last one, both with `more` added.
    fn share(&self, more: f64) -> f64 {
        (to_f64(self.round() + 1) + more) / (to_f64(self.rounds) + more)
    }

    fn offset(&self) -> f64 {
        LAST_OFFSET * self.share(0.0).powf(-GAMMA)
    }

    /// Returns the two points between which the next round decides: a toss moves each coordinate up
    /// in the one and down in the other. Both are in the range, even where the search is at its end
    /// (P. Sadegh, "Constrained Optimization via Stochastic Approximation with a Simultaneous
    /// Perturbation Gradient Approximation", Automatica 33 (1997)).
    pub(super) fn sides(&self, coins: &[bool]) -> [Vec<f64>; 2] {
        // With few rounds the first offset would go beyond the middle.
        let offset = self.offset().min(0.5);
        [1.0, -1.0].map(|side| {
            self.at
                .iter()
                .zip(coins)
                .map(|(at, coin)| {
                    at.clamp(offset, 1.0 - offset)
                        + if *coin { side * offset } else { -side * offset }
                })
                .collect()
        })
    }

    /// Takes the step of a round: by `lead`, the first side scored more than the second.
    pub(super) fn learn(&mut self, coins: &[bool], lead: f64) {
        let step = LAST_STEP * self.share(STABILITY * to_f64(self.rounds)).powf(-ALPHA);
        let width = 2.0 * self.offset().min(0.5);
        let seen = self.at.iter_mut().zip(coins).map(|(at, coin)| {
            let slope = lead / if *coin { width } else { -width };
            *at = (*at + step * slope).clamp(0.0, 1.0);
            Seen { at: *at, slope }
        });
        let seen = seen.collect();
        self.past.push(seen);
    }

    /// Returns the second half of the rounds of a coordinate: the first half is on the way.
    fn settled(&self, coordinate: usize) -> impl Iterator<Item = Seen> + '_ {
        self.past[self.past.len() / 2..]
            .iter()
            .map(move |seen| seen[coordinate])
    }

    /// Returns the estimate of each coordinate: the mean of the second half of the way (B. T.
    /// Polyak and A. B. Juditsky, "Acceleration of Stochastic Approximation by Averaging", SIAM
    /// Journal on Control and Optimization 30 (1992)), and its interval by random scaling (S. Lee,
    /// Y. Liao, M. H. Seo and Y. Shin, "Fast and Robust Online Inference with Stochastic Gradient
    /// Descent via Random Scaling", AAAI 36 (2022)), for which neither the noise nor the curvature
    /// need be known.
    pub(super) fn estimates(&self) -> Vec<Estimate> {
        let all = Interval {
            low: 0.0,
            high: 1.0,
        };
        if self.past.len() < LEAST_ROUNDS {
            return self
                .at
                .iter()
                .map(|at| Estimate {
                    value: *at,
                    interval: all,
                })
                .collect();
        }
        (0..self.at.len())
            .map(|coordinate| {
                let mut sum = 0.0;
                let mut count = 0.0;
                let sums: Vec<f64> = self
                    .settled(coordinate)
                    .map(|seen| {
                        (sum, count) = (sum + seen.at, count + 1.0);
                        sum
                    })
                    .collect();
                let value = sum / count;
                // The sum over s of s^2 (mean of the first s - mean of all)^2, over n^2; and the
                // error is its root over that of n.
                let apart = (1..)
                    .zip(sums)
                    .map(|(n, sum)| (sum - to_f64(n) * value).powi(2));
                let error = (apart.sum::<f64>() / count.powi(3)).sqrt();
                let low = value - RANDOM_SCALING_95 * error;
                let high = value + RANDOM_SCALING_95 * error;
                Estimate {
                    value,
                    interval: Interval { low, high }.clamped(0.0, 1.0),
                }
            })
            .collect()
    }

    /// Returns the most points that a game can still gain; `None` if too little is known.
    ///
    /// If the score is concave, a step from the estimate to the best value gains no more than its
    /// length times the slope at the estimate. The length is the distance to the end of the
    /// interval, and the slope the upper end of what the second half of the rounds saw, one-sided,
    /// each in 95%.
    pub(super) fn left_to_gain(&self) -> Option<f64> {
        if self.past.len() < LEAST_ROUNDS {
            return None;
        }
        Some(
            self.estimates()
                .into_iter()
                .enumerate()
                .map(|(coordinate, Estimate { value, interval })| {
                    let slopes = || self.settled(coordinate).map(|seen| seen.slope);
                    let count = to_f64(slopes().count() as u64);
                    let mean = slopes().sum::<f64>() / count;
                    let variance =
                        slopes().map(|slope| (slope - mean).powi(2)).sum::<f64>() / (count - 1.0);
                    let steepest = mean.abs() + Z_95_ONE_SIDED * (variance / count).sqrt();
                    steepest * (value - interval.low).max(interval.high - value)
                })
                .sum(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coins and noise that the same number repeats: `SplitMix64` (Steele, Lea and Flood, 2014).
    struct Random(u64);

    impl Random {
        fn share(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            to_f64((mixed ^ (mixed >> 31)) >> 11) / to_f64(1 << 53)
        }

        /// The share of this many games that a player wins who wins each with this chance.
        fn won(&mut self, games: u64, chance: f64) -> f64 {
            to_f64((0..games).filter(|_| self.share() < chance).count() as u64) / to_f64(games)
        }
    }

    /// The search for the best of two numbers, each side of a round with 40 games of its own luck,
    /// up to 250 rounds or until nothing is left to gain if `stops` says when.
    fn search(seed: u64, best: [f64; 2], steep: f64, stops: f64) -> Spsa {
        let mut random = Random(seed);
        let mut search = Spsa::new(vec![0.5; 2], 250);
        let chance = |at: &[f64]| {
            let loss = at
                .iter()
                .zip(best)
                .map(|(at, best)| (at - best).powi(2))
                .sum::<f64>();
            (0.8 - steep * loss).clamp(0.0, 1.0)
        };
        while search.round() < 250 && search.left_to_gain().is_none_or(|left| left > stops) {
            let coins = [random.share() < 0.5, random.share() < 0.5];
            let [up, down] = search.sides(&coins).map(|at| random.won(40, chance(&at)));
            search.learn(&coins, up - down);
        }
        search
    }

    #[test]
    fn gains_are_those_of_the_sequences() {
        let mut search = Spsa::new(vec![0.5], 100);
        let [up, _] = search.sides(&[true]);
        assert!((up[0] - 0.5 - 0.1 * 100_f64.powf(0.101)).abs() < 1e-12);
        for _ in 0..99 {
            search.learn(&[true], 0.0);
        }
        let [up, down] = search.sides(&[false]);
        assert!((up[0] - 0.4).abs() < 1e-12 && (down[0] - 0.6).abs() < 1e-12);
        search.learn(&[false], 0.02);
        // A lead of 0.02 over a width of -0.2.
        assert!((search.at()[0] - (0.5 - 0.05 * 0.1)).abs() < 1e-12);
    }

    #[test]
    fn sides_stay_in_the_range() {
        for at in [0.0, 0.05, 0.97, 1.0] {
            let [up, down] = Spsa::new(vec![at], 3).sides(&[true]);
            assert!(
                (0.0..=1.0).contains(&up[0]) && (0.0..=1.0).contains(&down[0]),
                "{at}"
            );
            assert!(up[0] > down[0]);
        }
    }

    #[test]
    fn the_best_numbers_are_found() {
        for seed in 1..=20 {
            let estimates = search(seed, [0.3, 0.65], 1.6, 0.0).estimates();
            for (estimate, best) in estimates.iter().zip([0.3, 0.65]) {
                assert!(
                    (estimate.value - best).abs() < 0.05,
                    "{seed}: {estimates:?}"
                );
            }
        }
    }

    #[test]
    fn intervals_hold_as_often_as_they_say() {
        let best = [0.4, 0.6];
        let within = (1..=200).map(|seed| {
            let estimates = search(seed, best, 1.6, 0.0).estimates();
            let hit = |(estimate, best): (&Estimate, f64)| {
                (estimate.interval.low..=estimate.interval.high).contains(&best)
            };
            estimates
                .iter()
                .zip(best)
                .filter(|(estimate, best)| hit((estimate, *best)))
                .count()
        });
        let within: usize = within.sum();
        println!("{within} of 400");
        assert!((360..=396).contains(&within), "{within} of 400");
    }

    #[test]
    fn a_search_ends_early_at_the_best() {
        let mut early = 0;
        let mut rounds = 0;
        for seed in 1..=50 {
            let search = search(seed, [0.4, 0.6], 1.6, 0.005);
            early += u64::from(search.round() < 250);
            rounds += search.round();
            let loss: f64 = search
                .estimates()
                .iter()
                .zip([0.4, 0.6])
                .map(|(estimate, best)| 1.6 * (estimate.value - best).powi(2))
                .sum();
            assert!(
                loss < 0.005,
                "{seed}: {loss} is lost after {} rounds",
                search.round()
            );
        }
        println!(
            "{early} of 50 end early, after {} rounds in the mean",
            rounds / 50
        );
        assert!(early > 10, "{early} of 50, {rounds} rounds");
    }

    #[test]
    fn without_rounds_nothing_is_known() {
        let search = Spsa::new(vec![0.25], 10);
        let all = Interval {
            low: 0.0,
            high: 1.0,
        };
        assert_eq!(
            search.estimates(),
            [Estimate {
                value: 0.25,
                interval: all
            }]
        );
        assert_eq!(search.left_to_gain(), None);
    }
}
