//! The report of a check.

use std::fmt;

use battleship::Ruleset;
use serde::{Serialize, Serializer};

use arena::result::TimesSummary;

/// The name of the format in the JSON of a check.
pub(super) const CHECK_FORMAT: &str = "battleship-check";

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As it should.
    Pass,
    /// For information only.
    Note,
    /// The bot can play, but this should be fixed.
    Warn,
    /// The bot breaks the protocol, or loses by it.
    Fail,
    /// It was not tried, since another step failed.
    NotTried,
}

/// Something that is wrong with a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The observation, as the end of a sentence that begins with the bot's name.
    pub what: String,
    /// The expected behaviour.
    pub expected: String,
    /// The usual cause, and how to fix it.
    pub cause: String,
    /// The dialogue up to there, as transcripts have it, without most of the middle; empty if it does not help.
    pub dialogue: Vec<String>,
}

/// One step of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// Its place in the check, from 1.
    pub number: usize,
    /// The word that stands for it.
    pub step: &'static str,
    /// The requirement, as the end of a sentence that begins with the bot's name.
    pub title: &'static str,
    /// Its outcome.
    pub outcome: Outcome,
    /// Details besides the findings; may be empty.
    pub said: String,
    /// The fault, if it went wrong.
    pub finding: Option<Finding>,
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// No step failed.
    KeepsToProtocol,
    /// A step failed.
    BreaksProtocol,
}

/// As the end of a sentence that begins with the bot's name.
impl fmt::Display for CheckVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CheckVerdict::KeepsToProtocol => "keeps to the protocol",
            CheckVerdict::BreaksProtocol => "does not keep to the protocol",
        })
    }
}

/// As it is shown.
impl Serialize for CheckVerdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn as_word<S: Serializer>(rules: &Ruleset, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rules.word())
}

/// A whole check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// `battleship-check`.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The version of the referee.
    pub referee: &'static str,
    /// The name of the bot.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// The game: `classic` or `twist`.
    #[serde(serialize_with = "as_word")]
    pub rules: Ruleset,
    /// The seed of the check.
    pub seed: u64,
    /// The overall result.
    pub verdict: CheckVerdict,
    /// Whether no step has failed.
    pub passed: bool,
    /// The steps, in order.
    pub steps: Vec<StepReport>,
    /// The time that its replies took, in microseconds; `None` without replies.
    pub times: Option<TimesSummary>,
}

impl Report {
    /// Returns the number of steps that went so.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.steps
            .iter()
            .filter(|step| step.outcome == outcome)
            .count()
    }
}
