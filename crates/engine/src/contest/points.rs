//! The points that a game brings its players in a contest.

use crate::game::EndedBy;
use crate::record::GameRecord;
use league::statistics::Outcome;

/// Returns what a game brings its players in a contest, in order; `None` if it does not count, because neither player
/// is to blame for its end.
///
/// A player that could not be started or could not place its ships has lost: the game itself has no winner then, but
/// failing early must not pay. A game at its turn cap is worth half a point to both.
pub(super) fn outcomes(game: &GameRecord) -> Option<[Outcome; 2]> {
    if let Some(winner) = &game.winner {
        return Some(if *winner == game.players[0].name {
            ONE_WON
        } else {
            TWO_WON
        });
    }
    match (game.ended_by, game.by) {
        // Before the faults: a cap blames neither player.
        (EndedBy::TurnCap, _) => Some([Outcome::Draw; 2]),
        (ended_by, Some(by)) if ended_by.is_fault() => {
            Some(if by == 0 { TWO_WON } else { ONE_WON })
        }
        // A late machine, an interrupt: neither player is to blame, so a contest counts the game as not
        // played.
        (_, _) => None,
    }
}

const ONE_WON: [Outcome; 2] = [Outcome::Win, Outcome::Loss];
const TWO_WON: [Outcome; 2] = [Outcome::Loss, Outcome::Win];
