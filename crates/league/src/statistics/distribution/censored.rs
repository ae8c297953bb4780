//! Numbers, some of which are only known to be larger than a bound.

use super::super::real;
use super::Counts;

/// Returns the median of some numbers, of which those in `at_least` are only known not to be smaller: the first number that at
/// most half of all are estimated to exceed; `None` if more exceed all that are known.
///
/// The product-limit estimate of E. L. Kaplan and P. Meier, "Nonparametric Estimation from Incomplete Observations" (1958).
#[must_use]
pub fn median_of_censored(known: &Counts, at_least: &Counts) -> Option<u32> {
    let (mut left, mut exceeding) = (known.count() + at_least.count(), 1.0);
    let mut larger = at_least.iter().peekable();
    for (value, count) in known.iter() {
        while let Some((_, gone)) = larger.next_if(|(other, _)| *other < value) {
            left -= gone;
        }
        exceeding *= 1.0 - real(count) / real(left);
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

    /// The weeks of remission of E. J. Freireich and others (1963), with 6-MP and with a placebo; the medians are 23 and 8
    /// (D. G. Kleinbaum, M. Klein, "Survival Analysis" (2012), chapter 2).
    #[test]
    fn the_medians_of_freireich_come_out() {
        let known: Counts = [6, 6, 6, 7, 10, 13, 16, 22, 23].into_iter().collect();
        let at_least = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
            .into_iter()
            .collect();
        assert_eq!(median_of_censored(&known, &at_least), Some(23));
        let placebo = [
            1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23,
        ];
        let placebo: Counts = placebo.into_iter().collect();
        assert_eq!(median_of_censored(&placebo, &Counts::default()), Some(8));
    }

    #[test]
    fn too_few_numbers_have_no_median() {
        let [known, at_least]: [Counts; 2] =
            [[3].into_iter().collect(), [9, 9].into_iter().collect()];
        assert_eq!(median_of_censored(&known, &at_least), None);
        assert_eq!(median_of_censored(&Counts::default(), &at_least), None);
    }
}
