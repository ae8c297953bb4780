//! The games of one player in a record, and one of them explained.

use std::collections::BTreeMap;

use super::attack_review::review_attacks;
use super::duel::Duel;
use super::explain::{GameExplanation, LossExplanation};
use super::skill::SkillSample;
use arena::explain::{GameDigest, Losses, TopGames};
use arena::game::EndedBy;
use arena::record::GameLine;
use arena::result::GivenFigures;
use battleship::game_reader::{READERS, RecordedGame, ReplayError};
use bothost::{Side, text};
use check::{RecordedFault, recorded_fault};

/// The number of worst games that are named.
const WORST: usize = 3;

/// The games of one player.
#[derive(Debug)]
pub struct PlayerGames {
    losses: Losses,
    worst: TopGames<(GameDigest, GameLine)>,
    sample: SkillSample,
    duel: Duel,
    figures: GivenFigures,
    /// The usual causes of its faults, by the numbers of the games that are examples of them.
    causes: BTreeMap<u64, String>,
    unfinished: u64,
    judge_failed: u64,
}

impl Default for PlayerGames {
    fn default() -> PlayerGames {
        PlayerGames {
            losses: Losses::default(),
            worst: TopGames::new(WORST),
            sample: SkillSample::default(),
            duel: Duel::default(),
            figures: GivenFigures::default(),
            causes: BTreeMap::new(),
            unfinished: 0,
            judge_failed: 0,
        }
    }
}

impl PlayerGames {
    /// Counts a game of the player, who is on `side`.
    pub fn add(&mut self, game: GameDigest, line: GameLine, side: Side) {
        self.unfinished += u64::from(!game.finished);
        let judge_failed = line.ended_by == EndedBy::JudgeFailed && line.by == Some(side);
        self.judge_failed += u64::from(judge_failed);
        if let Ok(recorded) = RecordedGame::read(&line.json) {
            self.sample.add(game.number, &recorded, side);
        }
        self.duel.add(&game, &line, side);
        self.figures.add(&line, side);
        if self.losses.add(&game, side)
            && let Some(fault) = fault_of(&line, side)
        {
            self.causes.insert(game.number, fault.cause);
        }
        if let Some(badness) = game.badness(side) {
            self.worst.add_with(badness, || (game, line));
        }
    }

    /// Returns what the player lost in all its games, and the worst of these.
    #[must_use]
    pub fn summary(mut self) -> (LossExplanation, Option<(GameDigest, GameLine)>) {
        let losses = self.losses.summary();
        let examples = losses.reasons.iter().map(|lost| lost.example.number);
        let causes = examples.map(|number| self.causes.remove(&number)).collect();
        let summary = LossExplanation {
            losses,
            duel: self.duel.summary(),
            skill: self.sample.skill(),
            figures: self.figures,
            causes,
            worst: self.worst.games().map(|(game, _)| game.clone()).collect(),
            unfinished: self.unfinished,
            judge_failed: self.judge_failed,
        };
        (summary, self.worst.into_games().next())
    }
}

impl GameExplanation {
    /// Explains `game`, which `line` has in full, to the player on `side`.
    ///
    /// # Errors
    /// If the game contradicts the rules.
    pub fn new(
        game: GameDigest,
        line: &GameLine,
        side: Side,
    ) -> Result<GameExplanation, ReplayError> {
        let fault = fault_of(line, side);
        // A forfeit has a cause that matters more; and without ships there was nothing to hit.
        let review = match RecordedGame::read(&line.json) {
            Ok(recorded)
                if fault.is_none() && recorded.fleets.iter().all(|(_, fleet)| fleet.is_some()) =>
            {
                review_attacks(&recorded, side)?
            }
            Ok(_) | Err(_) => None,
        };
        Ok(GameExplanation {
            game,
            side,
            command: text::shown(line.players[side].command.as_bytes()),
            dir: line.players[side].dir.clone(),
            env: Vec::new(),
            submission: line.players[side].submission,
            rules: line.rules.clone(),
            fault,
            said: Vec::new(),
            review,
        })
    }
}

/// Returns the fault of the player on `side` with which the game ended, if it did.
fn fault_of(line: &GameLine, side: Side) -> Option<RecordedFault> {
    recorded_fault(line, line.reader(READERS)?, side)
}
