//! The distribution of reply times, in memory that hardly grows with their number.

use hdrhistogram::Histogram;
use serde::{Serialize, Serializer};

/// Reply times, in microseconds.
///
/// Mean and maximum are exact. Percentiles are right to three digits, which keeps this small: a contest has millions of
/// replies (G. Tene's `HdrHistogram`).
#[derive(Clone, Debug)]
pub struct Times {
    histogram: Histogram<u64>,
    sum: u128,
    max: u64,
}

/// Times of replies, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimesSummary {
    /// The number of replies.
    pub count: u64,
    /// The mean time.
    pub mean: f64,
    /// The median: half of them took at most this long.
    pub p50: u64,
    /// 99% of them took at most this long.
    pub p99: u64,
    /// The time of the slowest.
    pub max: u64,
}

/// Significant digits of percentiles.
const DIGITS: u8 = 3;

/// Longer times count as this for percentiles: some 36 years. A record can hold any number, and each doubling of the
/// range costs memory.
const LONGEST: u64 = 1 << 50;

/// As its figures; as `null` without any.
impl Serialize for Times {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.summary().serialize(to)
    }
}

impl Times {
    /// Returns a distribution without times.
    #[must_use]
    pub fn new() -> Times {
        let histogram = Histogram::new(DIGITS).expect("0 to 5 digits are possible");
        Times {
            histogram,
            sum: 0,
            max: 0,
        }
    }

    /// Counts one more reply.
    pub fn add(&mut self, micros: u64) {
        self.histogram
            .record(micros.min(LONGEST))
            .expect("it grows to hold any time up to that");
        // In 128 bits: the times come from records, which may have any, and their sum must not overflow.
        self.sum += u128::from(micros);
        self.max = self.max.max(micros);
    }

    /// Returns the number of replies.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// Returns the mean time, in microseconds; `None` without times, as for all that follow.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        super::quotient(self.sum, self.count())
    }

    /// Returns the median time, in microseconds.
    #[must_use]
    pub fn p50(&self) -> Option<u64> {
        self.quantile(0.5)
    }

    /// Returns the time that 99% of the replies took at most, in microseconds.
    #[must_use]
    pub fn p99(&self) -> Option<u64> {
        self.quantile(0.99)
    }

    /// Returns the time of the slowest reply, in microseconds.
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        (self.count() > 0).then_some(self.max)
    }

    /// Returns all figures at once.
    #[must_use]
    pub fn summary(&self) -> Option<TimesSummary> {
        let (mean, p50, p99, max) = (self.mean()?, self.p50()?, self.p99()?, self.max()?);
        Some(TimesSummary {
            count: self.count(),
            mean,
            p50,
            p99,
            max,
        })
    }

    /// Returns the time that this share of the replies took at most, 0 to 1, in microseconds.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Option<u64> {
        // The histogram returns the upper end of a small range, which may be above every time in it.
        Some(self.histogram.value_at_quantile(quantile).min(self.max()?))
    }
}

impl Default for Times {
    fn default() -> Times {
        Times::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(micros: impl IntoIterator<Item = u64>) -> Times {
        let mut times = Times::new();
        for micros in micros {
            times.add(micros);
        }
        times
    }

    #[test]
    fn percentiles_are_right_to_three_digits() {
        let summary = times(1..=1_000_000).summary().unwrap();
        assert_eq!((summary.count, summary.max), (1_000_000, 1_000_000));
        assert!((summary.mean - 500_000.5).abs() < 1e-9);
        assert!(summary.p50.abs_diff(500_000) <= 500, "{summary:?}");
        assert!(summary.p99.abs_diff(990_000) <= 990, "{summary:?}");
    }

    #[test]
    fn without_replies_there_are_no_figures() {
        let none = Times::default();
        assert_eq!(
            (none.summary(), none.mean(), none.p50(), none.max()),
            (None, None, None, None)
        );
    }

    #[test]
    fn a_percentile_is_never_above_the_slowest_reply() {
        let slow = times([123_456_789]);
        assert_eq!(
            (slow.p50(), slow.max()),
            (Some(123_456_789), Some(123_456_789))
        );
    }

    #[test]
    fn times_from_nothing_to_forever_are_counted() {
        let extreme = times([0, u64::MAX]);
        assert_eq!((extreme.p50(), extreme.max()), (Some(0), Some(u64::MAX)));
        assert!((extreme.mean().unwrap() / 9.223_372_036_854_776e18 - 1.0).abs() < 1e-12);
    }
}
