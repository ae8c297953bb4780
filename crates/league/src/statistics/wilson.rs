//! The interval of a share, which stays sensible for few games and for clean sweeps.

use super::Interval;

/// Returns the interval of a `share` (0 to 1) of `trials` that reaches `z` standard errors to either side: E. B. Wilson,
/// "Probable inference, the law of succession, and statistical inference", Journal of the American Statistical
/// Association 22 (1927). With [`Z_95`](super::Z_95) it is that of 95%.
///
/// Trials that are not independent count as the number of independent ones that would vary as much, which need not be
/// whole. A share outside of 0 to 1 counts as the nearest in it.
///
/// Returns nothing without trials.
#[must_use]
pub fn interval(share: f64, trials: f64, z: f64) -> Option<Interval> {
    if trials <= 0.0 {
        return None;
    }
    let share = share.clamp(0.0, 1.0);
    let z_squared = z * z;
    let centre = share + z_squared / (2.0 * trials);
    let spread = share * (1.0 - share) / trials + z_squared / (4.0 * trials * trials);
    let shrink = 1.0 + z_squared / trials;
    let (centre, reach) = (centre / shrink, z * spread.sqrt() / shrink);
    Some(
        Interval {
            low: centre - reach,
            high: centre + reach,
        }
        .clamped(0.0, 1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Z_95, real};
    use super::*;

    fn of(successes: f64, trials: u64) -> Option<Interval> {
        interval(successes / real(trials), real(trials), Z_95)
    }

    /// R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
    /// (1998), Table I, method 3.
    #[test]
    fn the_examples_of_newcombe_1998_come_out() {
        for (successes, trials, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let interval = of(successes, trials).unwrap();
            assert!(
                (interval.low - low).abs() < 0.000_051,
                "{successes}/{trials}: {interval:?}"
            );
            assert!(
                (interval.high - high).abs() < 0.000_051,
                "{successes}/{trials}: {interval:?}"
            );
        }
    }

    #[test]
    fn both_players_of_a_match_have_mirrored_intervals() {
        let first = of(6.5, 10).unwrap();
        let second = of(3.5, 10).unwrap();
        assert!((first.low - (1.0 - second.high)).abs() < 1e-12);
        assert!((first.high - (1.0 - second.low)).abs() < 1e-12);
    }

    #[test]
    fn a_clean_sweep_leaves_room_below() {
        let sweep = of(10.0, 10).unwrap();
        assert!((sweep.high - 1.0).abs() < 1e-12);
        assert!(sweep.low > 0.7 && sweep.low < 0.75, "{sweep:?}");
    }

    #[test]
    fn no_games_have_no_interval() {
        assert_eq!(of(0.0, 0), None);
    }

    #[test]
    fn impossible_scores_count_as_the_nearest_possible_one() {
        assert_eq!(of(11.0, 10), of(10.0, 10));
        assert_eq!(of(-1.0, 10), of(0.0, 10));
    }
}
