//! The options that several commands share, and the one check that makes a game and its terms of
//! them.

mod bots;
mod game;
pub mod headings;
mod rules;
#[cfg(test)]
mod tests;
mod values;

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use battleship::Rules;
use bothost::BotProgram;
use clap::Args;

use super::exit::Failure;
use arena::game::Game as _;
use arena::terms::{GameTerms, SandboxLevel};

pub use self::bots::BotOptions;
pub use self::game::{ChosenGame, judge};
pub use self::rules::{BoardOptions, RuleArgs};
pub(super) use self::values::{game_clock, jobs, share};
pub use self::values::{positive, seed, time_limit};

const JUDGE_WITH_RULES: &str =
    "--judge: a judge knows the rules and the board; leave it out, or the options of Battleship";

/// The options of a game: its rules, its board, and how its bots are started and timed.
#[derive(Args, Clone, Debug, Default)]
pub struct GameOptions {
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    pub(super) board: BoardOptions,
    #[command(flatten)]
    pub(super) bots: BotOptions,
}

impl GameOptions {
    /// Returns the game and its terms, with the usual values for options that were not given.
    ///
    /// # Errors
    /// If the options contradict each other, or name something that does not exist.
    pub fn terms(&self) -> Result<(Rules, GameTerms), Failure> {
        if self.rules.judge.is_some() {
            return Err(Failure::misuse(JUDGE_WITH_RULES));
        }
        let rules = self.board.put_on(self.rules.rules()?)?;
        let mut terms = self.bots.terms(rules.max_turns())?;
        if let Some(max_turns) = self.board.max_turns {
            terms.max_turns = max_turns.get();
        }
        Ok((rules, terms))
    }

    /// Returns the game, which a judge may know, and its terms. `referee` is the referee's own
    /// program; files that the command of the judge names may lie in `folder`, or in the current
    /// one if that is empty. Files beside the judge are part of it, except those of `players` and
    /// those in `own`.
    ///
    /// # Errors
    /// As [`GameOptions::terms`]; or if the judge announces no game.
    pub fn game(
        &self,
        referee: &Path,
        folder: &Path,
        players: &[&BotProgram],
        own: &[PathBuf],
    ) -> Result<(ChosenGame, GameTerms), Failure> {
        let Some(command) = &self.rules.judge else {
            let (rules, terms) = self.terms()?;
            let chosen = ChosenGame {
                game: Arc::new(rules.clone()),
                rules: Some(rules),
                judge: None,
            };
            return Ok((chosen, terms));
        };
        let GameOptions { rules, board, .. } = self;
        let has_rules = rules.rules.is_some() || rules.apart || rules.salvo.is_some();
        // The length of a game counts for all games.
        let has_board = board.rows.is_some() || board.cols.is_some() || !board.ship.is_empty();
        if has_rules || has_board {
            return Err(Failure::misuse(JUDGE_WITH_RULES));
        }
        let mut terms = self.bots.terms(0)?;
        let judge = judge(command, &terms, referee, folder, players, own)?;
        let max_turns = board.max_turns.map(NonZeroU32::get);
        terms.max_turns = max_turns.unwrap_or_else(|| judge.max_turns());
        let chosen = ChosenGame {
            game: Arc::new(judge.clone()),
            rules: None,
            judge: Some(judge),
        };
        Ok((chosen, terms))
    }

    /// Has bots run in a sandbox unless there is a choice already.
    pub fn confine(&mut self) {
        self.bots.sandbox.get_or_insert(SandboxLevel::World);
    }
}
