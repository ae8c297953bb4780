//! A sequential test as it is typed.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Model, Sprt, SprtError};

/// The parts of a test, in the order in which it is written.
const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];

/// Both risks of a test that does not name them.
const USUAL_RISK: f64 = 0.05;

/// A fault of the text of a test.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParseSprtError {
    /// A part is not of the form key=value.
    #[error("{0:?} is not key=value, as in elo0=0,elo1=20; 0,20 is short for it")]
    NotAPair(String),
    /// No such key.
    #[error("{0:?} is not one of elo0, elo1, alpha, beta and model")]
    UnknownKey(String),
    /// A key has two values.
    #[error("{0} is given twice")]
    Doubled(&'static str),
    /// A value should be a number.
    #[error("{key}={text:?} is not a number")]
    NoNumber {
        /// The key of the value.
        key: &'static str,
        /// The text instead of it.
        text: String,
    },
    /// No such model.
    #[error("unknown model {0:?}; write normalized or logistic")]
    UnknownModel(String),
    /// A key without which there is no test.
    #[error("{0} is missing; write both leads, as in 0,20")]
    Missing(&'static str),
    /// All is written well, but no test can be like that.
    #[error(transparent)]
    Impossible(#[from] SprtError),
}

/// A word for the command line and for records: `normalized`.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        })
    }
}

impl FromStr for Model {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Model, ParseSprtError> {
        match text {
            "normalized" => Ok(Model::Normalized),
            "logistic" => Ok(Model::Logistic),
            _ => Err(ParseSprtError::UnknownModel(text.to_owned())),
        }
    }
}

/// As one types it, with every default written out.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        } = self;
        write!(
            f,
            "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}"
        )
    }
}

/// From `elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized`, in any order; all but `elo0` and
/// `elo1` may be left out. The first two parts may be the numbers of `elo0` and `elo1` alone: `0,20`.
impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let mut values = [None; KEYS.len()];
        for (number, part) in text.split(',').enumerate() {
            let (key, value) = match part.split_once('=') {
                Some(pair) => pair,
                None if number < 2 && part.parse::<f64>().is_ok() => (KEYS[number], part),
                None => return Err(ParseSprtError::NotAPair(part.to_owned())),
            };
            let place = KEYS
                .iter()
                .position(|known| *known == key)
                .ok_or_else(|| ParseSprtError::UnknownKey(key.to_owned()))?;
            if values[place].replace(value).is_some() {
                return Err(ParseSprtError::Doubled(KEYS[place]));
            }
        }
        let number = |place: usize, usual: Option<f64>| {
            let key = KEYS[place];
            let Some(text) = values[place] else {
                return usual.ok_or(ParseSprtError::Missing(key));
            };
            text.parse().map_err(|_| ParseSprtError::NoNumber {
                key,
                text: text.to_owned(),
            })
        };
        Ok(Sprt::new(
            number(0, None)?,
            number(1, None)?,
            number(2, Some(USUAL_RISK))?,
            number(3, Some(USUAL_RISK))?,
            values[4].map_or(Ok(Model::Normalized), str::parse)?,
        )?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_reads_back_as_it_is_written() {
        for text in [
            "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized",
            "elo0=-1.75,elo1=0.25,alpha=0.01,beta=0.1,model=logistic",
        ] {
            assert_eq!(text.parse::<Sprt>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_left_out_has_its_usual_value() {
        let test: Sprt = "elo1=20,elo0=0".parse().unwrap();
        assert_eq!(
            test,
            Sprt::new(0.0, 20.0, 0.05, 0.05, Model::Normalized).unwrap()
        );
    }

    #[test]
    fn the_first_two_numbers_need_no_keys() {
        for (short, long) in [
            ("0,10", "elo0=0,elo1=10"),
            ("-5,5,alpha=0.1", "elo0=-5,elo1=5,alpha=0.1"),
            ("0,elo1=10", "elo0=0,elo1=10"),
        ] {
            assert_eq!(short.parse::<Sprt>(), long.parse(), "{short}");
        }
    }

    #[test]
    fn an_error_names_what_is_wrong() {
        for (text, error) in [
            (
                "",
                "\"\" is not key=value, as in elo0=0,elo1=20; 0,20 is short for it",
            ),
            ("0", "elo1 is missing; write both leads, as in 0,20"),
            ("10,elo0=0", "elo0 is given twice"),
            (
                "0,10,0.05",
                "\"0.05\" is not key=value, as in elo0=0,elo1=20; 0,20 is short for it",
            ),
            (
                "elo0=0,elo1",
                "\"elo1\" is not key=value, as in elo0=0,elo1=20; 0,20 is short for it",
            ),
            (
                "elo0=0,elo2=5",
                "\"elo2\" is not one of elo0, elo1, alpha, beta and model",
            ),
            ("elo0=0,elo1=5,elo0=1", "elo0 is given twice"),
            (
                "elo0=0,elo1=5,model=logistic,model=logistic",
                "model is given twice",
            ),
            ("elo0=zero,elo1=5", "elo0=\"zero\" is not a number"),
            (
                "elo0=0,elo1=5,model=bayesian",
                "unknown model \"bayesian\"; write normalized or logistic",
            ),
            ("elo0=0", "elo1 is missing; write both leads, as in 0,20"),
            ("elo1=0", "elo0 is missing; write both leads, as in 0,20"),
            ("elo0=5,elo1=5", "elo0 (5) must be less than elo1 (5)"),
            (
                "elo0=NaN,elo1=5",
                "elo0 is NaN but must be a number from -1000 to 1000",
            ),
            (
                "elo0=0,elo1=5,alpha=0",
                "alpha is 0 but must be more than 0 and less than 0.5",
            ),
            (
                "elo0=0,elo1=5,beta=0.5",
                "beta is 0.5 but must be more than 0 and less than 0.5",
            ),
            (
                "elo0=0,elo1=5,beta=NaN",
                "beta is NaN but must be more than 0 and less than 0.5",
            ),
            (
                "elo0=0,elo1=inf",
                "elo1 is inf but must be a number from -1000 to 1000",
            ),
        ] {
            assert_eq!(
                text.parse::<Sprt>().unwrap_err().to_string(),
                error,
                "{text}"
            );
        }
    }
}
