//! The replay of a logged game, as the original program writes it.

use thiserror::Error;

use super::{Log, OriginalQuirks, Refused, State, show_headed};
use crate::Side;
use crate::protocol::Order;

/// Plays a logged game again. Each item is what `replay f` of the original program writes for a move: the grids of the
/// player who moved, with their heading, and two empty lines; or the error of a move that the rules refuse, which is the last
/// item.
///
/// With the quirks of the log's [rules](super::LogRules::quirks) this is the game that was played. With
/// [`OriginalQuirks::ORIGINAL`] it is the replay of the original program: player 2 moves first, even if player 1 started. With
/// [`OriginalQuirks::default`] the rules hold, and the log's starter moves first.
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
pub fn replay(log: &Log, quirks: OriginalQuirks) -> Replay<'_> {
    let starter = if quirks.starter_ignored {
        Side::Two
    } else {
        log.starter
    };
    Replay {
        log,
        state: State::new(log.fleets.clone(), starter, quirks),
        next: 0,
    }
}

/// A replay in progress. As an iterator, it makes the next move.
#[derive(Clone, Debug)]
pub struct Replay<'l> {
    log: &'l Log,
    state: State,
    next: usize,
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

impl Replay<'_> {
    /// Returns the game after the moves that were made so far.
    pub const fn state(&self) -> &State {
        &self.state
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<String, IllegalMove>;

    fn next(&mut self) -> Option<Result<String, IllegalMove>> {
        let order = *self.log.moves.get(self.next)?;
        // Drawn after the move, from the view of the player that made it, as the original does.
        let mover = self.state.turn();
        match self.state.act(order) {
            Ok(_) => {
                self.next += 1;
                let side = mover?;
                let grids = show_headed(self.state.view(side), side);
                Some(Ok(format!("{grids}\n\n")))
            }
            Err(refused) => {
                let line = Log::line_of_move(self.next);
                // An illegal move ends the replay: without it, every later position would be a guess.
                self.next = self.log.moves.len();
                Some(Err(IllegalMove {
                    line,
                    order,
                    refused,
                }))
            }
        }
    }
}
