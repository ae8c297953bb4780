//! A mean that does not overflow.

use super::to_f64;

/// The sums of large values are kept divided by this power of two, which loses nothing of them.
const SCALE: f64 = 18_446_744_073_709_551_616.0;

/// The mean of some finite values.
///
/// ```
/// use league::statistics::Mean;
///
/// let mean: Mean = [1e308, 1e308].into_iter().collect();
/// assert_eq!(mean.value(), Some(1e308));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    sum: f64,
    scaled: f64,
    count: u64,
}

impl Mean {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.scaled += value / SCALE;
        self.count += 1;
    }

    /// Adds all values of another mean.
    pub fn merge(&mut self, other: &Mean) {
        self.sum += other.sum;
        self.scaled += other.scaled;
        self.count += other.count;
    }

    /// Returns the number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean; `None` without values.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        let count = to_f64(self.count);
        match self.count {
            0 => None,
            _ if self.sum.is_finite() => Some(self.sum / count),
            _ => Some(self.scaled / count * SCALE),
        }
    }
}

impl FromIterator<f64> for Mean {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Mean {
        let mut mean = Mean::default();
        values.into_iter().for_each(|value| mean.add(value));
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_any_finite_values_are_finite() {
        for (values, mean) in [
            (&[][..], None),
            (&[0.1, 0.2, 0.4][..], Some((0.1 + 0.2 + 0.4) / 3.0)),
            (&[1e-300, 3e-300][..], Some(2e-300)),
            (&[1e308; 10][..], Some(1e308)),
            (&[-1e308, -1e308, 1e308, 1e308][..], Some(0.0)),
        ] {
            assert_eq!(values.iter().copied().collect::<Mean>().value(), mean);
            let mut merged = Mean::default();
            for value in values {
                merged.merge(&Mean::from_iter([*value]));
            }
            assert_eq!(merged.value(), mean);
        }
    }
}
