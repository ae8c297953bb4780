//! Elo differences: how far apart two players are, on the scale chess players know.
//!
//! A. Elo, "The Rating of Chessplayers, Past and Present" (1978), with the logistic curve in
//! general use today: 400 points are odds of ten to one.

use std::f64::consts::LN_10;

use serde::Serialize;

/// Elo points for each unit of log odds.
pub const PER_LOG_ODDS: f64 = 400.0 / LN_10;

/// Returns the score (0 to 1) that a player expects against one who is `difference` Elo points
/// weaker.
#[must_use]
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
}

/// Returns the Elo difference at which `score` (0 to 1) is the expected one.
///
/// No difference is large enough for a score of 0 or 1: they give negative or positive infinity, as
/// do scores beyond them.
#[must_use]
pub fn difference(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// An Elo difference and its 95% interval. Each of the three is null in JSON if it is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloEstimate {
    /// The difference; positive where the first player is stronger.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIDE Handbook B.02, section 8.1, has 0.64 for 100 and 0.76 for 200 points, from the normal
    /// curve; the logistic curve agrees to these digits.
    #[test]
    fn familiar_differences_have_familiar_scores() {
        for (difference, score) in [
            (0.0, 0.5),
            (100.0, 0.64),
            (200.0, 0.76),
            (400.0, 10.0 / 11.0),
        ] {
            assert!(
                (expected_score(difference) - score).abs() < 0.0005,
                "{difference}"
            );
        }
    }

    #[test]
    fn differences_and_scores_are_inverse() {
        for elo in [-800.0, -3.5, 0.0, 1.0, 250.0] {
            assert!(
                (difference(expected_score(elo)) - elo).abs() < 1e-9,
                "{elo}"
            );
        }
    }

    #[test]
    fn a_clean_sweep_is_infinitely_far_away() {
        let differences = [1.0, 0.0, 1.5, 0.5].map(|score| difference(score).to_string());
        assert_eq!(differences, ["inf", "-inf", "inf", "0"]);
    }
}
