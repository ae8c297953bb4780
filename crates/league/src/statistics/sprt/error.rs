//! The reasons why a text is not a sequential test.

use thiserror::Error;

use super::MAX_ELO;

/// The reason why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// One of the hypotheses is not an Elo difference between players who can be compared.
    #[error("{name} is {value} but must be a number from -{MAX_ELO} to {MAX_ELO}")]
    Elo {
        /// The name of the hypothesis.
        name: &'static str,
        /// The expected value.
        value: f64,
    },
    /// The hypotheses leave nothing between them.
    #[error("elo0 ({elo0}) must be less than elo1 ({elo1})")]
    Order {
        /// The first hypothesis.
        elo0: f64,
        /// The second.
        elo1: f64,
    },
    /// One of the risks is none, or that of tossing a coin.
    #[error("{name} is {value} but must be more than 0 and less than 0.5")]
    Risk {
        /// The name of the risk.
        name: &'static str,
        /// The expected value.
        value: f64,
    },
}
