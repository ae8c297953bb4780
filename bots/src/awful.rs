use battleship::{AttackResult, Board, Direction, Game, Player, Point};

/// Plays legally, but very stupidly: places its ships one below the other at the left edge, and shoots from the
/// last cell backwards, whatever the results are.
#[derive(Debug)]
pub struct AwfulPlayer {
    name: String,
    game: Game,
    last: Point,
}

impl AwfulPlayer {
    /// A player called `name` for `game`. It needs no seed: it always plays the same.
    #[must_use]
    pub fn new(name: &str, game: &Game) -> AwfulPlayer {
        AwfulPlayer { name: name.to_owned(), game: game.clone(), last: Point::new(0, 0) }
    }
}

impl Player for AwfulPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        (0..self.game.n_ships()).zip(0..).all(|(ship, row)| {
            board.place_ship(Point::new(row, 0), ship, Direction::Horizontal).is_ok()
        })
    }

    fn recommend_attack(&mut self) -> Point {
        let last_of = |size: usize| i32::try_from(size).expect("at most 10") - 1;
        let (last_row, last_col) = (last_of(self.game.rows()), last_of(self.game.cols()));
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

    #[test]
    fn ships_lie_one_below_the_other_at_the_left_edge() {
        let game = Game::standard();
        let mut board = Board::new(&game);
        assert!(AwfulPlayer::new("awful", &game).place_ships(&mut board));
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
        assert_eq!(board.display(false).to_string(), drawing);
    }

    #[test]
    fn a_ship_that_does_not_fit_there_makes_it_fail() {
        let mut game = Game::new(2, 3).unwrap();
        for (length, symbol) in [(1, 'A'), (1, 'B'), (1, 'C')] {
            game.add_ship(length, symbol, "buoy").unwrap();
        }
        assert!(!AwfulPlayer::new("awful", &game).place_ships(&mut Board::new(&game)));
    }

    #[test]
    fn it_shoots_from_the_last_cell_to_the_first_and_starts_again() {
        let game = Game::new(2, 3).unwrap();
        let mut player = AwfulPlayer::new("awful", &game);
        let shots = [(); 8].map(|()| player.recommend_attack()).map(|at| (at.row, at.col));
        assert_eq!(shots, [(1, 2), (1, 1), (1, 0), (0, 2), (0, 1), (0, 0), (1, 2), (1, 1)]);
    }
}
