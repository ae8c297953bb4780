//! The replay of a logged game, as the original program writes it.

use thiserror::Error;

use super::{Log, OriginalQuirks, Refused, State, show_headed};
use crate::Side;
use crate::protocol::Order;

/// Plays a logged game again. Each item is what `replay f` of the original program writes for a
/// move: the grids of the player who moved, with their heading, and two empty lines; or the error
/// of a move that the rules refuse, which is the last item.
///
/// With the quirks of the log's [rules](super::LogRules::quirks) this is the game that was played.
/// With [`OriginalQuirks::ORIGINAL`] it is the replay of the original program: player 2 moves
/// first, even if player 1 started. With [`OriginalQuirks::default`] the rules hold, and the log's
/// starter moves first.
///
/// ```no_run
/// use battleship::twist::{Log, replay};
///
/// let log = Log::parse(&std::fs::read("game.txt")?)?;
/// for grids in replay(&log, log.rules.quirks()) {
///     print!("{}", grids?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay(
    log: &Log,
    quirks: OriginalQuirks,
) -> impl Iterator<Item = Result<String, IllegalMove>> {
    let starter = if quirks.starter_ignored {
        Side::Two
    } else {
        log.starter
    };
    let mut state = State::new(log.fleets.clone(), starter, quirks);
    let mut moves = log.moves.iter().enumerate();
    std::iter::from_fn(move || {
        let (index, order) = moves.next()?;
        // Drawn after the move, from the view of the player that made it, as the original does.
        let mover = state.turn();
        if let Err(refused) = state.act(*order) {
            // An illegal move ends the replay: without it, every later position would be a guess.
            moves = [].iter().enumerate();
            return Some(Err(IllegalMove {
                line: Log::line_of_move(index),
                order: *order,
                refused,
            }));
        }
        let grids = show_headed(state.view(mover?), mover?);
        Some(Ok(format!("{grids}\n\n")))
    })
}

/// A logged move that the rules refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {}: {refused}", order.in_letters())]
pub struct IllegalMove {
    /// The line of the log, counted from 1.
    pub line: usize,
    /// The move.
    pub order: Order,
    /// The reason why it is illegal.
    pub refused: Refused,
}
