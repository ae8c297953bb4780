//! Players that count the places of single ships, as most strong ones do.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, CellSet, Direction, Game, Point};
use bots::random_fleet;

/// The strategy of a counter.
#[derive(Clone, Copy)]
pub(crate) struct Counting {
    /// The factor by which a place is likelier for each hit that it lies on.
    per_hit: f64,
    /// Whether any of the best cells is attacked, or always the first.
    any_of_best: bool,
    /// The size of random changes to the counts.
    noise: f64,
    /// Whether it attacks only cells of one colour while it searches.
    one_colour: bool,
    /// Whether cells that were hit more often in the games before weigh more.
    learns: bool,
}

const fn counting(
    per_hit: f64,
    any_of_best: bool,
    noise: f64,
    one_colour: bool,
    learns: bool,
) -> Counting {
    Counting {
        per_hit,
        any_of_best,
        noise,
        one_colour,
        learns,
    }
}

/// The kinds of counters, and their names.
pub(crate) const COUNTERS: [(&str, Counting); 6] = [
    ("counter", counting(40.0, false, 0.0, false, false)),
    ("any-of-best", counting(40.0, true, 0.0, false, false)),
    ("weak-hits", counting(4.0, true, 0.0, false, false)),
    ("one-colour", counting(40.0, true, 0.0, true, false)),
    ("noisy", counting(40.0, false, 0.4, false, false)),
    ("learning", counting(40.0, true, 0.0, false, true)),
];

/// Attacks the cell through which most places go that ships afloat can have. Places at random.
pub(crate) struct Counter {
    how: Counting,
    rng: SeededRng,
    untried: CellSet,
    /// Hits on ships afloat.
    hits: CellSet,
    /// By ship id: the places that it can have, none once it is sunk.
    open: Vec<Vec<CellSet>>,
    /// By cell: in how many games it was hit, and the games.
    seen: [f64; 100],
    games: f64,
}

fn index(at: Point) -> usize {
    usize::try_from(10 * at.row + at.col).expect("it attacks the board")
}

impl Counter {
    pub(crate) fn new(how: Counting) -> Counter {
        Counter {
            how,
            rng: SeededRng::default(),
            untried: CellSet::EMPTY,
            hits: CellSet::EMPTY,
            open: Vec::new(),
            seen: [0.0; 100],
            games: -1.0,
        }
    }

    /// Returns the weight of a cell by what was learned: compared with the expected one, which
    /// counts as five games.
    fn learned(&self, cell: usize) -> f64 {
        const EXPECTED: f64 = 0.17;
        if self.how.learns {
            (self.seen[cell] + 5.0 * EXPECTED) / ((self.games + 5.0) * EXPECTED)
        } else {
            1.0
        }
    }
}

impl Bot for Counter {
    fn new_game(&mut self, game: &Game, seed: u64) {
        self.rng = SeededRng::in_domain(seed, 61);
        self.games += 1.0;
        self.untried = game.cells();
        self.hits = CellSet::EMPTY;
        let places = |length: i32| {
            let line = move |at| Direction::BOTH.map(|way| CellSet::line(at, way, length));
            let lines = game.points().flat_map(line).flatten();
            lines.filter(|line| line.is_subset(game.cells())).collect()
        };
        self.open = game
            .ships()
            .iter()
            .map(|ship| places(ship.length))
            .collect();
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        random_fleet(board, &mut self.rng)
    }

    fn attack(&mut self) -> Point {
        let mut counts = [0.0; 100];
        for place in self.open.iter().flatten() {
            let on = (*place & self.hits).len();
            let weight = self.how.per_hit.powi(i32::try_from(on).expect("at most 5"));
            for at in *place & self.untried {
                counts[index(at)] += weight;
            }
        }
        let mut best: Vec<Point> = Vec::new();
        let mut most = -1.0;
        for at in self.untried {
            let is_other = (at.row + at.col) % 2 == 1;
            if self.how.one_colour && self.hits.is_empty() && is_other {
                continue;
            }
            let noise = 1.0 + self.how.noise * (self.rng.unit() - 0.5);
            let count = counts[index(at)] * self.learned(index(at)) * noise;
            if count > most {
                most = count;
                best.clear();
            }
            if count >= most {
                best.push(at);
            }
        }
        let any = if self.how.any_of_best {
            self.rng.choose(&best)
        } else {
            best.first().copied()
        };
        any.or(self.untried.first()).unwrap_or(Point::new(0, 0))
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        self.untried.remove(at);
        let mut gone = CellSet::EMPTY;
        match result {
            AttackResult::Miss => gone = at.into(),
            AttackResult::Hit => self.hits.insert(at),
            AttackResult::Sunk(ship) => {
                self.hits.insert(at);
                let places = std::mem::take(&mut self.open[ship]);
                let is_it = |place: &CellSet| place.contains(at) && place.is_subset(self.hits);
                // An earlier ship may have been taken to lie where this one does.
                gone = places.into_iter().find(is_it).unwrap_or(at.into());
                self.hits -= gone;
            }
            AttackResult::Wasted => {}
        }
        if result != AttackResult::Miss {
            self.seen[index(at)] += 1.0;
        }
        for places in &mut self.open {
            places.retain(|place| (*place & gone).is_empty());
        }
    }
}
