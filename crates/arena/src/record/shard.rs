//! Shards: equal parts of a contest, each for a machine of its own.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of several equal parts of a contest, each for a machine of its own: all series whose numbers
/// leave the same remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// Returns the part `index`, from 0, of `of` parts; `None` if there is no such part.
    #[must_use]
    pub const fn new(index: usize, of: usize) -> Option<Shard> {
        if index < of {
            Some(Shard { index, of })
        } else {
            None
        }
    }

    /// Returns which part it is, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// Returns the number of parts.
    #[must_use]
    pub const fn of(self) -> usize {
        self.of
    }

    /// Returns whether the series of this number is in this part.
    #[must_use]
    pub const fn takes(self, series_number: usize) -> bool {
        // Dealt out in turn and not in blocks: the series of one pairing, which take about equally
        // long, are spread over all parts, and the parts do not depend on the number of games.
        series_number % self.of == self.index
    }
}

/// Digits only: a sign is not part of a number of tasks.
fn whole(text: &str) -> Option<usize> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// As people count, from 1: `2/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Shard, NotAShard> {
        let parsed = text
            .split_once('/')
            .and_then(|(k, of)| Shard::new(whole(k)?.checked_sub(1)?, whole(of)?));
        parsed.ok_or_else(|| NotAShard(text.to_owned()))
    }
}

/// Something else was typed than a shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected k/N with k from 1 to N, as in 2/8, got {0:?}")]
pub struct NotAShard(String);

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(text: &str) -> Shard {
        text.parse().unwrap()
    }

    #[test]
    fn every_series_is_in_one_shard() {
        let shards = [shard("1/3"), shard("2/3"), shard("3/3")];
        for number in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.takes(number)).count(), 1);
        }
        assert!((0..9).all(|number| shard("1/1").takes(number)));
    }

    #[test]
    fn a_shard_is_written_as_it_is_read() {
        for text in ["1/1", "1/8", "8/8", "12/100"] {
            assert_eq!(shard(text).to_string(), text);
        }
        assert_eq!(
            (shard("2/8").to_string().as_str(), shard("2/8").of()),
            ("2/8", 8)
        );
        for text in [
            "",
            "/",
            "1",
            "0/3",
            "4/3",
            "1/0",
            "+1/3",
            "1/3/3",
            " 1/3",
            "a/b",
            "99999999999999999999/1",
        ] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            let expected = "expected k/N with k from 1 to N, as in 2/8, got ";
            assert_eq!(error, format!("{expected}{text:?}"));
        }
    }
}
