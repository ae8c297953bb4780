//! The losses of one player in a record, by reason and by opponent.

use std::collections::BTreeMap;

use bothost::Side;
use serde::Serialize;

use super::GameDigest;
use crate::game::EndedBy;

/// More opponents than these are not told apart, so that no record fills the memory.
const MOST_OPPONENTS: usize = 10_000;

/// The results of some games of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// All games that count.
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// Of the lost ones, those by its own fault.
    pub own_fault: u64,
}

impl Results {
    fn add(&mut self, game: &GameDigest, side: Side) {
        let Some(points) = game.points else { return };
        self.games += 1;
        match points[side] {
            won if won > 0.5 => self.won += 1,
            lost if lost < 0.5 => self.lost += 1,
            _ => self.drawn += 1,
        }
        self.own_fault += u64::from(game.is_fault_of(side));
    }
}

/// The games that a player lost for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossReason {
    pub ended_by: EndedBy,
    /// Whether the player itself caused the end.
    pub own_doing: bool,
    /// Whether that breaks the rules.
    pub own_fault: bool,
    pub games: u64,
    /// The number of turns that the player had in these games, on average.
    pub mean_turns: f64,
    /// The first of them.
    pub example: GameDigest,
}

/// The games of one player, summed up.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    results: Results,
    /// Games that do not count, since neither player is to blame for their end.
    void: u64,
    wasted: u64,
    /// By whether it was not the player's own fault, and the reason; with the sum of its turns.
    reasons: BTreeMap<(bool, EndedBy, bool), (LossReason, u64)>,
    opponents: BTreeMap<String, Results>,
}

/// The losses of a player, as lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossSummary {
    /// All its games.
    #[serde(flatten)]
    pub results: Results,
    /// Games that do not count, since neither player is to blame for their end.
    pub void: u64,
    /// The attacks that it wasted in all its games.
    pub wasted: u64,
    /// The reasons for its losses: its own faults first, then the commonest reason.
    pub reasons: Vec<LossReason>,
    /// Its results against each opponent, the most losses first.
    pub opponents: Vec<VersusOpponent>,
}

/// The results against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VersusOpponent {
    pub opponent: String,
    #[serde(flatten)]
    pub results: Results,
}

impl Losses {
    /// Counts a game of the player on `side`, which `game` has in short. Returns whether it is the
    /// first that was lost for its reason.
    pub fn add(&mut self, game: &GameDigest, side: Side) -> bool {
        if game.points.is_none() {
            self.void += 1;
        }
        self.wasted += u64::from(game.wasted[side]);
        self.results.add(game, side);
        let opponent = &game.players[side.other()];
        if self.opponents.len() < MOST_OPPONENTS || self.opponents.contains_key(opponent) {
            self.opponents
                .entry(opponent.clone())
                .or_default()
                .add(game, side);
        }
        if !game.is_lost_by(side) {
            return false;
        }
        let own_fault = game.is_fault_of(side);
        let own_doing = game.by == Some(side);
        let (lost, turns) = self
            .reasons
            .entry((!own_fault, game.ended_by, own_doing))
            .or_insert_with(|| {
                let ended_by = game.ended_by;
                let example = game.clone();
                (
                    LossReason {
                        ended_by,
                        own_doing,
                        own_fault,
                        games: 0,
                        mean_turns: 0.0,
                        example,
                    },
                    0,
                )
            });
        lost.games += 1;
        *turns += u64::from(game.turns[side]);
        lost.games == 1
    }

    /// Returns the lists.
    pub fn summary(self) -> LossSummary {
        let Losses {
            results,
            void,
            wasted,
            reasons,
            opponents,
        } = self;
        let mut reasons: Vec<LossReason> = reasons.into_values().map(with_mean).collect();
        reasons.sort_by_key(|lost| (!lost.own_fault, std::cmp::Reverse(lost.games)));
        let mut opponents: Vec<VersusOpponent> = opponents
            .into_iter()
            .map(|(opponent, results)| VersusOpponent { opponent, results })
            .collect();
        opponents.sort_by_key(|against| std::cmp::Reverse(against.results.lost));
        LossSummary {
            results,
            void,
            wasted,
            reasons,
            opponents,
        }
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts of turns are far below 2^52"
)]
fn with_mean((lost, turns): (LossReason, u64)) -> LossReason {
    LossReason {
        mean_turns: turns as f64 / lost.games as f64,
        ..lost
    }
}
