//! The distribution of small whole numbers, such as attacks to win.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::super::real;
use super::bars;

/// The frequencies of small whole numbers, such as the shots it took to win.
///
/// It takes room for each different number only.
///
/// ```
/// use league::statistics::distribution::Counts;
///
/// let shots: Counts = [40, 41, 41, 55].into_iter().collect();
/// assert_eq!(shots.mean(), Some(44.25));
/// assert_eq!(shots.median(), Some(41.0));
/// let lines = ["40-44 ######### 3", "45-49           0", "50-54           0", "55-59 ###       1"];
/// assert_eq!(shots.text_histogram(17, 4), lines);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    by_value: BTreeMap<u32, u64>,
}

/// The figures of some whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CountsSummary {
    /// The number of numbers.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The one in the middle, or half of the two there.
    pub median: f64,
    /// The least of them.
    pub min: u32,
    /// The largest.
    pub max: u32,
    /// Their standard deviation, as of a sample; `None` for a single number.
    pub standard_deviation: Option<f64>,
}

/// As its figures; as `null` without any.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.summary().serialize(to)
    }
}

impl Counts {
    /// Counts one more number.
    pub fn add(&mut self, value: u32) {
        *self.by_value.entry(value).or_default() += 1;
    }

    /// Returns each number that came up and how often, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        self.by_value.iter().map(|(value, count)| (*value, *count))
    }

    /// Returns how many numbers there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.by_value.values().sum()
    }

    /// Returns the mean; `None` without numbers, as for all that follow.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let sum: u128 = self
            .by_value
            .iter()
            .map(|(value, count)| u128::from(*value) * u128::from(*count))
            .sum();
        super::quotient(sum, self.count())
    }

    /// Returns the one in the middle; half of the two there if they are an even number.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        let count = self.count();
        let lower = self.in_order(count.checked_sub(1)? / 2)?;
        let upper = self.in_order(count / 2)?;
        Some(f64::midpoint(f64::from(lower), f64::from(upper)))
    }

    /// Returns the least of them.
    #[must_use]
    pub fn min(&self) -> Option<u32> {
        Some(*self.by_value.first_key_value()?.0)
    }

    /// Returns the largest of them.
    #[must_use]
    pub fn max(&self) -> Option<u32> {
        Some(*self.by_value.last_key_value()?.0)
    }

    /// Returns the standard deviation, as of a sample; `None` for a single number too.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let others = self.count().checked_sub(1).filter(|others| *others > 0)?;
        // From the exact mean and not from sums of squares, whose difference loses digits where the spread is
        // small.
        let squares = self
            .by_value
            .iter()
            .map(|(value, count)| real(*count) * (f64::from(*value) - mean).powi(2));
        Some((squares.sum::<f64>() / real(others)).sqrt())
    }

    /// Returns all figures at once.
    #[must_use]
    pub fn summary(&self) -> Option<CountsSummary> {
        Some(CountsSummary {
            count: self.count(),
            mean: self.mean()?,
            median: self.median()?,
            min: self.min()?,
            max: self.max()?,
            standard_deviation: self.standard_deviation(),
        })
    }

    /// Returns a line with a bar of `#` for each number between the least and the largest, or for each few of them so
    /// that there are no more than `max_lines`; each no wider than `width` columns, but with room for one `#` at
    /// least.
    ///
    /// The number of values that share a line is 1, 2 or 5, or one of these with zeros behind it, and lines begin at multiples
    /// of it.
    #[must_use]
    pub fn text_histogram(&self, width: usize, max_lines: usize) -> Vec<String> {
        let (Some(min), Some(max)) = (self.min(), self.max()) else {
            return Vec::new();
        };
        let Some(step) = bars::step(min, max, max_lines) else {
            return Vec::new();
        };
        let rows: Vec<(String, u64)> = (u64::from(min) / step..=u64::from(max) / step)
            .map(|bin| {
                let (first, last) = (bin * step, bin * step + step - 1);
                let label = if step == 1 {
                    first.to_string()
                } else {
                    format!("{first}-{last}")
                };
                let inside = self
                    .by_value
                    .iter()
                    .filter(|(value, _)| u64::from(**value) / step == bin);
                (label, inside.map(|(_, count)| count).sum())
            })
            .collect();
        bars::lines(&rows, width)
    }

    /// Returns the number with `before` others before it in order.
    fn in_order(&self, before: u64) -> Option<u32> {
        let mut passed = 0;
        let found = self.by_value.iter().find(|(_, count)| {
            passed += **count;
            passed > before
        });
        found.map(|(value, _)| *value)
    }
}

impl Extend<u32> for Counts {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, values: I) {
        for value in values {
            self.add(value);
        }
    }
}

impl FromIterator<u32> for Counts {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Counts {
        let mut counts = Counts::default();
        counts.extend(values);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A. A. Michelson's first ten speeds of light of 1879, in km/s above 299,000 (data set `morley` of R).
    #[test]
    fn the_figures_are_those_counted_by_hand() {
        let counts: Counts = [850, 740, 900, 1070, 930, 850, 950, 980, 980, 880]
            .into_iter()
            .collect();
        let summary = counts.summary().unwrap();
        assert_eq!((summary.count, summary.min, summary.max), (10, 740, 1070));
        assert!((summary.mean - 913.0).abs() < 1e-9);
        assert!((summary.median - 915.0).abs() < 1e-9);
        // The squares of the distances from 913 add up to 74,410.
        let deviation = (74_410.0_f64 / 9.0).sqrt();
        assert!((summary.standard_deviation.unwrap() - deviation).abs() < 1e-9);
    }

    #[test]
    fn without_numbers_there_are_no_figures() {
        let none = Counts::default();
        assert_eq!(
            (none.summary(), none.median(), none.standard_deviation()),
            (None, None, None)
        );
        assert!(none.text_histogram(40, 10).is_empty());
        let one: Counts = [7].into_iter().collect();
        assert_eq!(
            (one.mean(), one.median(), one.standard_deviation()),
            (Some(7.0), Some(7.0), None)
        );
    }

    #[test]
    fn a_histogram_has_a_line_a_number() {
        let counts: Counts = [9, 10, 10, 10, 10, 12].into_iter().collect();
        assert_eq!(
            counts.text_histogram(13, 4),
            [
                " 9 ##       1",
                "10 ######## 4",
                "11          0",
                "12 ##       1",
            ]
        );
    }

    #[test]
    fn numbers_share_lines_where_they_do_not_fit() {
        let counts: Counts = (17..=100).collect();
        assert_eq!(
            counts.text_histogram(24, 5),
            [
                "   0-49 #########     33",
                "  50-99 ############# 50",
                "100-149 #              1"
            ]
        );
        let wide: Counts = [1, 1000].into_iter().collect();
        for max_lines in 1..30 {
            let lines = wide.text_histogram(40, max_lines);
            assert!(lines.len() <= max_lines && !lines.is_empty(), "{lines:?}");
            assert!(lines.iter().all(|line| line.len() <= 40), "{lines:?}");
        }
    }

    #[test]
    fn no_lines_and_no_width_are_no_trouble() {
        let counts: Counts = [0, u32::MAX].into_iter().collect();
        assert!(counts.text_histogram(40, 0).is_empty());
        assert_eq!(counts.text_histogram(0, 1), ["0-4999999999 # 2"]);
    }
}
