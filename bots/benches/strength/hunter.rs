//! A sparring partner of a kind that many students write.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, CellSet, Direction, Game, Point};
use bots::random_fleet;

/// Places at random. Hunts at random on the cells of one colour of the chessboard; shoots around a
/// hit, and at the ends of a line of hits.
#[derive(Default)]
pub(crate) struct ParityHunter {
    game: Game,
    rng: SeededRng,
    tried: CellSet,
    /// Hits on ships that are afloat, as far as it knows.
    hits: CellSet,
}

impl ParityHunter {
    /// Those of `points` that were not attacked, in their order; a point that comes twice is chosen
    /// twice as often.
    fn untried(&self, points: impl IntoIterator<Item = Point>) -> Vec<Point> {
        let open = self.game.cells() - self.tried;
        points
            .into_iter()
            .filter(|point| open.contains(*point))
            .collect()
    }

    /// The first cells beyond the hits in both directions from each hit, or only along lines of
    /// hits.
    fn ends(&self, only_lines: bool) -> Vec<Point> {
        let mut ends = Vec::new();
        for hit in self.hits {
            for direction in Direction::BOTH {
                let near = [-1, 1].map(|step| hit.step(direction, step));
                if only_lines && !near.iter().any(|point| self.hits.contains(*point)) {
                    continue;
                }
                ends.extend([-1, 1].map(|step| {
                    let mut end = hit;
                    while self.hits.contains(end) {
                        end = end.step(direction, step);
                    }
                    end
                }));
            }
        }
        ends
    }

    /// Takes the sunk ship off the hits: the line of its length that ends at `at`.
    fn bury(&mut self, at: Point, length: i32) {
        for direction in Direction::BOTH {
            for back in 0..length {
                let line = CellSet::line(at.step(direction, -back), direction, length);
                if let Some(line) = line.filter(|line| line.is_subset(self.hits)) {
                    self.hits -= line;
                    return;
                }
            }
        }
    }
}

impl Bot for ParityHunter {
    fn new_game(&mut self, game: &Game, seed: u64) {
        let rng = SeededRng::in_domain(seed, 7);
        *self = ParityHunter {
            game: game.clone(),
            rng,
            ..ParityHunter::default()
        };
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        random_fleet(board, &mut self.rng)
    }

    fn attack(&mut self) -> Point {
        let one_colour = self
            .game
            .points()
            .filter(|point| (point.row + point.col) % 2 == 0);
        let choices = [
            self.untried(self.ends(true)),
            self.untried(self.ends(false)),
            self.untried(one_colour),
            self.untried(self.game.points()),
        ];
        let choices = choices
            .into_iter()
            .find(|points| !points.is_empty())
            .unwrap_or_default();
        self.rng.choose(&choices).unwrap_or(Point::new(0, 0))
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        self.tried.insert(at);
        match result {
            AttackResult::Hit => self.hits.insert(at),
            AttackResult::Sunk(ship) => {
                self.hits.insert(at);
                self.bury(at, self.game.ship_length(ship));
            }
            AttackResult::Miss | AttackResult::Wasted => {}
        }
    }
}
