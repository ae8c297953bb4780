//! The game that is played: Battleship, or one that a judge knows.

use std::path::Path;
use std::sync::Arc;

use arena::game::Game;
use arena::judge::{Judge, JudgeError};
use arena::system::quoted;
use arena::terms::GameTerms;
use battleship::{Rules, Ruleset};

use crate::exit::Failure;
use crate::player;

/// The game that is played.
#[derive(Clone, Debug)]
pub enum ChosenGame {
    /// Battleship by these rules.
    Battleship(Rules),
    /// A game that a judge knows.
    Judged(Arc<Judge>),
}

impl ChosenGame {
    /// Returns the game as it is played in a contest.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        match self {
            ChosenGame::Battleship(rules) => rules,
            ChosenGame::Judged(judge) => &**judge,
        }
    }

    /// Returns the game as contests share it.
    #[must_use]
    pub fn shared(&self) -> Arc<dyn Game> {
        match self {
            ChosenGame::Battleship(rules) => Arc::new(rules.clone()),
            ChosenGame::Judged(judge) => judge.clone(),
        }
    }

    /// Returns the rules of Battleship, if that is played.
    #[must_use]
    pub fn rules(&self) -> Option<&Rules> {
        match self {
            ChosenGame::Battleship(rules) => Some(rules),
            ChosenGame::Judged(_) => None,
        }
    }

    /// Returns the rules of Battleship; the usual ones if a judge knows the game.
    #[must_use]
    pub fn rules_or_usual(&self) -> Rules {
        let rules = self.rules().cloned();
        rules.unwrap_or_else(|| Rules::usual(Ruleset::Classic))
    }

    /// Returns the judge, if one knows the game.
    #[must_use]
    pub fn judge(&self) -> Option<&Judge> {
        match self {
            ChosenGame::Battleship(_) => None,
            ChosenGame::Judged(judge) => Some(judge),
        }
    }

    /// Returns `command` with the arguments that say which game it is, as it is typed.
    #[must_use]
    pub fn command(&self, command: &str) -> String {
        match self {
            ChosenGame::Battleship(rules) => rules.command_with_house_arguments(command),
            ChosenGame::Judged(judge) => format!("{command} {}", quoted(&judge.arguments())),
        }
    }

    /// Returns the rules of Battleship for what is there for no other game: `option`.
    ///
    /// # Errors
    /// If a judge knows the game.
    pub fn needs_rules(&self, option: &str) -> Result<&Rules, Failure> {
        self.rules().ok_or_else(|| {
            let what = format!("{option}: it works with Battleship only; leave it or --judge out");
            Failure::misuse(what)
        })
    }

    /// Tries out a judge before a contest: it must not fail by replies that no game expects.
    ///
    /// # Errors
    /// If it does.
    pub fn try_out(&self) -> Result<(), Failure> {
        match self {
            ChosenGame::Battleship(_) => Ok(()),
            ChosenGame::Judged(judge) => judge.try_junk().map_err(|error| match error {
                JudgeError::Failed { .. } => Failure::NotStarted(format!(
                    "{error}; referee check {} says more",
                    quoted(&judge.arguments())
                )),
                JudgeError::Io(error) => error.into(),
            }),
        }
    }
}

/// Returns the judge that `command` starts, which is started once to hear which game it knows. Files that it names may lie in
/// `folder`, or in the current one if that is empty.
///
/// # Errors
/// If the command names no program, or the judge announces no game.
pub fn judge(
    command: &str,
    terms: &GameTerms,
    referee: &Path,
    folder: &Path,
) -> Result<Judge, Failure> {
    let mut typed = player::parse(command, referee)
        .map_err(|failure| Failure::misuse(format!("--judge: {failure}")))?;
    if typed.shipped || typed.human {
        let what = format!("--judge {command}: that is a player; a judge is a program of your own");
        return Err(Failure::misuse(what));
    }
    if folder != Path::new("") {
        typed.program.find_files_in(folder);
    }
    Ok(Judge::new(
        typed.program,
        &terms.launch(referee.to_owned()),
    )?)
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Failure {
        match error {
            JudgeError::Failed { .. } => Failure::NotStarted(error.to_string()),
            JudgeError::Io(error) => error.into(),
        }
    }
}
