//! The game that is played: Battleship, or one that a judge knows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena::command::PrintedCommand;
use arena::game::{Game, player_word};
use arena::judge::{Judge, JudgeError};
use arena::terms::GameTerms;
use battleship::{Rules, Ruleset};
use bothost::{BotProgram, Interrupt};

use crate::exit::Failure;
use crate::player;

/// The game that is played.
#[derive(Clone, Debug)]
pub struct ChosenGame {
    /// The game as contests play it.
    pub game: Arc<dyn Game>,
    /// The rules of Battleship, if that is played.
    pub rules: Option<Rules>,
    /// The judge, if one knows the game.
    pub judge: Option<Judge>,
}

impl ChosenGame {
    /// Returns the rules of Battleship; the usual ones if a judge knows the game.
    #[must_use]
    pub fn rules_or_usual(&self) -> Rules {
        let rules = self.rules.clone();
        rules.unwrap_or_else(|| Rules::usual(Ruleset::Classic))
    }

    /// Returns the rules of Battleship for what is there for no other game: `option`.
    ///
    /// # Errors
    /// If a judge knows the game.
    pub fn needs_rules(&self, option: &str) -> Result<&Rules, Failure> {
        self.rules.as_ref().ok_or_else(|| {
            let what = format!("{option}: it works with Battleship only; leave it or --judge out");
            Failure::misuse(what)
        })
    }

    /// Tries out a judge before a contest: it must not fail by replies that no game expects.
    ///
    /// # Errors
    /// If it does, or `interrupt` is noted.
    pub fn try_out(&self, interrupt: &Interrupt) -> Result<(), Failure> {
        let Some(judge) = &self.judge else {
            return Ok(());
        };
        judge
            .try_junk(&interrupt.flag())
            .map_err(|error| match error {
                JudgeError::Failed { .. } => Failure::NotStarted(format!(
                    "{error}; {} says more",
                    PrintedCommand::check_judge(judge)
                )),
                JudgeError::Interrupted | JudgeError::MachineLate(_) | JudgeError::Io(_) => {
                    error.into()
                }
            })
    }
}

/// Returns the judge that `command` starts, which is started once to hear which game it knows.
/// Files that it names may lie in `folder`, or in the current one if that is empty. Files beside it
/// are part of it, except those of `players` and those in `own`.
///
/// # Errors
/// If the command names no program, or the judge announces no game.
pub fn judge(
    command: &str,
    terms: &GameTerms,
    referee: &Path,
    folder: &Path,
    players: &[&BotProgram],
    own: &[PathBuf],
) -> Result<Judge, Failure> {
    let mut typed = player::parse_program(command, referee)
        .map_err(|failure| Failure::misuse(format!("--judge: {failure}")))?;
    if typed.shipped || typed.human {
        let what = format!("--judge {command}: that is a player; a judge is a program of your own");
        return Err(Failure::misuse(what));
    }
    if let Some(dir) = &typed.dir {
        // The word that names the judge in the record and in commands.
        typed.program.command_line = player_word(None, Some(dir), &typed.program.command_line);
    }
    if folder != Path::new("") {
        typed.program.find_files_in(folder);
    }
    Ok(Judge::new(
        typed.program,
        &terms.launch(referee.to_owned()),
        players,
        own,
    )?)
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Failure {
        match error {
            JudgeError::Failed { .. } => Failure::NotStarted(error.to_string()),
            JudgeError::Interrupted => Failure::Interrupted(error.to_string()),
            JudgeError::MachineLate(_) => Failure::Fault(error.into()),
            JudgeError::Io(error) => error.into(),
        }
    }
}
