//! A bot on the crate `battleship`, which knows the rules and the protocol: shoots at random, and next to its hits.

use std::process::ExitCode;

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Direction, Game, Player, Point, ShipId, protocol};

struct Hunter {
    game: Game,
    rng: SeededRng,
    untried: Vec<Point>,
    /// On ships still afloat, as far as it knows.
    hits: Vec<Point>,
}

impl Hunter {
    fn new(game: &Game, seed: u64) -> Hunter {
        let (untried, rng) = (game.points().collect(), SeededRng::new(seed));
        Hunter { game: game.clone(), rng, untried, hits: Vec::new() }
    }
}

impl Player for Hunter {
    fn name(&self) -> &'static str {
        "hunter"
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        (0..1000).any(|_| {
            board.clear();
            (0..self.game.n_ships()).all(|ship| self.place_ship(ship, board))
        })
    }

    fn recommend_attack(&mut self) -> Point {
        let touches = |cell: &Point| self.hits.iter().any(|hit| distance(*hit, *cell) == 1);
        let near: Vec<Point> = self.untried.iter().copied().filter(touches).collect();
        let targets = if near.is_empty() { &self.untried } else { &near };
        let chosen = self.rng.choose(targets).unwrap_or_default();
        self.untried.retain(|cell| *cell != chosen);
        chosen
    }

    fn record_attack_result(&mut self, at: Point, result: AttackResult) {
        match result {
            AttackResult::Hit => self.hits.push(at),
            AttackResult::Sunk(_) => self.hits.clear(),
            AttackResult::Miss | AttackResult::Wasted => {}
        }
    }

    fn record_attack_by_opponent(&mut self, _at: Point) {}
}

impl Hunter {
    /// Puts a ship at some place with room for it; false if many guesses find none.
    fn place_ship(&mut self, ship: ShipId, board: &mut Board<'_>) -> bool {
        (0..200).any(|_| {
            let direction =
                if self.rng.coin() { Direction::Horizontal } else { Direction::Vertical };
            let start = self.game.random_point(&mut self.rng);
            board.place_ship(start, ship, direction).is_ok()
        })
    }
}

/// Steps from one cell to the other.
fn distance(one: Point, other: Point) -> u32 {
    one.row.abs_diff(other.row) + one.col.abs_diff(other.col)
}

fn main() -> ExitCode {
    protocol::play_on_stdio("hunter", |game, seed| Box::new(Hunter::new(game, seed)))
}
