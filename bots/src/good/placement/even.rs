//! Weights with which drawn fleets cover all cells of a board equally often.

use battleship::{CellSet, Game, Point};

use super::fleets::Fleet;
use crate::good::cells::{SIZE, index, real};

/// Classes of cells of the largest board, some of which may be empty.
const CLASSES: usize = 25;
/// Rounds of the fit, and the part of a step that is taken in each: fleets have many cells, whose steps add up.
const ROUNDS: usize = 25;
const STEP: f64 = 0.4;
/// How much a cell may count for or against a fleet. On small boards no weights cover all cells equally often.
const MOST: f64 = 3.0;

/// The cells of a board, those together that a reflection or rotation of the board takes to each other.
#[derive(Debug)]
pub(super) struct Classes {
    /// By class, its cells.
    cells: [CellSet; CLASSES],
    /// The number of all cells.
    n_cells: usize,
}

impl Classes {
    pub(super) fn new(game: &Game) -> Classes {
        let (rows, cols) = (game.rows(), game.cols());
        let mut cells = [CellSet::EMPTY; CLASSES];
        for point in game.points() {
            let (row, col) =
                (point.row.min(rows - 1 - point.row), point.col.min(cols - 1 - point.col));
            let folded = if rows == cols { (row.min(col), row.max(col)) } else { (row, col) };
            let number = index(Point::new(folded.0, folded.1));
            cells[number / SIZE * (SIZE / 2) + number % SIZE].insert(point);
        }
        Classes { cells, n_cells: game.cells().len() }
    }

    /// Returns how likely to choose each fleet, so that all classes of cells are covered equally often, as far as these
    /// fleets can: the weights of most entropy that do, exp(sum of a number over the cells of the fleet), by iterative
    /// scaling (Darroch and Ratcliff, 1972).
    pub(super) fn even_shares(&self, fleets: &[Fleet]) -> Vec<f64> {
        let used: Vec<&CellSet> = self.cells.iter().filter(|cells| !cells.is_empty()).collect();
        let covered = |fleet: &Fleet| -> Vec<f64> {
            let all: CellSet = fleet.ships().collect();
            used.iter().map(|cells| real((all & **cells).len())).collect()
        };
        let covered: Vec<Vec<f64>> = fleets.iter().map(covered).collect();
        // A class's part of the cells, times the cells of a fleet, which are the same number for all.
        let of_fleet: f64 = covered.first().map_or(0.0, |covered| covered.iter().sum());
        let wanted: Vec<f64> =
            used.iter().map(|cells| of_fleet * real(cells.len()) / real(self.n_cells)).collect();
        let mut tilts = vec![0.0; used.len()];
        let mut shares = shares_of(&covered, &tilts);
        for _ in 0..ROUNDS {
            for (class, tilt) in tilts.iter_mut().enumerate() {
                let found: f64 = covered
                    .iter()
                    .zip(&shares)
                    .map(|(covered, share)| covered[class] * share)
                    .sum();
                let change = libm::log(wanted[class] / found.max(f64::MIN_POSITIVE));
                *tilt = (*tilt + STEP * change).clamp(-MOST, MOST);
            }
            shares = shares_of(&covered, &tilts);
        }
        shares
    }
}

/// How likely each fleet is that covers so many cells of each class, if each counts as `tilts` says.
fn shares_of(covered: &[Vec<f64>], tilts: &[f64]) -> Vec<f64> {
    let sum = |covered: &Vec<f64>| covered.iter().zip(tilts).map(|(n, tilt)| n * tilt).sum::<f64>();
    let sums: Vec<f64> = covered.iter().map(sum).collect();
    // Less the largest, so that no power is too large for a number.
    let largest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = sums.iter().map(|sum| libm::exp(sum - largest)).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}
