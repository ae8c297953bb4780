//! A taste for places: a few numbers that say how likely an opponent is to choose a place by what it is like.
//!
//! A place p of ship s is chosen with a probability in proportion to b(s,p) exp(sum of t(f) x(f,p)), with b that of a
//! uniformly random fleet, x(f,p) the place's features and t(f) the taste (a softmax regression). The taste is the one that makes
//! what was seen most likely, held near 0 by a normal prior: few features may matter much, single cells only a little,
//! so that they count only after many games.

use battleship::Game;

use super::grid::{SIZE, index, positive, real};
use super::lines::{Line, Lines};
use super::prior::Prior;

/// The features of a place as a whole: its centre's row and column, both squared, whether it lies along an edge, and its
/// direction.
const WHOLE: usize = 6;
/// After these one for each cell, 1 if the place covers it.
const FEATURES: usize = WHOLE + SIZE * SIZE;
/// The variance of the prior of a feature of the whole place, and of a cell.
const SPREAD: [f64; 2] = [1.0, 0.05];
/// Steps of the ascent after each game. It goes on from where it was after the last.
const STEPS: usize = 12;

/// How much an opponent likes each feature.
#[derive(Clone, Debug)]
pub(super) struct Taste([f64; FEATURES]);

impl Default for Taste {
    fn default() -> Taste {
        Taste([0.0; FEATURES])
    }
}

/// The features of the whole place of a ship.
fn whole(game: &Game, line: Line, length: usize) -> [f64; WHOLE] {
    let (row, col) = line.start();
    let (rows, cols) = (positive(game.rows()), positive(game.cols()));
    let reach = real(length - 1) / 2.0;
    let (down, right) = if line.way == 0 { (0.0, reach) } else { (reach, 0.0) };
    // From -1 at one edge to 1 at the other.
    let scaled =
        |at: f64, size: usize| if size > 1 { 2.0 * at / real(size - 1) - 1.0 } else { 0.0 };
    let (y, x) = (scaled(real(row) + down, rows), scaled(real(col) + right, cols));
    let along_edge =
        if line.way == 0 { row == 0 || row + 1 == rows } else { col == 0 || col + 1 == cols };
    [y, x, y * y, x * x, f64::from(u8::from(along_edge)), if line.way == 0 { 0.5 } else { -0.5 }]
}

impl Taste {
    fn liking(&self, game: &Game, line: Line, length: usize) -> f64 {
        let of_whole: f64 = whole(game, line, length).iter().zip(&self.0).map(|(x, t)| x * t).sum();
        of_whole + cell_numbers(line, length).map(|cell| self.0[WHOLE + cell]).sum::<f64>()
    }

    /// How likely each place of the ship is to be chosen by an opponent of this taste, if one without a taste chooses as `blank` says.
    pub(super) fn shares(&self, game: &Game, length: usize, blank: &Lines) -> Lines {
        let mut chosen = Lines::ZERO;
        for (line, chance) in blank.nonzero() {
            chosen.set(line, chance * libm::exp(self.liking(game, line, length)));
        }
        chosen.shares()
    }

    /// Makes the taste fit what was `seen`: by table of `blank` and place, how often.
    pub(super) fn learn(&mut self, game: &Game, seen: &[Lines], blank: &Prior) {
        for _ in 0..STEPS {
            let (mut slope, mut curve) = ([0.0; FEATURES], [0.0; FEATURES]);
            for (table, (seen, blank_table)) in seen.iter().zip(&blank.tables).enumerate() {
                let length = blank.length(table);
                let (shares, games) = (self.shares(game, length, blank_table), seen.sum());
                for (line, _) in blank_table.nonzero() {
                    let expected = games * shares.get(line);
                    let surprise = seen.get(line) - expected;
                    for (index, x) in whole(game, line, length).into_iter().enumerate() {
                        slope[index] += surprise * x;
                        curve[index] += expected * x * x;
                    }
                    for cell in cell_numbers(line, length) {
                        slope[WHOLE + cell] += surprise;
                        curve[WHOLE + cell] += expected;
                    }
                }
            }
            for (index, taste) in self.0.iter_mut().enumerate() {
                let spread = SPREAD[usize::from(index >= WHOLE)];
                let slope = slope[index] - *taste / spread;
                // A step of Newton's for each feature alone, shortened since they overlap.
                let step = 0.3 * slope / (curve[index] + 1.0 / spread);
                *taste += step.clamp(-0.5, 0.5);
            }
        }
    }
}

/// The cells of a place as 10 r + c.
fn cell_numbers(line: Line, length: usize) -> impl Iterator<Item = usize> {
    line.cells(length).iter().map(index)
}
