//! What the count found: how likely each place is, and fleets to try things on.

use battleship::CellSet;
use battleship::seeded::SeededRng;

use super::class::Class;
use super::grid::real;
use super::lines::{Line, Lines};

/// All fleets that agree with what was seen, counted (or weighed).
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    /// The sum over all such fleets: their number, if all fleets are equally likely.
    pub(super) total: f64,
    classes: Vec<Class>,
    /// By class: the sum over the fleets with a ship of it at a place, by place.
    sums: Vec<Lines>,
    leaves: Vec<Leaf>,
    n_ships: usize,
}

/// A whole fleet: the cells of each ship, by id.
pub(super) type Fleet = Vec<CellSet>;

/// A way to cover all hits: by ships of those classes at those places, with so many of each class left in open water.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) placed: Vec<(usize, Line)>,
    pub(super) left: Vec<usize>,
    /// The sum over all fleets that cover the hits in this way.
    pub(super) weight: f64,
}

impl Posterior {
    pub(super) const fn new(
        total: f64,
        classes: Vec<Class>,
        sums: Vec<Lines>,
        leaves: Vec<Leaf>,
        n_ships: usize,
    ) -> Posterior {
        Posterior { total, classes, sums, leaves, n_ships }
    }

    /// How likely each place of the ship with this id is. They add up to 1.
    pub(super) fn places_of(&self, ship: usize) -> Lines {
        let mut lines = Lines::ZERO;
        for (class, sums) in self.classes.iter().zip(&self.sums) {
            if class.ships.contains(&ship) {
                lines.add_scaled(1.0 / (self.total * real(class.ships.len())), sums);
            }
        }
        lines
    }

    /// Draws `many` fleets, each as likely as it is, independently of each other; fewer, if too many draws fail because
    /// ships are in each other's way.
    pub(super) fn draw(&self, many: usize, rng: &mut SeededRng) -> Vec<Fleet> {
        let urns: Vec<Urn> = self.classes.iter().map(Urn::of).collect();
        let mut sum = 0.0;
        let up_to = |leaf: &Leaf| {
            sum += leaf.weight;
            sum
        };
        let sums: Vec<f64> = self.leaves.iter().map(up_to).collect();
        let draw_one = |_| {
            let leaf = &self.leaves[pick(&sums, rng)?];
            // The leaf is kept until a draw succeeds: its weight counts the fleets without collisions.
            (0..100).find_map(|_| leaf.fill(self, &urns, rng))
        };
        (0..many).filter_map(draw_one).collect()
    }

    /// As many fleets as [`Posterior::draw`] gives, but if there are no more than that to choose from each of them just as
    /// often as it is likely, rounded.
    pub(super) fn spread(&self, many: usize, rng: &mut SeededRng) -> Vec<Fleet> {
        let Some(all) = self.all(many) else { return self.draw(many, rng) };
        // One random offset for all (systematic sampling): each fleet comes up as often as it is likely, rounded up or
        // down, which spreads the sample better than independent draws.
        let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
        let (mut reached, mut taken) = (rng.unit(), 0.0);
        let mut fleets = Vec::with_capacity(many);
        for (fleet, weight) in all {
            reached += weight / sum * real(many);
            while taken + 1.0 <= reached {
                taken += 1.0;
                fleets.push(fleet.clone());
            }
        }
        fleets
    }

    /// All fleets and what they weigh, if there are at most `limit`. Those that differ only in which of two ships that
    /// cannot be told apart is which are one.
    pub(super) fn all(&self, limit: usize) -> Option<Vec<(Fleet, f64)>> {
        let urns: Vec<Urn> = self.classes.iter().map(Urn::of).collect();
        let mut all = All { urns: &urns, limit, fleets: Vec::new() };
        for leaf in &self.leaves {
            let fleet = leaf.covering(self)?;
            let ships = |(class, many): (usize, &usize)| std::iter::repeat_n(class, *many);
            let rest: Vec<usize> = leaf.left.iter().enumerate().flat_map(ships).collect();
            let first = all.fleets.len();
            if !self.fill_all(&rest, 0, &(fleet, 1.0), &mut all) {
                return None;
            }
            // The ships that cover the hits are the same in all fleets of the leaf.
            let fleets = &mut all.fleets[first..];
            let sum: f64 = fleets.iter().map(|(_, weight)| weight).sum();
            for (_, weight) in fleets {
                *weight *= leaf.weight / sum;
            }
        }
        Some(all.fleets)
    }

    /// Adds all fleets that are `fleet` with ships of the classes `rest` in open water, the first of them from its place
    /// `from` on. Returns `false` if they are too many.
    fn fill_all(
        &self,
        rest: &[usize],
        from: usize,
        (fleet, weight): &(Fleet, f64),
        all: &mut All<'_>,
    ) -> bool {
        let [class, rest @ ..] = rest else {
            all.fleets.push((fleet.clone(), *weight));
            return all.fleets.len() <= all.limit;
        };
        let taken: CellSet = fleet.iter().copied().collect();
        let places = all.urns[*class].places().enumerate().skip(from);
        places.filter(|(_, (cells, _))| (*cells & taken).is_empty()).all(|(index, (cells, of))| {
            let mut fleet = fleet.clone();
            self.add(&mut fleet, *class, cells);
            // Ships of one class are placed in order, or each fleet would be found once for every order of them.
            let from = if rest.first() == Some(class) { index + 1 } else { 0 };
            self.fill_all(rest, from, &(fleet, weight * of), all)
        })
    }

    /// Gives `cells` to any ship of the class that has none: they cannot be told apart.
    fn add(&self, fleet: &mut Fleet, class: usize, cells: CellSet) {
        if let Some(ship) = self.classes[class].ships.iter().find(|ship| fleet[**ship].is_empty()) {
            fleet[*ship] = cells;
        }
    }
}

/// All fleets, as far as they are found.
struct All<'u> {
    urns: &'u [Urn],
    limit: usize,
    fleets: Vec<(Fleet, f64)>,
}

impl Leaf {
    /// The fleet with the ships that cover the hits and no others.
    fn covering(&self, posterior: &Posterior) -> Option<Fleet> {
        let mut fleet = vec![CellSet::EMPTY; posterior.n_ships];
        for (class, line) in &self.placed {
            let cells = line.cells(posterior.classes.get(*class)?.length);
            posterior.add(&mut fleet, *class, cells);
        }
        Some(fleet)
    }

    /// Draws places for the ships in open water, each for itself. Returns `None` if two of them collide.
    fn fill(&self, posterior: &Posterior, urns: &[Urn], rng: &mut SeededRng) -> Option<Fleet> {
        let mut fleet = self.covering(posterior)?;
        let mut taken: CellSet = fleet.iter().copied().collect();
        // Each ship is drawn as if alone, and the fleet is thrown away if two collide: what is left is drawn from the fleets
        // without collisions, each as likely as it should be.
        for (class, many) in self.left.iter().enumerate() {
            for _ in 0..*many {
                let cells = urns[class].draw(rng)?;
                if !(cells & taken).is_empty() {
                    return None;
                }
                taken |= cells;
                posterior.add(&mut fleet, class, cells);
            }
        }
        Some(fleet)
    }
}

/// The places of a class in open water, to draw from.
struct Urn {
    cells: Vec<CellSet>,
    weights: Vec<f64>,
    /// The sums of their weights up to each.
    sums: Vec<f64>,
}

impl Urn {
    fn of(class: &Class) -> Urn {
        let (mut cells, mut weights, mut sums, mut sum) = (Vec::new(), Vec::new(), Vec::new(), 0.0);
        for (line, weight) in class.free.nonzero() {
            sum += weight;
            cells.push(line.cells(class.length));
            weights.push(weight);
            sums.push(sum);
        }
        Urn { cells, weights, sums }
    }

    fn places(&self) -> impl Iterator<Item = (CellSet, f64)> {
        self.cells.iter().copied().zip(self.weights.iter().copied())
    }

    fn draw(&self, rng: &mut SeededRng) -> Option<CellSet> {
        self.cells.get(pick(&self.sums, rng)?).copied()
    }
}

/// Draws an index, each as likely as its sum exceeds the one before. Returns `None` if there is none.
fn pick(sums: &[f64], rng: &mut SeededRng) -> Option<usize> {
    let share = rng.unit() * sums.last()?;
    Some(sums.partition_point(|sum| *sum <= share).min(sums.len() - 1))
}
