//! The result of a check, as the index has it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Verdict;

/// The games of a check.
pub(crate) const GAMES: u32 = 10;

/// The result of a check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checked {
    /// The name of the bot.
    pub name: String,
    /// Whether it plays.
    pub verdict: Verdict,
    /// The printed steps and games.
    pub report: String,
    /// The fault, in a line.
    pub why: String,
    /// When the check ended.
    #[serde(skip)]
    pub played: Timestamp,
    /// The steps that found something.
    pub(crate) steps: Vec<StepFound>,
    pub(crate) games: CheckedGames,
}

/// A step of a check that found something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StepFound {
    pub(crate) number: usize,
    /// The word that stands for the step.
    pub(crate) step: String,
    pub(crate) title: String,
    pub(crate) is_failure: bool,
}

/// The games of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CheckedGames {
    pub(crate) opponent: String,
    pub(crate) won: u64,
    pub(crate) lost: u64,
    pub(crate) drawn: u64,
    /// The number of games that the bot lost by its own fault.
    pub(crate) spoiled: usize,
    /// The number of games for which the bot did not start.
    pub(crate) not_started: usize,
}

impl CheckedGames {
    /// Returns the results in words.
    pub(crate) fn in_words(&self) -> String {
        let all = self.won + self.lost + self.drawn;
        let CheckedGames {
            opponent,
            won,
            lost,
            drawn,
            ..
        } = self;
        let draws = if *drawn > 0 {
            format!(", {drawn} without a winner")
        } else {
            String::new()
        };
        format!("{all} games against {opponent}: {won} won, {lost} lost{draws}.")
    }

    /// Returns whether the bot did not start for any game.
    fn has_never_started(&self) -> bool {
        self.not_started >= GAMES as usize
    }
}

impl Checked {
    /// Returns whether no game was played since the bot did not start, as without a module of its
    /// language.
    pub(crate) fn has_never_started(&self) -> bool {
        self.verdict == Verdict::Unfit && self.games.has_never_started()
    }
}
