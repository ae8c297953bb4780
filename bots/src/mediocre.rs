//! The mediocre bot of the course's specification.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, CellSet, Direction, Game, Placement, Player, Point};

use crate::fleet::{SEARCH_BUDGET, all_placements, place_within, random_fleet};

/// Number of times that it blocks half of its board and tries to place its ships on the rest.
const TRIES: usize = 50;

/// Distance from its hit in which it looks for the rest of a ship.
const STEPS: i32 = 4;

/// The mediocre player of the course's specification, to the letter.
#[derive(Debug)]
pub(crate) struct Mediocre {
    name: String,
    game: Game,
    rng: SeededRng,
    state: State,
    /// The points chosen so far, also those where it missed.
    chosen: CellSet,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// State 1: choose anywhere.
    Searching,
    /// State 2: choose on the cross around this hit.
    Crossing(Point),
}

impl Mediocre {
    pub(crate) fn new(name: &str, game: &Game, seed: u64) -> Mediocre {
        Mediocre {
            name: name.to_owned(),
            game: game.clone(),
            rng: SeededRng::new(seed),
            state: State::Searching,
            chosen: CellSet::EMPTY,
        }
    }

    /// The valid points no more than four steps from `center`, horizontally or vertically.
    fn cross(&self, center: Point) -> CellSet {
        let arm = |direction| (-STEPS..=STEPS).map(move |steps| center.step(direction, steps));
        let cross: CellSet = Direction::BOTH.into_iter().flat_map(arm).collect();
        cross & self.game.cells()
    }
}

/// Blocks half of the board, at random, and tries to place all ships in order on the rest; no cell
/// stays blocked. `budget` is that of [`place_within`].
pub(crate) fn place_on_a_half(
    board: &mut Board<'_>,
    candidates: &[Vec<Placement>],
    budget: &mut usize,
    rng: &mut SeededRng,
) -> bool {
    board.block(rng);
    let placed = place_within(board, candidates, budget);
    board.unblock();
    placed
}

impl Player for Mediocre {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let candidates: Vec<_> = self
            .game
            .ships()
            .iter()
            .map(|ship| all_placements(&self.game, ship.length))
            .collect();
        (0..TRIES)
            .any(|_| place_on_a_half(board, &candidates, &mut { SEARCH_BUDGET }, &mut self.rng))
            // Half of a board hardly ever has space for ships that may not touch; the specification
            // has no such ships.
            || self.game.apart() && random_fleet(board, &mut self.rng)
    }

    fn recommend_attack(&mut self) -> Point {
        let mut choices = CellSet::EMPTY;
        if let State::Crossing(center) = self.state {
            choices = self.cross(center) - self.chosen;
            if choices.is_empty() {
                self.state = State::Searching;
            }
        }
        if self.state == State::Searching {
            choices = self.game.cells() - self.chosen;
        }
        // If every point has been chosen the game is over; a referee that continues gets any point.
        let point = choices
            .choose(&mut self.rng)
            .unwrap_or_else(|| self.game.random_point(&mut self.rng));
        self.chosen.insert(point);
        point
    }

    fn record_attack_result(&mut self, at: Point, result: AttackResult) {
        self.state = match (self.state, result) {
            (State::Searching, AttackResult::Hit) => State::Crossing(at),
            (_, AttackResult::Sunk(_)) => State::Searching,
            (state, _) => state,
        };
    }

    fn record_attack_by_opponent(&mut self, _at: Point) {}
}

#[cfg(test)]
mod tests {

    use super::*;

    fn in_game(game: &Game, seed: u64) -> Mediocre {
        Mediocre::new("Olive", game, seed)
    }

    fn in_standard_game(seed: u64) -> Mediocre {
        in_game(&Game::standard(), seed)
    }

    /// The next `count` attacks of `bot`, all of which miss.
    fn misses(bot: &mut Mediocre, count: usize) -> CellSet {
        (0..count)
            .map(|_| {
                let point = bot.recommend_attack();
                bot.record_attack_result(point, AttackResult::Miss);
                point
            })
            .collect()
    }

    #[test]
    fn in_state_1_every_point_is_chosen_once() {
        assert_eq!(
            misses(&mut in_standard_game(1), 100),
            Game::standard().cells()
        );
    }

    #[test]
    fn after_a_hit_its_cross_is_attacked() {
        let mut bot = in_standard_game(2);
        bot.chosen.insert(Point::new(5, 3));
        bot.record_attack_result(Point::new(5, 3), AttackResult::Hit);
        // The specification draws this cross: 3 cells to the left, 4 to the right, 4 up, 4 down.
        let drawn: CellSet = (0..=7)
            .map(|col| Point::new(5, col))
            .chain((1..=9).map(|row| Point::new(row, 3)))
            .filter(|point| *point != Point::new(5, 3))
            .collect();
        assert_eq!(misses(&mut bot, 15), drawn);
        assert_eq!(misses(&mut bot, 84).len(), 84);
        assert_eq!(bot.state, State::Searching);
    }

    #[test]
    fn a_sunk_ship_ends_the_cross() {
        let mut bot = in_standard_game(3);
        let first = Point::new(0, 0);
        let second = Point::new(0, 1);
        bot.record_attack_result(first, AttackResult::Hit);
        bot.record_attack_result(second, AttackResult::Hit);
        assert_eq!(bot.state, State::Crossing(first));
        bot.record_attack_result(second, AttackResult::Wasted);
        assert_eq!(bot.state, State::Crossing(first));
        bot.record_attack_result(second, AttackResult::Sunk(4));
        assert_eq!(bot.state, State::Searching);
        bot.record_attack_result(second, AttackResult::Sunk(0));
        assert_eq!(bot.state, State::Searching);
    }

    #[test]
    fn after_placing_no_cell_stays_blocked() {
        let game = Game::standard();
        for seed in 0..200 {
            let mut board = Board::new(&game);
            assert!(in_game(&game, seed).place_ships(&mut board));
            assert_eq!(board.occupied().len(), 17);
            assert_eq!(board.free().len(), 83);
        }
    }

    #[test]
    fn ships_that_may_not_touch_are_placed() {
        let game = Game::standard().with_apart(true);
        for seed in 0..50 {
            assert!(in_game(&game, seed).place_ships(&mut Board::new(&game)));
        }
    }

    #[test]
    fn a_hit_of_a_salvo_is_pursued() {
        let mut bot = in_standard_game(4);
        let salvo = [(); 5].map(|()| bot.recommend_attack());
        assert_eq!(salvo.into_iter().collect::<CellSet>().len(), 5);
        for (at, result) in salvo.into_iter().zip([
            AttackResult::Miss,
            AttackResult::Miss,
            AttackResult::Hit,
            AttackResult::Miss,
            AttackResult::Miss,
        ]) {
            bot.record_attack_result(at, result);
        }
        let next = [(); 5].map(|()| bot.recommend_attack());
        let next: CellSet = next.into_iter().collect();
        assert_eq!(next.len(), 5);
        assert!(next.is_subset(bot.cross(salvo[2])));
    }

    #[test]
    fn a_board_without_room_makes_it_give_up() {
        let mut game = Game::new(10, 10).unwrap();
        for symbol in 'a'..='h' {
            let _ = game.add_ship(10, symbol, "liner");
        }
        let mut board = Board::new(&game);
        assert!(!in_game(&game, 1).place_ships(&mut board));
        assert_eq!(board.free().len(), 100);
    }
}
