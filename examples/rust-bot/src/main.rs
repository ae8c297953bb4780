//! A bot on the crate `battleship`, which knows the rules and the protocol: shoots at random, and
//! next to its hits.

use std::process::ExitCode;

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, CellSet, Direction, Game, Point, Program, ShipId};

#[derive(Default)]
struct Hunter {
    rng: SeededRng,
    untried: CellSet,
    /// On ships still afloat, as far as it knows.
    hits: CellSet,
}

impl Bot for Hunter {
    fn new_game(&mut self, game: &Game, seed: u64) {
        let (rng, untried) = (SeededRng::new(seed), game.cells());
        *self = Hunter {
            rng,
            untried,
            hits: CellSet::EMPTY,
        };
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        (0..1000).any(|_| {
            board.clear();
            (0..board.game().n_ships()).all(|ship| self.place_ship(ship, board))
        })
    }

    fn attack(&mut self) -> Point {
        let near: CellSet = self.hits.iter().flat_map(neighbours).collect();
        let near = near & self.untried;
        let targets = if near.is_empty() { self.untried } else { near };
        let target = targets.choose(&mut self.rng).unwrap_or_default();
        self.untried.remove(target);
        target
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        match result {
            AttackResult::Hit => self.hits.insert(at),
            AttackResult::Sunk(_) => self.hits = CellSet::EMPTY,
            AttackResult::Miss | AttackResult::Wasted => {}
        }
    }
}

impl Hunter {
    /// Puts a ship at some free place; false if many guesses find none.
    fn place_ship(&mut self, ship: ShipId, board: &mut Board<'_>) -> bool {
        (0..200).any(|_| {
            let direction = if self.rng.coin() {
                Direction::Horizontal
            } else {
                Direction::Vertical
            };
            let start = board.game().random_point(&mut self.rng);
            board.place_ship(start, ship, direction).is_ok()
        })
    }
}

/// The cells beside, above and below a cell, as far as there are any.
fn neighbours(cell: Point) -> impl Iterator<Item = Point> {
    Direction::BOTH
        .into_iter()
        .flat_map(move |direction| [-1, 1].map(|step| cell.step(direction, step)))
}

fn main() -> ExitCode {
    Program::new("hunter")
        .classic(Box::new(Hunter::default()))
        .salvo()
        .run()
}
