//! Options of the rules: house rules that a game may be played by.

use std::num::NonZeroU8;

use crate::Apart;

/// Options of the rules. Which of them a game has, [`Rules::with`](crate::Rules::with) knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct RuleOptions {
    /// The distance that ships have to keep; without it they may touch.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub apart: Option<Apart>,
    /// The shots of each salvo; without it one for each ship that the shooter has afloat.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub shots: Option<NonZeroU8>,
    /// Whether a player hears only how many shots of its salvo hit.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub count: bool,
}

impl RuleOptions {
    /// Returns whether all is as usual.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == RuleOptions::default()
    }

    /// Returns what is not as usual, as the words of `rule` lines.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let apart = self.apart.map(|apart| format!("apart {}", apart.word()));
        let shots = self.shots.map(|shots| format!("shots {shots}"));
        let count = self.count.then(|| "results count".to_owned());
        [apart, shots, count].into_iter().flatten().collect()
    }

    /// Takes note of the words of a `rule` line. Words that it does not know change nothing, so that later versions can add some.
    pub fn heed(&mut self, words: &str) {
        let words: Vec<&str> = words.split(' ').collect();
        match words[..] {
            ["apart", how, ..] => self.apart = Apart::parse(how).or(self.apart),
            ["shots", shots, ..] => self.shots = shots.parse().ok().or(self.shots),
            ["results", "count", ..] => self.count = true,
            _ => {}
        }
    }
}
