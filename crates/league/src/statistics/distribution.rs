//! Summaries of many whole numbers, in memory that hardly grows with how many they are.

use super::to_f64;

/// The binary digits by which values above 2047 are told apart.
const DIGITS: u32 = 11;

/// Each doubling of the values above 2047 has as many buckets as this.
const BUCKETS: u64 = 1 << (DIGITS - 1);

/// The frequencies of whole numbers, such as the attacks needed to win or the microseconds of
/// replies.
///
/// Values up to 2047 are counted one by one. Larger ones share a bucket with those that have the
/// same first eleven binary digits, so that they are right to three digits and millions of reply
/// times take little memory: the layout of G. Tene's `HdrHistogram`. The number of values, their
/// mean, the least and the largest are always exact.
///
/// ```
/// use league::statistics::distribution::Distribution;
///
/// let attacks: Distribution = [40, 41, 41, 55].into_iter().collect();
/// assert_eq!(attacks.mean(), Some(44.25));
/// assert_eq!(attacks.median(), Some(41.0));
/// assert!(attacks.iter().eq([(40, 1), (41, 2), (55, 1)]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The number of values in each bucket, up to that of the largest value.
    counts: Vec<u64>,
    count: u64,
    /// The sum has 128 bits: values come from records, which may have any value, and must not
    /// overflow.
    sum: u128,
    /// The least and the largest value.
    range: Option<(u64, u64)>,
}

impl Distribution {
    /// Counts one more value.
    pub fn add(&mut self, value: u64) {
        let bucket = bucket(value);
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
        self.count += 1;
        self.sum += u128::from(value);
        let (min, max) = self.range.unwrap_or((value, value));
        self.range = Some((min.min(value), max.max(value)));
    }

    /// Returns the values and their frequencies, in ascending order. A bucket of several values
    /// stands for the largest of them.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        let largest = self.max().unwrap_or_default();
        let used = self.counts.iter().enumerate();
        used.filter(|(_, count)| **count > 0)
            .map(move |(bucket, count)| (last_of(bucket).min(largest), *count))
    }

    /// Returns the number of values.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean; `None` without values, as for all that follow.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "a mean is rounded anyway")]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Returns the value in the middle, or the mean of the two in the middle of an even number of
    /// values.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        let lower = self.in_order(self.count.checked_sub(1)? / 2)?;
        let upper = self.in_order(self.count / 2)?;
        Some(f64::midpoint(to_f64(lower), to_f64(upper)))
    }

    /// Returns the least value.
    #[must_use]
    pub fn min(&self) -> Option<u64> {
        self.range.map(|(min, _)| min)
    }

    /// Returns the largest value.
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        self.range.map(|(_, max)| max)
    }

    /// Returns the standard deviation, as of a sample; `None` for a single value too.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        if self.count < 2 {
            return None;
        }
        // From the exact mean and not from sums of squares, whose difference loses digits where the
        // spread is small.
        let squares = self
            .iter()
            .map(|(value, count)| to_f64(count) * (to_f64(value) - mean).powi(2));
        Some((squares.sum::<f64>() / to_f64(self.count - 1)).sqrt())
    }

    /// Returns the value that this share of all values, from 0 to 1, does not exceed.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the number of values"
    )]
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let values = (share.clamp(0.0, 1.0) * to_f64(self.count)).ceil() as u64;
        self.in_order(values.saturating_sub(1))
    }

    /// Returns the value with `before` others before it in ascending order.
    fn in_order(&self, before: u64) -> Option<u64> {
        let mut passed = 0;
        for (value, count) in self.iter() {
            passed += count;
            if passed > before {
                return Some(value);
            }
        }
        None
    }
}

impl FromIterator<u64> for Distribution {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Distribution {
        let mut distribution = Distribution::default();
        for value in values {
            distribution.add(value);
        }
        distribution
    }
}

/// Returns the bucket of a value: its first eleven binary digits, behind the buckets of fewer
/// digits.
fn bucket(value: u64) -> usize {
    let cut = (u64::BITS - value.leading_zeros()).saturating_sub(DIGITS);
    let bucket = u64::from(cut) * BUCKETS + (value >> cut);
    usize::try_from(bucket).expect("less than 2^16, since at most 53 digits are cut")
}

/// Returns the largest value of a bucket.
fn last_of(bucket: usize) -> u64 {
    let cut = (bucket as u64 / BUCKETS).saturating_sub(1);
    (bucket as u64 - cut * BUCKETS) << cut | ((1 << cut) - 1)
}

/// Returns the median of some values, of which those in `at_least` are only known not to be
/// smaller: the first value that at most half of all are estimated to exceed; `None` if more exceed
/// all that are known.
///
/// The product-limit estimate of E. L. Kaplan and P. Meier, "Nonparametric Estimation from
/// Incomplete Observations" (1958).
#[must_use]
pub fn median_of_censored(known: &Distribution, at_least: &Distribution) -> Option<u64> {
    let mut left = known.count() + at_least.count();
    let mut exceeding = 1.0;
    let mut larger = at_least.iter().peekable();
    for (value, count) in known.iter() {
        while let Some((_, gone)) = larger.next_if(|(bound, _)| *bound < value) {
            left -= gone;
        }
        exceeding *= 1.0 - to_f64(count) / to_f64(left);
        if exceeding <= 0.5 {
            return Some(value);
        }
        left -= count;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = u64>) -> Distribution {
        values.into_iter().collect()
    }

    /// A. A. Michelson's first ten speeds of light of 1879, in km/s above 299,000 (data set
    /// `morley` of R).
    #[test]
    fn figures_are_those_counted_by_hand() {
        let speeds = of([850, 740, 900, 1070, 930, 850, 950, 980, 980, 880]);
        assert_eq!((speeds.min(), speeds.max()), (Some(740), Some(1070)));
        // The squares of the distances from 913 add up to 74,410.
        let deviation = (74_410.0_f64 / 9.0).sqrt();
        for (figure, expected) in [
            (speeds.mean(), 913.0),
            (speeds.median(), 915.0),
            (speeds.standard_deviation(), deviation),
        ] {
            assert!((figure.unwrap() - expected).abs() < 1e-9, "{figure:?}");
        }
    }

    #[test]
    fn few_values_have_few_figures() {
        for (values, figure) in [(of([]), None), (of([7]), Some(7.0))] {
            assert_eq!([values.mean(), values.median()], [figure; 2]);
            assert_eq!(values.standard_deviation(), None);
            assert_eq!(values.quantile(0.5).map(to_f64), figure);
        }
    }

    #[test]
    fn quantiles_are_right_to_three_digits() {
        let times = of(1..=1_000_000);
        for (share, expected) in [(0.5, 500_000_u64), (0.99, 990_000), (1.0, 1_000_000)] {
            let found = times.quantile(share).unwrap();
            assert!(found.abs_diff(expected) <= expected / 1000, "{found}");
        }
        assert_eq!(of([123_456_789]).quantile(0.5), Some(123_456_789));
    }

    #[test]
    fn values_of_any_size_are_counted() {
        let extreme = of([0, u64::MAX]);
        assert!(extreme.iter().eq([(0, 1), (u64::MAX, 1)]));
        assert!((extreme.mean().unwrap() / 9.223_372_036_854_776e18 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn buckets_begin_where_the_last_one_ends() {
        for bucket_before in 0..53 * 1024 {
            let last = last_of(bucket_before);
            assert_eq!(bucket(last), bucket_before);
            assert_eq!(bucket(last + 1), bucket_before + 1);
            assert!(last < 2048 || last / 1000 >= last - last_of(bucket_before - 1));
        }
    }

    /// The weeks of remission of E. J. Freireich and others (1963), with 6-MP and with a placebo;
    /// the medians are 23 and 8 (D. G. Kleinbaum, M. Klein, "Survival Analysis" (2012), chapter 2).
    #[test]
    fn the_medians_of_freireich_come_out() {
        let known = of([6, 6, 6, 7, 10, 13, 16, 22, 23]);
        let at_least = of([6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]);
        assert_eq!(median_of_censored(&known, &at_least), Some(23));
        let placebo = of([
            1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23,
        ]);
        let none = Distribution::default();
        assert_eq!(median_of_censored(&placebo, &none), Some(8));
    }

    #[test]
    fn too_few_values_have_no_censored_median() {
        let at_least = of([9, 9]);
        assert_eq!(median_of_censored(&of([3]), &at_least), None);
        assert_eq!(median_of_censored(&of([]), &at_least), None);
    }
}
