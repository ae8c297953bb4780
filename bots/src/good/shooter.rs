//! Where to shoot.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, CellSet, Game, Point};

use super::chain::sample;
use super::count::count;
use super::grid::{SIZE, index, row_and_col};
use super::lines::Lines;
use super::opponent::Memory;
use super::posterior::{Fleet, Posterior};
use super::prior::Prior;
use super::rollout::Guesses;
use super::sight::Sight;

/// How good a player thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thinking {
    /// The steps that a count may take; beyond them it gives way to sampling.
    steps: f64,
    /// On how many fleets the best cells are tried out; 0 for not at all.
    fleets: usize,
    /// Whether it says what it thinks.
    pub(super) explains: bool,
}

impl Thinking {
    /// As much thinking as takes up to that time for a move on a usual machine. It is measured in steps, not by a clock,
    /// so that the same seed gives the same play on every machine.
    #[must_use]
    pub fn for_milliseconds(budget: u32) -> Thinking {
        Thinking {
            steps: 250.0 * f64::from(budget),
            fleets: usize::try_from(budget).unwrap_or(usize::MAX).saturating_mul(30).min(100_000),
            explains: false,
        }
    }

    /// The same, saying on standard error before each attack what it thinks.
    #[must_use]
    pub const fn explained(self) -> Thinking {
        Thinking { explains: true, ..self }
    }

    /// So little thinking for a move and no cells tried out: always the cell that is most likely to hit.
    pub(super) fn counting_for_milliseconds(budget: u32) -> Thinking {
        Thinking { fleets: 0, ..Thinking::for_milliseconds(budget) }
    }

    /// Only the exact count, and always the cell that is most likely to hit.
    #[must_use]
    pub const fn greedy() -> Thinking {
        Thinking { steps: f64::INFINITY, fleets: 0, explains: false }
    }
}

impl Default for Thinking {
    /// 100 milliseconds.
    fn default() -> Thinking {
        Thinking::for_milliseconds(100)
    }
}

/// The number of cells that are tried out.
const CANDIDATES: usize = 8;
/// Cells that are less likely to hit than this share of the best are not tried out.
const WORTH_A_TRY: f64 = 0.6;
/// The share of the steps of a count that a sample may take: more of them hardly make it better.
const SAMPLING: f64 = 0.25;
/// Chances that differ by less are the same: sums of many numbers are off by a little.
const SAME: f64 = 1e-9;

/// How a player came to its chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Method {
    /// All fleets were counted; this many (weighed, if some are likelier than others).
    Counted(f64),
    /// Too many to count: a sample.
    Sampled,
    /// Each ship on its own, since no fleet is known that agrees with what was seen.
    Alone,
}

/// What a player knows and believes before an attack.
#[derive(Clone, Debug)]
pub(super) struct Chances {
    pub(super) method: Method,
    /// By ship id: how likely each place is.
    pub(super) places: Vec<Lines>,
    /// By cell, 10 r + c: how likely a shot is to hit; 0 for those attacked.
    pub(super) cells: [f64; SIZE * SIZE],
}

/// A cell that was tried out, and how many attacks the rest of the game took from it, on average.
pub(super) type Trial = (Point, f64);

/// Watches one opponent's board and decides where to attack it. What it decides depends on what it has seen and on its
/// seed; where it has to sample, on its earlier decisions too.
#[derive(Clone, Debug)]
pub struct Shooter {
    pub(super) sight: Sight,
    prior: Prior,
    thinking: Thinking,
    seed: u64,
    /// Where the chain of samples ended at the last move.
    chain: Option<Fleet>,
}

/// A cell to attack, and why.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) point: Point,
    pub(super) chances: Chances,
    pub(super) trials: Vec<Trial>,
}

impl Shooter {
    /// A shooter at an opponent of which that is remembered.
    #[must_use]
    pub fn at(game: &Game, memory: &mut Memory, thinking: Thinking, seed: u64) -> Shooter {
        Shooter::new(game, memory.prior(game), thinking, seed)
    }

    /// A shooter at an opponent all whose fleets are equally likely.
    #[must_use]
    pub fn at_random_fleets(game: &Game, thinking: Thinking, seed: u64) -> Shooter {
        Shooter::new(game, Prior::uniform(game), thinking, seed)
    }

    fn new(game: &Game, prior: Prior, thinking: Thinking, seed: u64) -> Shooter {
        Shooter { sight: Sight::new(game), prior, thinking, seed, chain: None }
    }

    /// Takes note of the result of an attack.
    pub fn record(&mut self, at: Point, result: AttackResult) {
        self.sight.record(at, result);
    }

    /// Returns the cell to attack next, or `None` if all cells were attacked.
    #[must_use]
    pub fn target(&mut self) -> Option<Point> {
        self.choose().map(|choice| choice.point)
    }

    /// Returns how many fleets agree with what was seen (weighed, if some are likelier than others), or `None` if they
    /// are too many to count.
    #[must_use]
    pub fn fleets(&mut self) -> Option<f64> {
        match self.chances(&mut self.rng()).0.method {
            Method::Counted(total) => Some(total),
            Method::Sampled | Method::Alone => None,
        }
    }

    /// Returns how likely a shot at each cell is to hit, by [`index`]; 0 for those attacked.
    pub(super) fn cells(&mut self) -> [f64; SIZE * SIZE] {
        let mut rng = self.rng();
        self.chances(&mut rng).0.cells
    }

    /// Random numbers that belong to what was seen.
    fn rng(&self) -> SeededRng {
        let [low, high] = halves(self.sight.misses);
        let [hits_low, hits_high] = halves(self.sight.hits);
        // Where the halves overlap two sights may have the same numbers, which does no harm.
        SeededRng::keyed([self.seed, low, high ^ hits_high.rotate_left(32), hits_low])
    }

    /// Returns the cell to attack and the reasons, or `None` if all cells were attacked.
    pub(super) fn choose(&mut self) -> Option<Choice> {
        let mut rng = self.rng();
        let (chances, posterior) = self.chances(&mut rng);
        let chance = |point: Point| chances.cells[index(point)];
        let mut points: Vec<Point> = self.sight.untried().into_iter().collect();
        // Of cells that are equally likely any may be the first: a fixed order would let opponents place where good comes
        // last.
        rng.shuffle(&mut points);
        points.sort_by(|one, other| {
            let [one, other] = [one, other].map(|point| (chance(*point) / SAME).round());
            other.total_cmp(&one)
        });
        let first = *points.first()?;
        let best = chance(first);
        // A sure hit is never worse than another attack, so it needs no trials.
        let is_open = best < 1.0 - SAME && self.thinking.fleets > 0;
        let guesses =
            posterior.filter(|_| is_open).and_then(|found| self.guesses(&found, &mut rng));
        let mut trials = Vec::new();
        if let Some(guesses) = guesses {
            points.truncate(CANDIDATES);
            points.retain(|point| chance(*point) >= WORTH_A_TRY * best);
            trials = guesses.try_out(&points, self.sight.untried());
        }
        let fewest = |one: &&Trial, other: &&Trial| one.1.total_cmp(&other.1);
        let point = trials.iter().min_by(fewest).map_or(first, |(point, _)| *point);
        Some(Choice { point, chances, trials })
    }

    /// How likely each place and cell is; and the count, if there was one.
    fn chances(&mut self, rng: &mut SeededRng) -> (Chances, Option<Posterior>) {
        let ships = 0..self.prior.ships.len();
        // The exact count if it is quick enough, else a sample, else each ship alone: a referee that contradicts itself
        // leaves no fleet to count, and the game still needs an attack.
        let counted = count(&self.sight, &self.prior, self.thinking.steps);
        let found = |posterior: &Posterior| posterior.total > 0.0;
        if let Some((posterior, _)) = counted {
            if found(&posterior) {
                let places = ships.map(|ship| posterior.places_of(ship)).collect();
                let method = Method::Counted(posterior.total);
                return (self.with_cells(method, places), Some(posterior));
            }
        } else {
            let steps = SAMPLING * self.thinking.steps;
            let sampled = sample(&self.sight, &self.prior, &mut self.chain, steps, rng);
            if let Some(places) = sampled {
                return (self.with_cells(Method::Sampled, places), None);
            }
        }
        let places = ships.map(|ship| self.alone(ship)).collect();
        (self.with_cells(Method::Alone, places), None)
    }

    /// How likely each place of a ship is without regard to the other ships: the more hits it lies on, the likelier.
    fn alone(&self, ship: usize) -> Lines {
        let (length, table) = self.prior.ships[ship];
        let mut lines = Lines::ZERO;
        for (line, weight) in self.prior.tables[table].nonzero() {
            let cells = line.cells(length);
            if (cells & self.sight.misses).is_empty() {
                let hits = i32::try_from((cells & self.sight.hits).len()).expect("at most 10");
                lines.set(line, weight * 20_f64.powi(hits));
            }
        }
        lines.shares()
    }

    fn with_cells(&self, method: Method, places: Vec<Lines>) -> Chances {
        let mut cells = [0.0; SIZE * SIZE];
        for ((ship, places), (length, _)) in places.iter().enumerate().zip(&self.prior.ships) {
            if self.sight.is_afloat(ship) {
                let covered = places.over_cells(*length);
                for point in self.sight.untried() {
                    let (row, col) = row_and_col(point);
                    cells[index(point)] += covered[row][col];
                }
            }
        }
        Chances { method, places, cells }
    }

    /// Fleets to try cells out on.
    fn guesses(&self, posterior: &Posterior, rng: &mut SeededRng) -> Option<Guesses> {
        let fleets = posterior.spread(self.thinking.fleets, rng);
        (!fleets.is_empty()).then(|| Guesses::new(&fleets, self.sight.untried(), &self.prior.ships))
    }

    /// Returns how likely each place of each ship is at the end of the game, or `None` if no attack was made.
    pub(super) fn places_in_the_end(&mut self) -> Option<Vec<Lines>> {
        if self.sight.attacked().is_empty() {
            return None;
        }
        let (chances, _) = self.chances(&mut self.rng());
        (chances.method != Method::Alone).then_some(chances.places)
    }
}

/// The cells of a set as two numbers.
fn halves(cells: CellSet) -> [u64; 2] {
    let half = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).expect("64 bits are left");
    [half(cells.bits()), half(cells.bits() >> 64)]
}
