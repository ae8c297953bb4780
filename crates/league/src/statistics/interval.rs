//! Intervals of confidence.

use serde::Serialize;

/// The standard normal quantile of 97.5%: an interval of as many standard errors to either side holds 95%.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The standard normal quantile of 95%: a bound to one side that is this many standard errors away holds in 95%.
pub const Z_95_ONE_SIDED: f64 = 1.644_853_626_951_472_2;

/// A range in which a value is believed to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
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

    /// Returns the same with both ends brought into `low..=high`.
    #[must_use]
    pub fn clamped(self, low: f64, high: f64) -> Interval {
        Interval {
            low: self.low.clamp(low, high),
            high: self.high.clamp(low, high),
        }
    }
}
