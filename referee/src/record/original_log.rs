//! A twist game as a log of the original program.

use battleship::protocol::OrderResult;
use battleship::twist::Log;
use battleship::{BySide, Side};
use thiserror::Error;

use super::replay::fleet_of_twist;
use super::{GameRecord, ReplayError};
use crate::terms::RulesName;

/// Why a game cannot be written as a log of the original twist program.
#[derive(Debug, Error)]
pub(crate) enum NoLog {
    /// It has none of the twist game.
    #[error("only twist games have such a log")]
    NotTwist,
    /// Nothing was placed.
    #[error("the game ended before both players had placed their units")]
    NotBegun,
    /// The log has no words for that.
    #[error("turn {0} was refused, and such a log has only orders that were carried out")]
    Refused(usize),
    /// What the record says cannot be.
    #[error(transparent)]
    Wrong(#[from] ReplayError),
}

/// Returns a recorded twist game as the log that the original program would have written.
///
/// The original's replay lets its player 2 move first, whatever the log says. So the first mover is player 2 of the
/// log. It also has the quirks of the original: where a support ship repaired, or a submarine searched, its grids may
/// show other marks than ours did.
///
/// # Errors
/// If the log has no words for the game.
pub(crate) fn original_log(game: &GameRecord) -> Result<Log, NoLog> {
    if game.rules != RulesName::Twist {
        return Err(NoLog::NotTwist);
    }
    let [Some(one), Some(two)] = &game.fleets else { return Err(NoLog::NotBegun) };
    let (first, second) = if game.first == 0 { (one, two) } else { (two, one) };
    let fleets = BySide::new(fleet_of_twist(second)?, fleet_of_twist(first)?);
    let order = |(turn, moved): (usize, &super::Move)| {
        let on_grid =
            moved.order.on_grid().filter(|_| !matches!(moved.result, OrderResult::Refused(_)));
        on_grid.ok_or(NoLog::Refused(turn))
    };
    let moves = (1..).zip(&game.moves).map(order).collect::<Result<_, _>>()?;
    Ok(Log { starter: Side::Two, fleets, moves })
}
