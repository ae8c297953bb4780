//! Options of the rules of a game.

use std::num::NonZeroU8;

/// Options of the rules. Which of them a game has, [`Rules::with`](crate::Rules::with) knows.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(into = "InRecord", from = "InRecord")]
pub struct RuleOptions {
    /// Whether ships may not touch, not at corners either.
    pub apart: bool,
    /// The shots of each salvo; without it one for each ship that the shooter has afloat.
    pub shots: Option<NonZeroU8>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<Apart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shots: Option<NonZeroU8>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Apart {
    All,
}

impl From<RuleOptions> for InRecord {
    fn from(options: RuleOptions) -> InRecord {
        InRecord {
            apart: options.apart.then_some(Apart::All),
            shots: options.shots,
        }
    }
}

impl From<InRecord> for RuleOptions {
    fn from(record: InRecord) -> RuleOptions {
        RuleOptions {
            apart: record.apart.is_some(),
            shots: record.shots,
        }
    }
}
