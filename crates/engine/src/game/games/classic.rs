//! The classic game over the wire.

use battleship::classic::State;
use battleship::protocol::{Reply, Request, Ruleset};
use battleship::{AttackResult, Board, BySide, Game, Placement, Point, Side};

use super::{Played, Position, WireGame, place_fleet};

/// The classic game with this board and fleet.
#[derive(Clone, Copy, Debug)]
pub struct Classic<'g>(pub &'g Game);

/// Returns what answers the request for so many ships, in words.
#[must_use]
pub fn expected_fleet(ships: usize) -> String {
    let s = if ships == 1 { "" } else { "s" };
    format!("\"place ROW COL h|v ...\" ({ships} ship{s}) or \"place none\"")
}

impl<'g> WireGame for Classic<'g> {
    type Fleets = BySide<Board<'g>>;
    type State = State<'g>;

    const CANNOT_PLACE: &'static str = "could not place its ships";
    const TURN: Request = Request::Attack;
    const EXPECTED_TURN: &'static str = "\"attack ROW COL\"";

    fn announcement(&self) -> Vec<Request> {
        let Classic(game) = self;
        let (rows, cols) = (game.rows(), game.cols());
        let ships = game.ships().iter().enumerate().map(|(id, ship)| Request::Ship {
            id,
            length: ship.length,
            symbol: ship.symbol,
            name: ship.name.clone(),
        });
        [Request::Game { ruleset: Ruleset::Classic, rows, cols }].into_iter().chain(ships).collect()
    }

    fn expected_placement(&self) -> String {
        expected_fleet(self.0.n_ships())
    }

    fn no_fleets(&self) -> BySide<Board<'g>> {
        BySide::from_fn(|_| Board::new(self.0))
    }

    fn place(
        &self,
        boards: &mut BySide<Board<'g>>,
        side: Side,
        placements: &[Placement],
    ) -> Result<(), String> {
        // On a board of its own: a record has no fleet of a player whose placement is not legal, and of more ships than the
        // game has, the first ones may be.
        let mut board = Board::new(self.0);
        place_fleet(&mut board, placements)?;
        boards[side] = board;
        Ok(())
    }

    fn placed<'b>(boards: &'b BySide<Board<'g>>) -> Option<Position<'b>> {
        Some(Position::Classic(boards))
    }

    fn begin(&self, boards: BySide<Board<'g>>, first: Side) -> State<'g> {
        State::new(boards, first)
    }

    fn position<'s>(state: &'s State<'g>) -> Position<'s> {
        Position::Classic(state.boards())
    }

    fn turn_in(reply: &Reply) -> Option<Point> {
        if let Reply::Attack(at) = reply { Some(*at) } else { None }
    }

    fn result(at: Point, result: &AttackResult) -> Request {
        Request::Result(at, *result)
    }

    fn notice(at: Point, _result: &AttackResult) -> Option<Request> {
        Some(Request::Opponent(at))
    }

    fn played(at: Point, result: &AttackResult) -> Played<'_> {
        Played::Attack { at, result: *result }
    }

    fn undecided(max_turns: u32) -> String {
        format!("neither player sank the other's fleet in {max_turns} attacks each")
    }
}
