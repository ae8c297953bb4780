//! The report of a check.

use arena::result::TimesSummary;
use serde::{Deserialize, Serialize};

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The dialogue up to there, as transcripts have it, without most of the middle; empty if it
    /// does not help.
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

/// A whole check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
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
    /// The word for the game: `classic`, `salvo` or `twist`; `judge NAME` if a judge knows it.
    pub rules: String,
    /// The seed of the check.
    pub seed: u64,
    /// The overall result, as the end of a sentence that begins with the bot's name.
    pub verdict: &'static str,
    /// Whether no step has failed.
    pub passed: bool,
    /// The steps, in order.
    pub steps: Vec<StepReport>,
    /// The time that its replies took, in microseconds; `None` without replies.
    pub times: Option<TimesSummary>,
}

impl CheckReport {
    /// Returns the report of a check with these steps, of `name`, which `command` starts, in games
    /// by `rules`.
    pub(crate) fn new(
        name: &str,
        command: &str,
        rules: &str,
        seed: u64,
        steps: Vec<StepReport>,
        times: Option<TimesSummary>,
    ) -> CheckReport {
        let passed = steps.iter().all(|step| step.outcome != Outcome::Fail);
        CheckReport {
            format: "battleship-check",
            version: 1,
            referee: env!("CARGO_PKG_VERSION"),
            name: name.to_owned(),
            command: command.to_owned(),
            rules: rules.to_owned(),
            seed,
            verdict: if passed {
                "keeps to the protocol"
            } else {
                "does not keep to the protocol"
            },
            passed,
            steps,
            times,
        }
    }
}
