//! A twist game as a log of the original program.

use thiserror::Error;

use super::{Fleet, Log, LogRules, OriginalQuirks, replay};
use crate::game_reader::{RecordedGame, ReplayError};
use crate::protocol::OrderResult;
use crate::{BySide, Ruleset, Side, Turn};

/// The reason why a game cannot be written as a log of the original twist program.
#[derive(Debug, Error)]
pub enum NoLog {
    /// It has none of the twist game.
    #[error("only twist games have such a log")]
    NotTwist,
    /// Nothing was placed.
    #[error("the game ended before both players had placed their units")]
    NotBegun,
    /// The log has no words for that.
    #[error("turn {0} was refused, and such a log has only orders that were carried out")]
    Refused(usize),
    /// The record contradicts the rules.
    #[error(transparent)]
    Wrong(#[from] ReplayError),
}

/// Returns a recorded twist game as a log in the form of the original program's, with the mark of a
/// game that was played without the original's quirks.
///
/// # Errors
/// If the log has no words for the game.
pub fn original_log(game: &RecordedGame) -> Result<Log, NoLog> {
    if game.rules != Ruleset::Twist {
        return Err(NoLog::NotTwist);
    }
    let (Some(one), Some(two)) = (&game.fleets.one, &game.fleets.two) else {
        return Err(NoLog::NotBegun);
    };
    let fleet = |ships: &[_]| Fleet::new(ships).map_err(ReplayError::Wrong);
    let fleets = BySide::new(fleet(one)?, fleet(two)?);
    let mut moves = Vec::new();
    for (number, played) in (1..).zip(&game.turns) {
        match played.turn {
            Turn::Order {
                result: OrderResult::Refused(_),
                ..
            }
            | Turn::Attack { .. } => return Err(NoLog::Refused(number)),
            Turn::Order { order, .. } => moves.push(order),
        }
    }
    Ok(Log {
        rules: LogRules::Standard,
        starter: game.first,
        fleets,
        moves,
    })
}

/// Returns the first line of a log from which on the original program shows another game than was
/// played, and whether it stops there; `None` if it shows the same one. The original calls the
/// starter player 2, which makes no difference.
#[must_use]
pub fn original_differs(log: &Log) -> Option<(usize, bool)> {
    // As the original reads it, whatever the log says of the rules.
    let starter = Side::Two;
    let fleets = match log.starter {
        Side::One => BySide::new(log.fleets.two.clone(), log.fleets.one.clone()),
        Side::Two => log.fleets.clone(),
    };
    let read = Log {
        rules: LogRules::Original,
        starter,
        fleets,
        moves: log.moves.clone(),
    };
    let original = replay(&read, OriginalQuirks::ORIGINAL);
    let played = replay(&read, OriginalQuirks::default());
    let mut frames = original.zip(played).enumerate();
    frames.find_map(|(index, (original, played))| {
        let same = matches!((&original, &played), (Ok(one), Ok(other)) if one == other);
        (!same).then(|| (Log::line_of_move(index), original.is_err()))
    })
}
