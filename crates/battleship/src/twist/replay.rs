//! The replay of a logged game, as the original program writes it.

use thiserror::Error;

use super::{Event, Log, Order, Quirks, Refused, State, show};
use crate::Side;

/// Plays a logged game again. After each move comes one [`Frame`]; after a move that the rules refuse, an error, which
/// is the last item.
///
/// With the quirks of the log's [rules](super::LogRules::quirks) this is the game that was played. With
/// [`Quirks::ORIGINAL`] it is the replay of the original program: player 2 moves first, even if player 1 started. With
/// [`Quirks::default`] the rules hold, and the log's starter moves first.
///
/// ```no_run
/// use battleship::twist::{Log, replay};
///
/// let log = Log::parse(&std::fs::read("game.txt")?)?;
/// for frame in replay(&log, log.rules.quirks()) {
///     print!("{}", frame?.text);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn replay(log: &Log, quirks: Quirks) -> Replay<'_> {
    let starter = if quirks.starter_ignored {
        Side::Two
    } else {
        log.starter
    };
    Replay {
        log,
        state: State::new(log.fleets.clone(), starter, quirks),
        side: starter,
        next: 0,
    }
}

/// A replay in progress. As an iterator, it makes the next move.
#[derive(Clone, Debug)]
pub struct Replay<'l> {
    log: &'l Log,
    state: State,
    side: Side,
    next: usize,
}

/// A move that was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The side that moved.
    pub side: Side,
    /// The move.
    pub order: Order,
    /// Its effect.
    pub event: Event,
    /// The text of `replay f` of the original program for it: the grids of the player who moved, with their heading, and two
    /// empty lines.
    pub text: String,
}

/// A logged move that the rules refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {order}: {refused}")]
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
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Frame, IllegalMove>;

    fn next(&mut self) -> Option<Result<Frame, IllegalMove>> {
        let order = *self.log.moves.get(self.next)?;
        let (index, side) = (self.next, self.side);
        Some(match self.state.act(side, order) {
            Ok(event) => {
                self.next += 1;
                self.side = side.other();
                // Drawn after the move, from the view of the player that made it, as the original does.
                let text = format!("{}\n\n", show(self.state.view(side)).headed(side));
                Ok(Frame {
                    side,
                    order,
                    event,
                    text,
                })
            }
            Err(refused) => {
                // An illegal move ends the replay: without it, every later position would be a guess.
                self.next = self.log.moves.len();
                Err(IllegalMove {
                    line: Log::line_of_move(index),
                    order,
                    refused,
                })
            }
        })
    }
}
