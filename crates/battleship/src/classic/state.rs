//! The classic game in progress: both boards, and whose turn it is.

use super::{AttackResult, Board, Point};
use crate::{BySide, GameOver, GameState, Side};

/// A classic game in progress, from the moment when both players have placed their ships.
///
/// An attack outside the board, or on a cell that was attacked before, is legal and wasted. [`GameState`] has an
/// example.
#[derive(Clone, Debug)]
pub struct State<'g> {
    boards: BySide<Board<'g>>,
    /// The side whose turn it is, unless the game is over.
    mover: Side,
}

impl<'g> State<'g> {
    /// Returns a game on these boards, each with its own player's ships, in which `first` has the first turn.
    #[must_use]
    pub const fn new(boards: BySide<Board<'g>>, first: Side) -> State<'g> {
        State {
            boards,
            mover: first,
        }
    }

    /// Returns both boards, each with its own player's ships and the opponent's attacks.
    #[must_use]
    pub const fn boards(&self) -> &BySide<Board<'g>> {
        &self.boards
    }

    /// Fires a shot of the player on `side`. It changes no turn.
    pub(crate) fn fire(&mut self, side: Side, at: Point) -> AttackResult {
        self.boards[side.other()].attack(at).into()
    }

    /// Returns the board that `side` attacks: its opponent's.
    #[must_use]
    pub fn target_of(&self, side: Side) -> &Board<'g> {
        &self.boards[side.other()]
    }
}

impl GameState for State<'_> {
    type Turn = Point;
    type TurnResult = AttackResult;

    fn turn(&self) -> Option<Side> {
        self.winner().is_none().then_some(self.mover)
    }

    fn play(&mut self, at: Point) -> Result<AttackResult, GameOver> {
        let mover = self.turn().ok_or(GameOver)?;
        // A wasted attack passes the turn on too, as in the original program.
        self.mover = mover.other();
        Ok(self.fire(mover, at))
    }

    /// Returns the side that has sunk its opponent's whole fleet. A board without ships is never sunk.
    fn winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| {
            let target = self.target_of(*side);
            // By the specification a board without ships is "all destroyed". Here that is not a win.
            target.all_ships_destroyed() && !target.occupied().is_empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction, Game};

    /// Each player has one ship of two cells at the top left of a 2x2 board.
    fn state(game: &Game, first: Side) -> State<'_> {
        let mut board = Board::new(game);
        board
            .place_ship(Point::new(0, 0), 0, Direction::Horizontal)
            .unwrap();
        State::new(BySide::new(board.clone(), board), first)
    }

    fn rowboats() -> Game {
        let mut game = Game::new(2, 2).unwrap();
        game.add_ship(2, 'R', "rowboat").unwrap();
        game
    }

    #[test]
    fn the_first_to_sink_the_fleet_wins() {
        let game = rowboats();
        let mut state = state(&game, Side::Two);
        for (mover, at, result) in [
            (Side::Two, Point::new(0, 0), AttackResult::Hit),
            (Side::One, Point::new(1, 1), AttackResult::Miss),
            (Side::Two, Point::new(0, 1), AttackResult::Sunk(0)),
        ] {
            assert_eq!((state.turn(), state.winner()), (Some(mover), None));
            assert_eq!(state.play(at), Ok(result));
        }
        assert_eq!((state.turn(), state.winner()), (None, Some(Side::Two)));
        assert_eq!(state.play(Point::new(0, 0)), Err(GameOver));
        assert_eq!(state.boards().two.attacked().len(), 1);
    }

    #[test]
    fn a_wasted_attack_uses_up_the_turn() {
        let game = rowboats();
        let mut state = state(&game, Side::One);
        for at in [Point::new(0, 0), Point::new(0, 0)] {
            state.play(at).unwrap();
            assert_eq!(state.play(Point::new(2, 0)), Ok(AttackResult::Wasted));
        }
        assert_eq!(state.play(Point::new(0, 0)), Ok(AttackResult::Wasted));
        assert_eq!(state.turn(), Some(Side::Two));
        assert_eq!(state.winner(), None);
    }

    #[test]
    fn a_game_without_ships_is_never_won() {
        let game = Game::new(1, 1).unwrap();
        let mut state = State::new(BySide::new(Board::new(&game), Board::new(&game)), Side::One);
        assert_eq!(state.play(Point::new(0, 0)), Ok(AttackResult::Miss));
        assert_eq!(state.winner(), None);
    }
}
