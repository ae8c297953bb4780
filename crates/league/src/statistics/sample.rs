//! A sample of scores: its mean, its error, and the Elo difference it stands for.

use serde::Serialize;

use super::elo::{self, EloEstimate};
use super::{Interval, Score, Z_95, to_f64};

/// With fewer scores than this apart from the most frequent score, the spread is known too badly to
/// be a unit of leads: see [`Sample::normalized_elo`].
const FEWEST_OTHERS: f64 = 3.0;

/// From about this many standard deviations on, the logarithm of a lead has a steadier error than
/// the lead; see [`Sample::normalized_elo`].
const STEADY: f64 = 2.0;

/// The mean and the spread of scores that lie at equal steps between 0 and 1: what single games and
/// pairs of games have in common. Formulas as in fastchess,
/// `app/src/matchmaking/elo/elo_pentanomial.cpp` and `elo_wdl.cpp`, but for the intervals.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The number of scores; not 0.
    size: f64,
    /// The number of games of which each score is the mean.
    games: f64,
    /// The number of scores that differ from the most frequent one.
    others: f64,
    /// The mean: the share of all points that the first player got, 0 to 1.
    pub score: f64,
    /// The variance, as of a whole population.
    pub variance: f64,
    /// The moments with half a score more of 0, of 1/2 and of 1: the variance of these is never 0.
    smoothed: Moments,
}

/// A normalized Elo difference and its 95% interval, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NormalizedElo {
    /// The difference; infinite if all scores are alike and not even. JSON then has null.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

/// The first moments of some scores.
#[derive(Clone, Copy, Debug)]
struct Moments {
    mean: f64,
    /// Divided by n and not n - 1, as fastchess does; the difference is far below the digits shown.
    variance: f64,
    /// The third central moment over the deviation to the third; no number without deviation.
    skewness: f64,
    /// The fourth central moment over the deviation to the fourth, 3 for a normal distribution; no
    /// number without deviation.
    kurtosis: f64,
}

impl Moments {
    fn of<const N: usize>(counts: [f64; N]) -> Moments {
        let size: f64 = counts.iter().sum();
        let mean_of = |values: [f64; N]| {
            let terms = counts.iter().zip(values);
            terms.map(|(count, value)| count * value).sum::<f64>() / size
        };
        let mean = mean_of(scores());
        let central = |power| mean_of(scores().map(|score: f64| (score - mean).powi(power)));
        let variance = central(2);
        Moments {
            mean,
            variance,
            skewness: central(3) / variance.powf(1.5),
            kurtosis: central(4) / variance.powi(2),
        }
    }
}

impl Sample {
    /// Returns the sample with the given count of each score, from 0 to 1, each score the mean of
    /// `games` games; `None` if all counts are 0.
    pub(super) fn of<const N: usize>(counts: [u64; N], games: f64) -> Option<Sample> {
        let counts = counts.map(to_f64);
        let size: f64 = counts.iter().sum();
        if size <= 0.0 {
            return None;
        }
        let Moments { mean, variance, .. } = Moments::of(counts);
        let mut smoothed = counts;
        for place in [0, N / 2, N - 1] {
            smoothed[place] += 0.5;
        }
        Some(Sample {
            size,
            games,
            others: size - counts.into_iter().fold(0.0, f64::max),
            score: mean,
            variance,
            smoothed: Moments::of(smoothed),
        })
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> f64 {
        self.size * self.games
    }

    /// Returns the mean score with half a score more of 0, of 1/2 and of 1.
    pub(super) const fn smoothed_score(&self) -> f64 {
        self.smoothed.mean
    }

    /// Returns the variance of the points as a multiple of that of as many independent games
    /// without draws: 1 if the games are independent, less where pairs share the luck between both
    /// players. The variance is that of the scores with half a score more of 0, of 1/2 and of 1,
    /// since a few scores are often all alike and would have none.
    pub(super) fn dispersion(&self) -> f64 {
        let Moments { mean, variance, .. } = self.smoothed;
        self.games * variance / (mean * (1.0 - mean))
    }

    /// Returns the standard error of the mean score.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.size).sqrt()
    }

    /// Returns the 95% interval of the mean score: see [`Score`].
    #[must_use]
    pub fn interval(&self) -> Interval {
        Score::of([*self]).expect("a sample has games").interval()
    }

    /// Returns the Elo difference with the ends of the score's interval as its interval; infinite
    /// wherever a score is 0 or 1.
    #[must_use]
    pub fn elo(&self) -> EloEstimate {
        let Interval { low, high } = self.interval();
        let [elo, low, high] = [self.score, low, high].map(elo::difference);
        EloEstimate { elo, low, high }
    }

    /// Returns the normalized Elo difference: the lead in units of a game's standard deviation, so
    /// that it says how many games show a difference. M. Van den Bergh, "Comments on Normalized
    /// Elo" (2021).
    ///
    /// If all scores are alike it is infinite, or 0 if they are even. It has no interval if fewer
    /// than three scores differ from the most frequent one: they do not tell the deviation.
    #[must_use]
    pub fn normalized_elo(&self) -> NormalizedElo {
        let lead = self.score - 0.5;
        // Of a pair's score; that of a game is larger by the root of the number of games in it.
        let scale = 2.0 * elo::PER_LOG_ODDS / self.games.sqrt();
        let deviations = if lead == 0.0 {
            0.0
        } else {
            lead / self.variance.sqrt()
        };
        let ends = self.ends_of_deviations(deviations);
        NormalizedElo {
            elo: scale * deviations,
            low: ends.map(|ends| scale * ends.low),
            high: ends.map(|ends| scale * ends.high),
        }
    }

    /// Returns the 95% interval of a lead in standard deviations of a score, which was estimated as
    /// `lead`.
    fn ends_of_deviations(&self, lead: f64) -> Option<Interval> {
        if self.others < FEWEST_OTHERS {
            return None;
        }
        // By the delta method: the deviation is estimated as well, from the same scores. C. R. Rao,
        // "Linear Statistical Inference and Its Applications" (1973), section 6a.2, with the
        // variances of a mean and of a variance and their covariance. Of the smoothed scores, since
        // few scores seldom have the rare ones that the moments depend on.
        let Moments {
            mean,
            variance,
            skewness,
            kurtosis,
        } = self.smoothed;
        let smooth = (mean - 0.5) / variance.sqrt();
        let of_one = 1.0 - smooth * skewness + smooth * smooth * (kurtosis - 1.0) / 4.0;
        let error = (of_one.max(0.0) / self.size).sqrt() * student_quantile(Z_95, self.size - 1.0);
        // Far from an even score the lead is nearly the inverse of the deviation, and its error
        // grows with it. The inverse hyperbolic sine is the lead itself near 0 and its logarithm
        // far from it, so the error hardly depends on it there.
        let reach = error / STEADY.hypot(lead);
        let centre = (lead / STEADY).asinh();
        Some(Interval {
            low: STEADY * (centre - reach).sinh(),
            high: STEADY * (centre + reach).sinh(),
        })
    }

    /// Returns the likelihood of superiority: of the first player being the stronger one, 0 to 1.
    /// If all scores are alike it is 0 or 1, or 1/2 if they are even.
    #[must_use]
    pub fn los(&self) -> f64 {
        let lead = self.score - 0.5;
        if lead == 0.0 {
            return 0.5;
        }
        // Half of erfc(-x) is (1 + erf(x)) / 2, without rounding what is nearly 0 to nothing.
        libm::erfc(-lead / (std::f64::consts::SQRT_2 * self.standard_error())) / 2.0
    }
}

/// Returns the scores that `N` counts belong to: equal steps from 0 to 1.
pub(super) fn scores<const N: usize>() -> [f64; N] {
    let steps = to_f64(N as u64) - 1.0;
    std::array::from_fn(|index| to_f64(index as u64) / steps)
}

/// Returns the quantile of Student's distribution with this many degrees of freedom, some at least,
/// that is as likely as `z` of the normal one: the first terms of its expansion (M. Abramowitz and
/// I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.5).
fn student_quantile(z: f64, freedom: f64) -> f64 {
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    z + first / freedom + second / freedom.powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_as_wide_as_students() {
        let errors = student_quantile(Z_95, 14.0);
        assert!((errors - 2.145).abs() < 0.002, "{errors}");
    }
}
