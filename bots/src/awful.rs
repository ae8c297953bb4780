//! The awful bot of the course's specification.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Direction, Game, Player, Point};

use crate::fleet::{first_fleet, random_fleet};

/// Plays legally, but very stupidly: places its ships one below the other at the left edge, and
/// attacks from the last cell backwards, without a look at the results. Where ships may not touch
/// it places each at the first cell that is left. It needs no seed: it always plays the same.
#[derive(Debug)]
pub(crate) struct Awful {
    name: String,
    game: Game,
    last: Point,
}

impl Awful {
    pub(crate) fn new(name: &str, game: &Game) -> Awful {
        Awful {
            name: name.to_owned(),
            game: game.clone(),
            last: Point::default(),
        }
    }
}

impl Player for Awful {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        if self.game.apart() {
            return first_fleet(board) || random_fleet(board, &mut SeededRng::new(0));
        }
        (0..self.game.n_ships()).zip(0..).all(|(ship, row)| {
            board
                .place_ship(Point::new(row, 0), ship, Direction::Horizontal)
                .is_ok()
        })
    }

    fn recommend_attack(&mut self) -> Point {
        let last_row = self.game.rows() - 1;
        let last_col = self.game.cols() - 1;
        self.last = match self.last {
            Point { row, col } if col > 0 => Point::new(row, col - 1),
            Point { row, .. } if row > 0 => Point::new(row - 1, last_col),
            Point { .. } => Point::new(last_row, last_col),
        };
        self.last
    }

    fn record_attack_result(&mut self, _at: Point, _result: AttackResult) {}

    fn record_attack_by_opponent(&mut self, _at: Point) {}
}

#[cfg(test)]
mod tests {

    use super::*;

    fn in_game(game: &Game) -> Awful {
        Awful::new("Olive", game)
    }

    #[test]
    fn ships_lie_at_the_left_edge() {
        let game = Game::standard();
        let mut board = Board::new(&game);
        assert!(in_game(&game).place_ships(&mut board));
        let drawing = "  0123456789
0 AAAAA.....
1 BBBB......
2 DDD.......
3 SSS.......
4 PP........
5 ..........
6 ..........
7 ..........
8 ..........
9 ..........
";
        assert_eq!(board.display(false), drawing);
    }

    #[test]
    fn a_ship_without_room_there_makes_it_fail() {
        let mut game = Game::new(2, 3).unwrap();
        for (length, symbol) in [(1, 'A'), (1, 'B'), (1, 'C')] {
            game.add_ship(length, symbol, "buoy").unwrap();
        }
        assert!(!in_game(&game).place_ships(&mut Board::new(&game)));
    }

    #[test]
    fn ships_apart_lie_at_the_first_free_cells() {
        let game = Game::standard().with_apart(true);
        let mut board = Board::new(&game);
        assert!(in_game(&game).place_ships(&mut board));
        let drawing = board.display(false);
        assert!(drawing.starts_with("  0123456789\n0 AAAAA.BBBB\n1 ..........\n2 DDD.SSS.PP\n"));
    }

    #[test]
    fn shots_go_from_the_last_cell_backwards() {
        let game = Game::new(2, 3).unwrap();
        let mut bot = in_game(&game);
        let shots = [(); 8]
            .map(|()| bot.recommend_attack())
            .map(|at| (at.row, at.col));
        assert_eq!(
            shots,
            [
                (1, 2),
                (1, 1),
                (1, 0),
                (0, 2),
                (0, 1),
                (0, 0),
                (1, 2),
                (1, 1)
            ]
        );
    }
}
