//! The points that a game brings its players in a contest.

use league::statistics::Outcome;
use wire::{BySide, EndedBy, Side};

use crate::record::GameLine;

/// Returns the outcome of a game for both players; `None` if it does not count.
#[must_use]
pub fn outcomes(game: &GameLine) -> Option<BySide<Outcome>> {
    match (game.winning_side(), game.ended_by, game.by) {
        (Some(winner), _, _) => Some(won_by(winner)),
        // Before the faults: a cap blames neither player.
        (None, EndedBy::TurnCap, _) => Some(BySide::from_fn(|_| Outcome::Draw)),
        (None, ended_by, Some(by)) if ended_by.is_fault() => Some(won_by(by.other())),
        // A late machine, an interrupt: neither player is to blame, so a contest counts the game as not
        // played.
        (None, _, _) => None,
    }
}

fn won_by(winner: Side) -> BySide<Outcome> {
    BySide::from_fn(|side| {
        if side == winner {
            Outcome::Win
        } else {
            Outcome::Loss
        }
    })
}
