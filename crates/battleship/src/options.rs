//! Options of the rules: house rules that a game may be played by.

use std::num::NonZeroU8;

/// Options of the rules. Which of them a game has, [`Rules::with`](crate::Rules::with) knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(into = "InRecord", from = "InRecord")]
pub struct RuleOptions {
    /// Whether ships may not touch, not at corners either.
    pub apart: bool,
    /// The shots of each salvo; without it one for each ship that the shooter has afloat.
    pub shots: Option<NonZeroU8>,
    /// Whether a record of version 1.0.0 names an option that no game has today: ships that may
    /// touch at corners, or salvos of which only the hits are counted.
    pub withdrawn: bool,
}

impl RuleOptions {
    /// Returns whether all is as usual.
    pub fn is_usual(&self) -> bool {
        *self == RuleOptions::default()
    }

    /// Returns the words of a `rule` line for each option that is not as usual.
    pub fn words(&self) -> Vec<String> {
        let apart = self.apart.then(|| "apart all".to_owned());
        let shots = self.shots.map(|shots| format!("shots {shots}"));
        [apart, shots].into_iter().flatten().collect()
    }

    /// Applies the words of a `rule` line. Words that it does not know change nothing, so that
    /// later versions can add some.
    pub fn apply(&mut self, words: &str) {
        let words: Vec<&str> = words.split(' ').collect();
        match words[..] {
            ["apart", "all", ..] => self.apart = true,
            ["shots", shots, ..] => self.shots = shots.parse().ok().or(self.shots),
            _ => {}
        }
    }
}

/// The options as records have them.
#[derive(Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
struct InRecord {
    /// `all`; in records of 1.0.0 also `sides`.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shots: Option<NonZeroU8>,
    /// Only in records of 1.0.0.
    #[serde(skip_serializing)]
    count: bool,
}

impl From<RuleOptions> for InRecord {
    fn from(options: RuleOptions) -> InRecord {
        InRecord {
            apart: options.apart.then(|| "all".to_owned()),
            shots: options.shots,
            count: false,
        }
    }
}

impl From<InRecord> for RuleOptions {
    fn from(record: InRecord) -> RuleOptions {
        let apart = record.apart.as_deref() == Some("all");
        RuleOptions {
            apart,
            shots: record.shots,
            withdrawn: record.count || record.apart.is_some() && !apart,
        }
    }
}
