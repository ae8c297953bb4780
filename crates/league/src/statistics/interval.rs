//! Intervals of confidence.

use serde::Serialize;

/// The standard normal quantile of 97.5%: an interval of as many standard errors to either side
/// holds 95%.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The standard normal quantile of 95%: a bound to one side that is this many standard errors away
/// holds in 95%.
pub const Z_95_ONE_SIDED: f64 = 1.644_853_626_951_472_2;

/// A range in which a value is believed to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the 95% interval of a normally distributed estimate.
    #[must_use]
    pub fn around(estimate: f64, standard_error: f64) -> Interval {
        let error = Z_95 * standard_error;
        Interval {
            low: estimate - error,
            high: estimate + error,
        }
    }

    /// Returns the interval of a `share` (0 to 1) of `trials` that reaches `z` standard errors to
    /// either side, which stays sensible for few games and for clean sweeps: E. B. Wilson,
    /// "Probable inference, the law of succession, and statistical inference", Journal of the
    /// American Statistical Association 22 (1927).
    ///
    /// Trials that are not independent count as the number of independent ones that would vary as
    /// much: more than 0, but not always whole. A share outside of 0 to 1 counts as the nearest in
    /// it.
    pub(super) fn wilson(share: f64, trials: f64, z: f64) -> Interval {
        let share = share.clamp(0.0, 1.0);
        let z_squared = z * z;
        let spread = share * (1.0 - share) / trials + z_squared / (4.0 * trials * trials);
        let shrink = 1.0 + z_squared / trials;
        let centre = (share + z_squared / (2.0 * trials)) / shrink;
        let reach = z * spread.sqrt() / shrink;
        Interval {
            low: centre - reach,
            high: centre + reach,
        }
        .clamped(0.0, 1.0)
    }

    /// Returns the same with both ends brought into `low..=high`.
    #[must_use]
    pub fn clamped(self, low: f64, high: f64) -> Interval {
        Interval {
            low: self.low.clamp(low, high),
            high: self.high.clamp(low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(successes: f64, trials: f64) -> Interval {
        Interval::wilson(successes / trials, trials, Z_95)
    }

    /// R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
    /// Medicine 17 (1998), Table I, method 3.
    #[test]
    fn the_examples_of_newcombe_1998_come_out() {
        for (successes, trials, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let interval = of(successes, trials);
            for (end, expected) in [(interval.low, low), (interval.high, high)] {
                assert!(
                    (end - expected).abs() < 0.000_051,
                    "{successes}/{trials}: {interval:?}"
                );
            }
        }
    }

    #[test]
    fn both_players_of_a_match_have_mirrored_intervals() {
        let [first, second] = [6.5, 3.5].map(|points| of(points, 10.0));
        assert!((first.low - (1.0 - second.high)).abs() < 1e-12);
        assert!((first.high - (1.0 - second.low)).abs() < 1e-12);
    }

    #[test]
    fn impossible_scores_count_as_the_nearest_possible_one() {
        assert_eq!(of(11.0, 10.0), of(10.0, 10.0));
        assert_eq!(of(-1.0, 10.0), of(0.0, 10.0));
    }
}
