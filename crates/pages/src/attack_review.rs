//! The value of the attacks of a recorded game by what their player knew.

use battleship::{AttackResult, BySide, Game, Point, Side, Turn};
use bots::HitChance;
use league::statistics::to_f64;
use serde::{Serialize, Serializer};

use battleship::game_reader::{RecordedGame, ReplayError};

/// The number of worst attacks that are named.
const WORST: usize = 5;

/// Attacks that were this much less likely to hit than the best are worth a word. The chances are
/// estimates, with an error of up to about 0.01.
const WORTH_A_WORD: f64 = 0.02;

/// A game by what its players knew.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// The attacks of each player.
    pub attacks: BySide<Vec<HitChance>>,
    /// Before each turn, and after the last: how likely the first player was to win if both
    /// continued as the estimates do, from 0 to 1. Empty if some moment has no estimate.
    pub winning: Vec<f64>,
}

/// The value of a player's attacks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackReview {
    pub attacks: usize,
    pub hits: usize,
    /// Attacks outside of the board.
    pub outside: usize,
    /// Attacks on cells that the player had attacked before.
    pub repeated: usize,
    /// By how many hits the best attacks would have been better in expectation, each by what was
    /// known then.
    pub expected_hits_lost: f64,
    /// The part of these that wasted attacks lost.
    pub lost_by_waste: f64,
    /// The number of hits that its attacks could expect, each by what was known then: `hits` above
    /// this is luck.
    pub expected_hits: f64,
    /// The worst attacks, the worst first.
    pub worst: Vec<WeakAttack>,
}

/// An attack that was less likely to hit than another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeakAttack {
    /// The number of the player's attack, from 1.
    pub attack: usize,
    /// Its cell; in JSON the row and the column.
    #[serde(serialize_with = "as_pair")]
    pub at: Point,
    /// Its result.
    pub result: AttackResult,
    /// Its chance to hit, from 0 to 1.
    pub chance: f64,
    /// The cell that was the most likely one to hit.
    #[serde(serialize_with = "as_pair")]
    pub best: Point,
    /// The chance of that.
    pub best_chance: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn as_pair<S: Serializer>(point: &Point, serializer: S) -> Result<S::Ok, S::Error> {
    [point.row, point.col].serialize(serializer)
}

/// Returns the attacks of the player on `side` with their results.
fn attacks_of(record: &RecordedGame, side: Side) -> Vec<(Point, AttackResult)> {
    record
        .turns_of(side)
        .filter_map(|played| match &played.turn {
            Turn::Attack { at, result } => Some((*at, *result)),
            Turn::Order { .. } => None,
        })
        .collect()
}

/// Returns the rules of a game whose attacks can be estimated; `None` for a twist game, and where a
/// fleet is missing.
fn estimable(record: &RecordedGame) -> Result<Option<Game>, ReplayError> {
    let Some(game) = record.rules()?.classic_game().cloned() else {
        return Ok(None);
    };
    if record.fleets.iter().any(|(_, fleet)| fleet.is_none()) {
        return Ok(None);
    }
    // Results that no fleet agrees with could not be counted.
    record.replay(&mut ())?;
    Ok(Some(game))
}

/// Returns for each attack of the player on `side` how likely it was to hit; `None` as for
/// [`review_game`].
///
/// # Errors
/// If the record contradicts the rules.
pub(crate) fn attack_chances(
    record: &RecordedGame,
    side: Side,
) -> Result<Option<Vec<HitChance>>, ReplayError> {
    let Some(game) = estimable(record)? else {
        return Ok(None);
    };
    Ok(Some(bots::review(&game, &attacks_of(record, side)).attacks))
}

/// Returns a game by what its players knew; `None` for a twist game, and where a fleet is missing.
///
/// # Errors
/// If the record contradicts the rules.
pub fn review_game(record: &RecordedGame) -> Result<Option<GameReview>, ReplayError> {
    let Some(game) = estimable(record)? else {
        return Ok(None);
    };
    let players = BySide::from_fn(|side| bots::review(&game, &attacks_of(record, side)));
    let mut made = BySide::new(0, 0);
    let mut mover = record.first;
    let mut winning = Vec::new();
    for _ in 0..=record.turns.len() {
        let [own, others] = [mover, mover.other()].map(|side| players[side].left.get(made[side]));
        let chance = own
            .zip(others)
            .and_then(|(own, others)| chance_of_mover(own, others));
        winning.extend(chance.map(|chance| {
            if mover == Side::One {
                chance
            } else {
                1.0 - chance
            }
        }));
        made[mover] += 1;
        mover = mover.other();
    }
    if winning.len() <= record.turns.len() {
        winning.clear();
    }
    Ok(Some(GameReview {
        attacks: players.map(|player| player.attacks),
        winning,
    }))
}

/// Returns how likely the player to move is the first to need no more attacks, if each of its
/// numbers of attacks is as likely as the others, and so for its opponent; `None` without numbers.
fn chance_of_mover(own: &[u32], others: &[u32]) -> Option<f64> {
    let mut others = others.to_vec();
    others.sort_unstable();
    let won: usize = own
        .iter()
        .map(|own| others.len() - others.partition_point(|other| other < own))
        .sum();
    let all = own.len() * others.len();
    (all > 0).then(|| to_f64(won as u64) / to_f64(all as u64))
}

/// Returns what the attacks of the player on `side` were worth; `None` for a twist game, and where
/// a fleet is missing.
///
/// # Errors
/// If the record contradicts the rules.
pub fn review_attacks(
    record: &RecordedGame,
    side: Side,
) -> Result<Option<AttackReview>, ReplayError> {
    let Some(game) = record.rules()?.classic_game().cloned() else {
        return Ok(None);
    };
    let Some(chances) = attack_chances(record, side)? else {
        return Ok(None);
    };
    let attacks = attacks_of(record, side);
    let mut lost = 0.0;
    let mut lost_by_waste = 0.0;
    let mut worst = Vec::new();
    for ((number, (at, result)), chance) in (1..).zip(&attacks).zip(&chances) {
        let HitChance {
            chance,
            best,
            best_chance,
        } = *chance;
        let less = (best_chance - chance).max(0.0);
        lost += less;
        if *result == AttackResult::Wasted {
            lost_by_waste += less;
        }
        if let Some(best) = best.filter(|_| less > WORTH_A_WORD) {
            let at = *at;
            let result = *result;
            worst.push(WeakAttack {
                attack: number,
                at,
                result,
                chance,
                best,
                best_chance,
            });
        }
    }
    let less = |attack: &WeakAttack| attack.best_chance - attack.chance;
    worst.sort_by(|one, other| less(other).total_cmp(&less(one)));
    worst.truncate(WORST);
    let wasted = |is_inside: bool| {
        attacks
            .iter()
            .filter(|(at, result)| {
                *result == AttackResult::Wasted && game.is_valid(*at) == is_inside
            })
            .count()
    };
    let is_hit = |result| matches!(result, AttackResult::Hit | AttackResult::Sunk(_));
    Ok(Some(AttackReview {
        attacks: attacks.len(),
        hits: attacks.iter().filter(|(_, result)| is_hit(*result)).count(),
        outside: wasted(false),
        repeated: wasted(true),
        expected_hits_lost: lost,
        lost_by_waste,
        expected_hits: chances.iter().map(|chance| chance.chance).sum(),
        worst,
    }))
}
