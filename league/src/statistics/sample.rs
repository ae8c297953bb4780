//! A sample of scores: its mean, its error, and the Elo difference it stands for.

use super::elo::{self, EloEstimate};
use super::{Interval, Z_95, real};

/// The mean and the spread of scores that lie at equal steps between 0 and 1: what single games and pairs of games
/// have in common. Formulas as in fastchess, `app/src/matchmaking/elo/elo_pentanomial.cpp` and `elo_wdl.cpp`.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many scores there are; not 0.
    size: f64,
    /// How many games each of them is the mean of.
    games: f64,
    /// Their mean: the share of all points that the first player got, 0 to 1.
    pub score: f64,
    /// Their variance, as of a whole population.
    pub variance: f64,
}

impl Sample {
    /// Returns the sample with the given count of each score, from 0 to 1, each score the mean of `games` games;
    /// `None` if all counts are 0.
    pub(super) fn of<const N: usize>(counts: [u64; N], games: f64) -> Option<Sample> {
        let counts = counts.map(real);
        let size: f64 = counts.iter().sum();
        if size <= 0.0 {
            return None;
        }
        let mean_of = |values: [f64; N]| {
            let total: f64 = counts.iter().zip(values).map(|(count, value)| count * value).sum();
            total / size
        };
        let scores = scores();
        let score = mean_of(scores);
        // Divided by n and not n - 1, as fastchess does; the difference is far below the digits shown.
        let variance = mean_of(scores.map(|each| (each - score).powi(2)));
        Some(Sample { size, games, score, variance })
    }

    /// Returns the standard error of the mean score.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.size).sqrt()
    }

    /// Returns the 95% interval of the mean score, by the normal approximation and within 0 to 1.
    #[must_use]
    pub fn interval(&self) -> Interval {
        Interval::around(self.score, self.standard_error()).clamped(0.0, 1.0)
    }

    /// Returns the Elo difference with the ends of the score's interval as its interval; infinite wherever a score is
    /// 0 or 1.
    #[must_use]
    pub fn elo(&self) -> EloEstimate {
        let Interval { low, high } = self.interval();
        let [elo, low, high] = [self.score, low, high].map(elo::difference);
        EloEstimate { elo, low, high }
    }

    /// Returns the normalized Elo difference: the lead in units of a game's standard deviation, so that it says how
    /// many games show a difference. M. Van den Bergh, "Comments on Normalized Elo" (2021).
    ///
    /// The error does not depend on the variance, which cancels. If all scores are alike it is infinite, or 0 if they
    /// are even.
    #[must_use]
    pub fn normalized_elo(&self) -> EloEstimate {
        let scale = 2.0 * elo::PER_LOG_ODDS;
        let lead = self.score - 0.5;
        if self.variance > 0.0 {
            let elo = scale * lead / (self.games * self.variance).sqrt();
            let error = scale * Z_95 / (self.games * self.size).sqrt();
            EloEstimate { elo, low: elo - error, high: elo + error }
        } else {
            let elo = sign(lead).map_or(0.0, |sign| sign * f64::INFINITY);
            EloEstimate { elo, low: elo, high: elo }
        }
    }

    /// Returns the likelihood of superiority: of the first player being the stronger one, 0 to 1. If all scores are
    /// alike it is 0 or 1, or 1/2 if they are even.
    #[must_use]
    pub fn los(&self) -> f64 {
        let lead = self.score - 0.5;
        if self.variance > 0.0 {
            // Half of erfc(-x) is (1 + erf(x)) / 2, without rounding what is nearly 0 to nothing.
            libm::erfc(-lead / (std::f64::consts::SQRT_2 * self.standard_error())) / 2.0
        } else {
            sign(lead).map_or(0.5, |sign| f64::midpoint(1.0, sign))
        }
    }
}

/// Returns the scores that `N` counts belong to: equal steps from 0 to 1.
pub(super) fn scores<const N: usize>() -> [f64; N] {
    let steps = real(N as u64) - 1.0;
    std::array::from_fn(|index| real(index as u64) / steps)
}

/// Returns 1 or -1; `None` for 0.
fn sign(value: f64) -> Option<f64> {
    (value != 0.0).then(|| value.signum())
}
