//! The exact count of all fleets that agree with what was seen, each as likely as any: too slow for play, it is what the sample
//! of `good` is compared with by the unit tests of this crate and by the bench `strength`. Both include this folder with `cells`
//! and `sight` of `good` beside it.

mod class;
mod count;
mod grid;
mod lines;
mod posterior;
mod prior;
mod tail;
#[cfg(test)]
mod tests;

use battleship::{AttackResult, Game, Point};

use super::cells::{ByCell, SIZE, index, row_and_col};
use super::sight::Sight;
use count::count;
use posterior::Posterior;
use prior::Prior;

/// Watches one opponent's board and always attacks the cell that most of all possible fleets have.
#[derive(Clone, Debug)]
pub(crate) struct Greedy {
    sight: Sight,
    prior: Prior,
    seed: u64,
}

impl Greedy {
    /// A shooter that takes all fleets of `game` for equally likely. The seed chooses among cells that are.
    pub(crate) fn new(game: &Game, seed: u64) -> Greedy {
        Greedy {
            sight: Sight::new(game),
            prior: Prior::uniform(game),
            seed,
        }
    }

    /// Takes note of the result of an attack.
    pub(crate) fn record(&mut self, at: Point, result: AttackResult) {
        self.sight.record(at, result);
    }

    /// Returns how many fleets agree with what was seen: a whole number, exact up to 2^53.
    pub(crate) fn fleets(&self) -> f64 {
        self.count().map_or(0.0, |posterior| posterior.total)
    }

    /// Returns the cell to attack next, or `None` if all cells were attacked or no fleet agrees with what was seen.
    pub(crate) fn target(&self) -> Option<Point> {
        let cells = self.chances()?;
        let mut points: Vec<Point> = self.sight.untried().into_iter().collect();
        self.sight.rng(self.seed).shuffle(&mut points);
        // Sums of many numbers are off by a little.
        let chance = |point: &Point| (cells[index(*point)] / 1e-9).round();
        points
            .into_iter()
            .min_by(|one, other| chance(other).total_cmp(&chance(one)))
    }

    /// Returns how likely a shot at each cell is to hit, 0 for those attacked; `None` if no fleet agrees with what was seen.
    pub(crate) fn chances(&self) -> Option<ByCell> {
        let posterior = self.count()?;
        let mut cells = [0.0; SIZE * SIZE];
        for (ship, (length, _)) in self.prior.ships.iter().enumerate() {
            if self.sight.is_afloat(ship) {
                let covered = posterior.places_of(ship).over_cells(*length);
                for point in self.sight.untried() {
                    let (row, col) = row_and_col(point);
                    cells[index(point)] += covered[row][col];
                }
            }
        }
        Some(cells)
    }

    fn count(&self) -> Option<Posterior> {
        let posterior = count(&self.sight, &self.prior);
        (posterior.total > 0.0).then_some(posterior)
    }
}
