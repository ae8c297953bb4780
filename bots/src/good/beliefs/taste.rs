//! A taste for places: a few numbers that say how likely an opponent is to choose a place by what
//! it is like.
//!
//! A place p of ship s is chosen with a probability in proportion to b(s,p) exp(sum of t(f)
//! x(f,p)), with b that of a uniformly random fleet, x(f,p) the place's features and t(f) the taste
//! (a softmax regression). The taste is the one that makes what was seen most likely, held near 0
//! by a normal prior: few features may matter much, single cells only a little, so that they count
//! only after many games.

use battleship::{CellSet, Direction, Game};

use super::super::cells::{SIZE, index};
use super::super::sample::PlaceWeights;
use super::super::yard::{Kind, Yard};
use super::tables::table;

/// The features of a place as a whole: its centre's row and column, both squared, whether it lies
/// along an edge, and its direction.
const WHOLE: usize = 6;
/// After these one for each cell, 1 if the place covers it.
const FEATURES: usize = WHOLE + SIZE * SIZE;
/// The variance of the prior of a feature of the whole place, and of a cell.
const SPREAD: [f64; 2] = [1.0, 0.05];
/// Steps of the ascent after each game. It continues from where it was after the last.
const STEPS: usize = 12;

/// The likes of an opponent for each feature.
#[derive(Clone, Debug)]
pub(super) struct Taste {
    likes: [f64; FEATURES],
    /// By kind and place: its features as a whole.
    whole: Vec<Vec<[f64; WHOLE]>>,
    /// By kind and place: its cells.
    cells: Vec<Vec<Vec<usize>>>,
}

/// The features of the whole place of a ship.
fn whole(game: &Game, kind: &Kind, place: usize) -> [f64; WHOLE] {
    let start = kind.starts[place];
    let reach = f64::from(kind.length - 1) / 2.0;
    let is_across = start.direction == Direction::Horizontal;
    let (down, right) = if is_across {
        (0.0, reach)
    } else {
        (reach, 0.0)
    };
    // From -1 at one edge to 1 at the other.
    let scaled = |at: f64, size: i32| {
        if size > 1 {
            2.0 * at / f64::from(size - 1) - 1.0
        } else {
            0.0
        }
    };
    let row = start.top_or_left.row;
    let col = start.top_or_left.col;
    let y = scaled(f64::from(row) + down, game.rows());
    let x = scaled(f64::from(col) + right, game.cols());
    let (line, last) = if is_across {
        (row, game.rows() - 1)
    } else {
        (col, game.cols() - 1)
    };
    let along_edge = f64::from(u8::from(line == 0 || line == last));
    [
        y,
        x,
        y * y,
        x * x,
        along_edge,
        if is_across { 0.5 } else { -0.5 },
    ]
}

impl Taste {
    /// That of an opponent of whom nothing is known.
    pub(super) fn new(game: &Game, yard: &Yard) -> Taste {
        let whole = |kind: &Kind| {
            (0..kind.len())
                .map(|place| whole(game, kind, place))
                .collect()
        };
        let cells = |kind: &Kind| {
            let of = |cells: &u128| CellSet::from_bits(*cells).iter().map(index).collect();
            kind.cells.iter().map(of).collect()
        };
        Taste {
            likes: [0.0; FEATURES],
            whole: yard.kinds.iter().map(whole).collect(),
            cells: yard.kinds.iter().map(cells).collect(),
        }
    }

    fn liking(&self, kind: usize, place: usize) -> f64 {
        let whole: f64 = self.whole[kind][place]
            .iter()
            .zip(&self.likes)
            .map(|(x, t)| x * t)
            .sum();
        whole
            + self.cells[kind][place]
                .iter()
                .map(|cell| self.likes[WHOLE + cell])
                .sum::<f64>()
    }

    /// Returns the factor of each place against an opponent without a taste.
    pub(super) fn table(&self, yard: &Yard) -> PlaceWeights {
        table(yard, |kind, place| libm::exp(self.liking(kind, place)))
    }

    /// Makes the taste fit what was `seen`: by kind and place, how often. `blank` says how likely a
    /// place is in a random fleet.
    pub(super) fn learn(&mut self, yard: &Yard, seen: &PlaceWeights, blank: &PlaceWeights) {
        for _ in 0..STEPS {
            let mut slope = [0.0; FEATURES];
            let mut curve = [0.0; FEATURES];
            let ratios = self.table(yard);
            for (kind, seen) in seen.iter().enumerate() {
                let games: f64 = seen.iter().sum();
                let chosen = |place: usize| blank[kind][place] * ratios[kind][place];
                let all: f64 = (0..seen.len()).map(chosen).sum();
                for (place, seen) in seen.iter().enumerate() {
                    let expected = games * chosen(place) / all;
                    let surprise = seen - expected;
                    for (index, x) in self.whole[kind][place].into_iter().enumerate() {
                        slope[index] += surprise * x;
                        curve[index] += expected * x * x;
                    }
                    for cell in &self.cells[kind][place] {
                        slope[WHOLE + cell] += surprise;
                        curve[WHOLE + cell] += expected;
                    }
                }
            }
            for (index, taste) in self.likes.iter_mut().enumerate() {
                let spread = SPREAD[usize::from(index >= WHOLE)];
                let slope = slope[index] - *taste / spread;
                // A step of Newton's for each feature alone, shortened since they overlap.
                let step = 0.3 * slope / (curve[index] + 1.0 / spread);
                *taste += step.clamp(-0.5, 0.5);
            }
        }
    }
}
