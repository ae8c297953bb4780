use serde::Serialize;

use league::statistics::distribution::TimesSummary;

/// What the JSON of a check says of itself.
pub const CHECK_FORMAT: &str = "battleship-check";

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As it should.
    Pass,
    /// It only tells something that is good to know.
    Note,
    /// The bot can play, but something is better mended.
    Warn,
    /// The bot breaks the protocol, or loses by it.
    Fail,
    /// It was not tried, since another one has failed.
    NotTried,
}

/// Something that is wrong with a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was seen, as the end of a sentence that begins with the bot's name.
    pub what: String,
    /// What should have been.
    pub expected: String,
    /// The usual cause, and how to mend it.
    pub cause: String,
    /// What was said up to there, as transcripts have it, without most of the middle; empty where it says nothing.
    pub dialogue: Vec<String>,
}

/// One step of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// Its place in the check, from 1.
    pub number: usize,
    /// The word that stands for it.
    pub step: &'static str,
    /// What the bot should do, as the end of a sentence that begins with its name.
    pub title: &'static str,
    /// How it went.
    pub outcome: Outcome,
    /// What there is to say of that besides the findings; may be empty.
    pub said: String,
    /// What is wrong; something if it went wrong.
    pub finding: Option<Finding>,
}

/// A whole check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`CHECK_FORMAT`].
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The version of the referee.
    pub referee: &'static str,
    /// What the bot is called.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// The game: `classic` or `twist`.
    pub rules: String,
    /// The seed of the check.
    pub seed: u64,
    /// What it all comes to, as the end of a sentence that begins with the bot's name.
    pub verdict: &'static str,
    /// Whether no step has failed.
    pub passed: bool,
    /// The steps, in order.
    pub steps: Vec<StepReport>,
    /// How long its replies took, in microseconds; nothing without replies.
    pub times: Option<TimesSummary>,
}

impl Report {
    /// How many steps went so.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.steps.iter().filter(|step| step.outcome == outcome).count()
    }
}
