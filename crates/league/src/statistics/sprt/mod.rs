//! A test that stops as soon as the games decide whether a player is stronger by `elo1`, or by no
//! more than `elo0`.
//!
//! The sequential probability ratio test is A. Wald's, "Sequential Tests of Statistical
//! Hypotheses", Annals of Mathematical Statistics 16 (1945); its generalized form for unknown
//! shares of draws and of even pairs is that of fastchess, `app/src/matchmaking/sprt/sprt.cpp`, and
//! of Fishtest.

mod likelihood;
mod text;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Pentanomial, elo};
pub use text::ParseSprtError;

/// The largest Elo difference that a test may ask about. Scores of players further apart are so
/// close to 0 and 1 that no number of games tells them from each other.
pub const MAX_ELO: f64 = 1000.0;

/// The scale of a test's Elo differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Normalized Elo: differences in units of a game's standard deviation, so that a test takes
    /// about as many games wherever most pairs are even as where few are.
    Normalized,
    /// Usual Elo.
    Logistic,
}

/// A sequential test of two hypotheses about the first player's lead.
///
/// ```
/// use league::statistics::Pentanomial;
/// use league::statistics::sprt::{Decision, Sprt};
///
/// let test: Sprt = "elo0=0,elo1=20".parse()?;
/// assert_eq!(test.decide(&Pentanomial::new([1, 0, 5, 0, 2])), Decision::Continue);
/// assert_eq!(test.decide(&Pentanomial::new([100, 0, 500, 0, 250])), Decision::AcceptH1);
/// assert_eq!(test.to_string(), "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized");
/// # Ok::<(), league::statistics::sprt::ParseSprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sprt {
    /// The lead that the first hypothesis allows.
    pub elo0: f64,
    /// The lead that the second hypothesis claims.
    pub elo1: f64,
    /// The probability of accepting the second hypothesis where the first is true.
    pub alpha: f64,
    /// The probability of accepting the first hypothesis where the second is true.
    pub beta: f64,
    /// The scale of both leads.
    pub model: Model,
}

/// A fault of the numbers of a test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// One of the leads is not an Elo difference between players who can be compared.
    #[error("{name} is {value} but must be a number from -{MAX_ELO} to {MAX_ELO}")]
    Elo {
        /// `elo0` or `elo1`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The hypotheses leave nothing between them.
    #[error("elo0 ({elo0}) must be less than elo1 ({elo1})")]
    Order {
        /// The lead that the first hypothesis allows.
        elo0: f64,
        /// The lead that the second hypothesis claims.
        elo1: f64,
    },
    /// One of the risks is none, or that of tossing a coin.
    #[error("{name} is {value} but must be more than 0 and less than 0.5")]
    Risk {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// The decision of a test after the games so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The lead is `elo0` or less.
    AcceptH0,
    /// The lead is `elo1` or more.
    AcceptH1,
}

/// The bounds at which a test stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// A log-likelihood ratio of this or less accepts the first hypothesis; below 0.
    pub lower: f64,
    /// One of this or more accepts the second; above 0.
    pub upper: f64,
}

impl Sprt {
    /// Returns the test of a lead of `elo0` against one of `elo1`, that wrongly accepts the second
    /// with a probability of `alpha` and wrongly accepts the first with one of `beta`.
    ///
    /// # Errors
    /// If `elo0` is not less than `elo1`, if either is beyond [`MAX_ELO`], or if `alpha` or `beta`
    /// is not between 0 and 0.5 (at 0.5 a coin would do as well).
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: Model,
    ) -> Result<Sprt, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MAX_ELO..=MAX_ELO).contains(&value) {
                return Err(SprtError::Elo { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            // The range refuses NaN as well, which every comparison would let pass.
            if value <= 0.0 || !(0.0..0.5).contains(&value) {
                return Err(SprtError::Risk { name, value });
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// Returns the two ratios at which the test stops.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        // Under the first hypothesis the likelihood ratio reaches a bound B with a probability of
        // 1/B at most, however often one looks (J. Ville, "Étude critique de la notion de
        // collectif" (1939)). Wald's own bounds, (1 - beta) / alpha and its like, promise this for
        // the sum of both risks only; they are a fiftieth lower.
        Bounds {
            lower: self.beta.ln(),
            upper: -self.alpha.ln(),
        }
    }

    /// Returns the log-likelihood ratio of the two hypotheses: positive where the pairs speak for
    /// the second. 0 without pairs.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        let leads = [self.elo0, self.elo1];
        match self.model {
            Model::Logistic => likelihood::ratio(
                pairs,
                leads.map(elo::expected_score),
                likelihood::with_score,
            ),
            Model::Normalized => {
                // Normalized Elo is per game. The deviation of a pair's score is smaller by the
                // root of the number of games in it, so the same lead is more deviations of pairs.
                let unit = 2.0 * elo::PER_LOG_ODDS / 2_f64.sqrt();
                likelihood::ratio(pairs, leads.map(|lead| lead / unit), likelihood::with_lead)
            }
        }
    }

    /// Returns whether the test may stop now.
    #[must_use]
    pub fn decide(&self, pairs: &Pentanomial) -> Decision {
        self.decision(self.llr(pairs))
    }

    /// Returns the decision at a log-likelihood ratio.
    #[must_use]
    pub fn decision(&self, llr: f64) -> Decision {
        let Bounds { lower, upper } = self.bounds();
        if llr >= upper {
            Decision::AcceptH1
        } else if llr <= lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_of([elo0, elo1]: [f64; 2], model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    /// Returns the tolerance of a ratio for a figure with two digits. Fastchess stops its search
    /// for the maximum a little earlier than we do, which shows if the ratio is large; its own
    /// tests allow for 1%.
    fn allowed(figure: f64) -> f64 {
        0.0051 + figure.abs() * 0.0003
    }

    /// Cases "normalized pentanomial" 1 to 3 and "logistic pentanomial" 1 and 2 of fastchess,
    /// `app/tests/sprt_test.cpp`, whose counts are LL, LD, WL, DD, WD, WW.
    #[test]
    fn the_pentanomial_cases_of_fastchess_come_out() {
        for (elo, model, counts, llr) in [
            (
                [0.0, 2.0],
                Model::Normalized,
                [365, 16618, 36029 + 200, 16974, 390],
                2.25,
            ),
            (
                [-1.75, 0.25],
                Model::Normalized,
                [127, 4883, 10311 + 401, 5150, 104],
                3.01,
            ),
            ([0.0, 5.0], Model::Normalized, [0, 0, 0, 0, 5550], 111.82),
            (
                [0.5, 2.5],
                Model::Logistic,
                [223, 9863, 20279 + 1000, 10037, 246],
                -3.07,
            ),
            (
                [0.0, 2.0],
                Model::Logistic,
                [871, 26175, 55003 + 980, 26678, 821],
                -4.98,
            ),
        ] {
            let actual = test_of(elo, model).llr(&Pentanomial::new(counts));
            assert!(
                (actual - llr).abs() < allowed(llr),
                "{counts:?}: {actual}, not {llr}"
            );
        }
    }

    /// With both risks at 5% the bounds are ±ln 20.
    #[test]
    fn a_test_stops_at_its_bounds() {
        let test = Sprt::new(0.0, 20.0, 0.05, 0.1, Model::Normalized).unwrap();
        let Bounds { lower, upper } = test.bounds();
        assert!((lower + 10_f64.ln()).abs() < 1e-12 && (upper - 20_f64.ln()).abs() < 1e-12);
        assert_eq!(test.decision(upper), Decision::AcceptH1);
        assert_eq!(test.decision(lower), Decision::AcceptH0);
        assert_eq!(test.decision(0.0), Decision::Continue);
    }

    #[test]
    fn a_test_decides_for_what_the_pairs_show() {
        for model in [Model::Normalized, Model::Logistic] {
            let test = test_of([0.0, 20.0], model);
            assert_eq!(test.decide(&Pentanomial::default()), Decision::Continue);
            assert_eq!(
                test.decide(&Pentanomial::new([9, 0, 20, 0, 8])),
                Decision::Continue
            );
            let strong = Pentanomial::new([100, 0, 500, 0, 300]);
            assert_eq!(test.decide(&strong), Decision::AcceptH1);
            assert_eq!(test.decide(&strong.reversed()), Decision::AcceptH0);
        }
    }

    #[test]
    fn a_ratio_is_always_a_number() {
        let elos = [
            [-1000.0, 1000.0],
            [0.0, 5.0],
            [300.0, 301.0],
            [-900.0, -400.0],
            [0.0, 1000.0],
        ];
        for (elo, model) in elos
            .iter()
            .flat_map(|elo| [(*elo, Model::Normalized), (*elo, Model::Logistic)])
        {
            let test = test_of(elo, model);
            for code in 1..3_usize.pow(5) {
                let counts = [1, 3, 9, 27, 81].map(|place| [0, 1, 1000][code / place % 3]);
                let llr = test.llr(&Pentanomial::new(counts));
                assert!(llr.is_finite(), "{test:?} {counts:?}: {llr}");
            }
        }
    }
}
