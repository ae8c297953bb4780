//! The common part of all games: two players take turns until one of them has won.

use thiserror::Error;

use crate::Side;

/// A game in progress, as its referee knows it: pure rules, without players, clocks or limits.
///
/// Every turn counts, sensible or not: one that the rules do not allow is used up without an effect.
/// So a referee needs no rules of its own: it asks the player whose turn it is, plays the answer, and passes on the
/// result.
///
/// ```
/// use battleship::{AttackResult, Board, BySide, Direction, Game, GameState, Point, Side, classic};
///
/// let mut game = Game::new(1, 2)?;
/// game.add_ship(1, 'D', "dinghy")?;
/// let mut board = Board::new(&game);
/// board.place_ship(Point::new(0, 1), 0, Direction::Horizontal)?;
///
/// let boards = BySide::new(board.clone(), board);
/// let mut state = classic::State::new(boards, Side::One);
/// let attacks = [Point::new(0, 0), Point::new(7, 7), Point::new(0, 1)];
/// let results = attacks.map(|at| state.play(at));
/// assert_eq!(
///     results,
///     [Ok(AttackResult::Miss), Ok(AttackResult::Wasted), Ok(AttackResult::Sunk(0))]
/// );
/// assert_eq!((state.winner(), state.turn()), (Some(Side::One), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait GameState {
    /// The action of a player in its turn.
    type Turn;
    /// The result of a turn, as far as the player that took it learns it.
    type TurnResult;

    /// Returns the side whose turn it is, or `None` once the game is over.
    fn turn(&self) -> Option<Side>;

    /// Plays the turn of the side whose turn it is. Then it is its opponent's.
    ///
    /// # Errors
    /// If the game is over. It is then unchanged.
    fn play(&mut self, turn: Self::Turn) -> Result<Self::TurnResult, GameOver>;

    /// Returns the side that has won, or `None` while neither has.
    fn winner(&self) -> Option<Side>;
}

/// A turn was played in a game that one side has won already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the game is over")]
pub struct GameOver;
