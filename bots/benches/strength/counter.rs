//! Players that count the places of single ships, as most strong ones do.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, Game, Point};
use battleship_bots::random_fleet;

use crate::fleets::{PLACES, indices};

/// The strategy of a counter.
#[derive(Clone, Copy)]
pub(crate) struct Counting {
    /// The factor by which a place is likelier for each hit that it lies on.
    pub(crate) per_hit: f64,
    /// Whether any of the best cells is attacked, or always the first.
    pub(crate) any_of_best: bool,
    /// The size of random changes to the counts.
    pub(crate) noise: f64,
    /// Whether it attacks only cells of one colour while it searches.
    pub(crate) one_colour: bool,
    /// The weight of a cell that was hit in as many games as expected; 0 if it does not learn.
    pub(crate) learning: f64,
}

/// The kinds of counters, and their names.
pub(crate) const COUNTERS: [(&str, Counting); 6] = {
    let counting = Counting {
        per_hit: 40.0,
        any_of_best: false,
        noise: 0.0,
        one_colour: false,
        learning: 0.0,
    };
    [
        ("counter", counting),
        (
            "any-of-best",
            Counting {
                any_of_best: true,
                ..counting
            },
        ),
        (
            "weak-hits",
            Counting {
                per_hit: 4.0,
                any_of_best: true,
                ..counting
            },
        ),
        (
            "one-colour",
            Counting {
                one_colour: true,
                any_of_best: true,
                ..counting
            },
        ),
        (
            "noisy",
            Counting {
                noise: 0.4,
                ..counting
            },
        ),
        (
            "learning",
            Counting {
                learning: 1.0,
                any_of_best: true,
                ..counting
            },
        ),
    ]
};

/// Attacks the cell through which most places go that ships afloat can have. Places at random.
pub(crate) struct Counter {
    how: Counting,
    rng: SeededRng,
    untried: u128,
    /// Hits on ships afloat.
    hits: u128,
    /// By ship afloat: the places that it can have.
    open: Vec<(usize, Vec<u128>)>,
    /// By cell: in how many games it was hit, and the games.
    seen: [f64; 100],
    games: f64,
}

impl Counter {
    pub(crate) fn new(how: Counting) -> Counter {
        Counter {
            how,
            rng: SeededRng::default(),
            untried: 0,
            hits: 0,
            open: Vec::new(),
            seen: [0.0; 100],
            games: 0.0,
        }
    }

    /// Returns the weight of each cell by what was learned: compared with the expected one, which counts as five games.
    fn learned(&self) -> [f64; 100] {
        const DOUBT: f64 = 5.0;
        const EXPECTED: f64 = 0.17;
        self.seen.map(|seen| {
            let ratio = (seen + DOUBT * EXPECTED) / ((self.games + DOUBT) * EXPECTED);
            ratio.powf(self.how.learning)
        })
    }
}

impl Bot for Counter {
    fn new_game(&mut self, _: &Game, seed: u64) {
        self.rng = SeededRng::in_domain(seed, 61);
        self.games += f64::from(u8::from(self.untried != 0));
        self.untried = (1 << 100) - 1;
        self.hits = 0;
        self.open = PLACES.iter().cloned().enumerate().collect();
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        random_fleet(board, &mut self.rng)
    }

    fn attack(&mut self) -> Point {
        let learned = self.learned();
        let mut counts = [0.0; 100];
        for (_, places) in &self.open {
            for place in places {
                let on = (place & self.hits).count_ones();
                let weight = self.how.per_hit.powi(i32::try_from(on).expect("at most 5"));
                indices(place & self.untried).for_each(|cell| counts[cell] += weight);
            }
        }
        let mut best: Vec<usize> = Vec::new();
        let mut most = -1.0;
        for cell in indices(self.untried) {
            let is_other = (cell / 10 + cell % 10) % 2 == 1;
            if self.how.one_colour && self.hits == 0 && is_other {
                continue;
            }
            let noise = 1.0 + self.how.noise * (self.rng.unit() - 0.5);
            let count = counts[cell] * learned[cell] * noise;
            if count > most {
                most = count;
                best.clear();
            }
            if count >= most {
                best.push(cell);
            }
        }
        let first = best.first().copied();
        let any = if self.how.any_of_best {
            self.rng.choose(&best)
        } else {
            first
        };
        let cell = any.or_else(|| indices(self.untried).next()).unwrap_or(0);
        let cell = i32::try_from(cell).expect("at most 99");
        Point::new(cell / 10, cell % 10)
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        let cell = usize::try_from(10 * at.row + at.col).expect("it attacks the board");
        let bit = 1 << cell;
        self.untried &= !bit;
        let mut gone = 0;
        match result {
            AttackResult::Miss => gone = bit,
            AttackResult::Hit => self.hits |= bit,
            AttackResult::Sunk(ship) => {
                self.hits |= bit;
                let of_ship = |place: &&u128| *place & bit != 0 && *place & !self.hits == 0;
                // An earlier ship may have been taken to lie where this one does.
                gone = PLACES[ship].iter().find(of_ship).copied().unwrap_or(bit);
                self.hits &= !gone;
                self.open.retain(|(other, _)| *other != ship);
            }
            AttackResult::Wasted => {}
        }
        if result != AttackResult::Miss {
            self.seen[cell] += 1.0;
        }
        for (_, places) in &mut self.open {
            places.retain(|place| place & gone == 0);
        }
    }
}
