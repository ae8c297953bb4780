//! The fault in the attacks of a game.

use std::collections::BTreeSet;

use battleship::{Direction, Point};

use super::boards::{cells, extent, mirror, one_less};

/// The attacks of a bot in one game, and those of them that were wasted.
#[derive(Debug, Default)]
pub(crate) struct Shots {
    size: [i32; 2],
    /// The cells of the board that were attacked.
    tried: BTreeSet<Point>,
    pub(crate) count: usize,
    outside: Vec<Point>,
    repeated: Vec<Point>,
    hits: Vec<Point>,
    /// Whether an attack rules out that the bot swaps rows and columns. A bot that swaps them, and
    /// remembers its attacks, never attacks a cell whose mirror it has attacked while other cells
    /// are left.
    is_unlike_mirrored: bool,
}

/// The fault in a bot's attacks.
#[derive(Debug)]
pub(crate) struct Waste {
    pub(crate) what: String,
    pub(crate) cause: String,
    /// Whether it is an error that every game has, and not a shot wasted now and then.
    pub(crate) systematic: bool,
}

impl Shots {
    pub(crate) fn new(size: [i32; 2]) -> Shots {
        Shots {
            size,
            ..Shots::default()
        }
    }

    pub(crate) fn add(&mut self, at: Point, has_hit: bool) {
        self.count += 1;
        if has_hit {
            self.hits.push(at);
        }
        if !self.is_inside(at) {
            self.outside.push(at);
            return;
        }
        let was_attacked =
            |at: &Point| self.tried.contains(at) || self.tried.contains(&mirror(*at));
        self.is_unlike_mirrored |=
            self.tried.contains(&mirror(at)) && !cells(self.size).all(|at| was_attacked(&at));
        // If every cell was attacked, any attack is a repetition, and the bot is not to blame.
        let all_tried = self.tried.len() == cells(self.size).count();
        if !self.tried.insert(at) && !all_tried {
            self.repeated.push(at);
        }
    }

    fn is_inside(&self, Point { row, col }: Point) -> bool {
        let [rows, cols] = self.size;
        (0..rows).contains(&row) && (0..cols).contains(&col)
    }

    /// Returns the fault in the attacks so far, if there is one.
    pub(crate) fn waste(&self) -> Option<Waste> {
        let extent = extent(self.size);
        let count = self.count;
        if let Some(at) = self.outside.first() {
            let outside = self.outside.len();
            let what = format!(
                "attacked {at}, outside the board of {extent}; {outside} of its {count} attacks went outside"
            );
            let is_swapped = self.are_swapped();
            let systematic = is_swapped || self.count_from_one();
            let cause = if is_swapped {
                "Row and column are the wrong way round: the row comes first.".to_owned()
            } else if systematic {
                "It counts from 1: rows and columns count from 0.".to_owned()
            } else if let Some(cause) = self.why_beside_hits() {
                cause.to_owned()
            } else {
                format!(
                    "The board is {extent} in this game, as its `game` line says; the size is not always 10x10, and rows and columns count from 0."
                )
            };
            return Some(Waste {
                what,
                cause,
                systematic,
            });
        }
        let at = self.repeated.first()?;
        Some(Waste {
            what: format!(
                "repeats its shots: it attacked {at} again while other cells were untried, as in {} of its {count} attacks",
                self.repeated.len()
            ),
            cause: self.why_repeated(),
            systematic: false,
        })
    }

    fn why_repeated(&self) -> String {
        let no_set = "It does not remember the cells that it has attacked. Keep a set of the cells not yet tried, take each attack from there, and fill it again at `game`.";
        if let Some(cause) = self.why_in_square() {
            return cause.to_owned();
        }
        if self.is_unlike_mirrored {
            return no_set.to_owned();
        }
        let mirrored = "Row and column are the wrong way round, in its attacks or in the results that it reads: the row comes first in both. It never attacked a cell whose mirror (row and column swapped) it had attacked";
        if self.tried.len() >= ENOUGH {
            format!("{mirrored}, so it does remember its attacks.")
        } else {
            format!("{no_set} Or: {mirrored}, which suggests the swap.")
        }
    }

    /// Returns the cause if the bot has attacked all cells of the largest square at the corner and
    /// no others, on a board that is none.
    pub(crate) fn why_in_square(&self) -> Option<&'static str> {
        let [rows, cols] = self.size;
        let side = rows.min(cols);
        let is_square = self.tried.iter().all(|at| at.row < side && at.col < side)
            && i32::try_from(self.tried.len()) == Ok(side * side);
        (rows != cols && is_square).then_some(
            "It attacks only where a cell is on the board with row and column swapped too: they are the wrong way round, in its attacks or where it compares them with the size. The `game` line has the rows first.",
        )
    }

    /// Returns the cause if all attacks outside are beside hits, or beside what hits are with row
    /// and column swapped.
    fn why_beside_hits(&self) -> Option<&'static str> {
        let are_beside = |change: fn(Point) -> Point| {
            let is_beside =
                |at: &Point, hit: Point| (at.row - hit.row).abs() + (at.col - hit.col).abs() == 1;
            self.outside
                .iter()
                .all(|at| self.hits.iter().any(|hit| is_beside(at, change(*hit))))
        };
        match (are_beside(|at| at), are_beside(mirror)) {
            (false, false) => None,
            (false, true) => Some(
                "Row and column are the wrong way round in the results that it reads: `result` has the row first. It attacked beside the cells that its hits are with the two swapped.",
            ),
            (true, false) => Some(
                "It attacks beside a hit without a look whether that cell is on the board: the size is in the `game` line.",
            ),
            (true, true) => Some(
                "It attacks beside a hit without a look whether that cell is on the board. Or: it takes the column of a result for the row, which comes first.",
            ),
        }
    }

    /// Whether most attacks would be on the board with row and column swapped, and are outside of
    /// it as they are; or all would be, and several cells of them are outside: a bot that has no
    /// cell left repeats one. On a square board swapped attacks stay on the board, so this shows on
    /// others only. A few attacks outside, which any other mistake may cause, are not enough.
    fn are_swapped(&self) -> bool {
        let swapped = |at: &&Point| self.is_inside(mirror(**at));
        let outside: BTreeSet<Point> = self.outside.iter().copied().collect();
        let are_all = self.tried.iter().chain(&outside).all(|at| swapped(&at));
        2 * self.outside.iter().filter(swapped).count() > self.count
            || outside.len() >= 6 && are_all
    }

    /// Whether all attacks would be on the board with one less everywhere, and there are enough to
    /// tell: some below the board and some to the right of it, or on most of the board without its
    /// first row and column.
    fn count_from_one(&self) -> bool {
        let is_beyond =
            |change: fn(Point) -> Point| self.outside.iter().any(|at| self.is_inside(change(*at)));
        let is_inner = |at: &Point| at.row > 0 && at.col > 0;
        let inner = cells(self.size).filter(is_inner).count();
        self.tried.iter().all(is_inner)
            && self.outside.iter().all(|at| self.is_inside(one_less(*at)))
            && (2 * self.tried.len() > inner
                || is_beyond(|at| at.step(Direction::Vertical, -1))
                    && is_beyond(|at| at.step(Direction::Horizontal, -1)))
    }

    /// A cell that it has never tried.
    pub(crate) fn untried(&self) -> Option<Point> {
        cells(self.size).find(|at| !self.tried.contains(at))
    }
}

/// Number of cells that a bot which keeps nothing in mind does not attack without attacking the
/// mirror of one.
const ENOUGH: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wasted_attacks_have_their_cause() {
        let some = [
            (0, 0),
            (1, 2),
            (0, 1),
            (3, 0),
            (8, 2),
            (5, 1),
            (4, 0),
            (6, 2),
            (7, 1),
        ];
        let some = [&some[..], &[(0, 0); 20]].concat();
        // A bot that takes the column for the row attacks what it believes to have left.
        let above = (0..10).flat_map(|row| (row..10).map(move |col| (row, col)));
        let above: Vec<_> = above.chain([(0, 0); 9]).collect();
        for (rows, cols, attacks, words) in [
            (2, 2, &[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)][..], None),
            (2, 3, &[(0, 0), (2, 1), (2, 0)], Some("wrong way round")),
            // Columns that are one too far now and then would fit the board as rows, too.
            (
                9,
                3,
                &[(7, 0), (1, 3), (7, 2), (8, 1)],
                Some("The board is 9x3"),
            ),
            (3, 9, &some, Some("wrong way round")),
            (2, 2, &[(1, 1), (1, 2), (2, 2)], Some("counts from 1")),
            (2, 2, &[(0, 0), (9, 9)], Some("The board is 2x2")),
            (3, 3, &[(1, 1), (1, 3)], Some("The board is 3x3")),
            (
                2,
                2,
                &[(0, 0), (0, 0)],
                Some("the cells that it has attacked"),
            ),
            (10, 10, &above, Some("so it does remember its attacks")),
            (
                10,
                10,
                &[(0, 0), (0, 1), (0, 1)],
                Some(" Or: Row and column"),
            ),
            (
                10,
                10,
                &[(0, 1), (1, 0), (0, 1)],
                Some("fill it again at `game`."),
            ),
            (
                2,
                3,
                &[(0, 0), (0, 1), (1, 0), (1, 1), (0, 0)],
                Some("The `game` line has the rows first"),
            ),
            (
                2,
                9,
                &[(1, 8), (8, 2)],
                Some("in the results that it reads"),
            ),
            (2, 9, &[(1, 8), (2, 8)], Some("without a look whether")),
        ] {
            let mut shots = Shots::new([rows, cols]);
            for (row, col) in attacks {
                shots.add(Point::new(*row, *col), *row == 1);
            }
            let cause = shots.waste().map(|waste| waste.cause);
            match words {
                None => assert_eq!(cause, None),
                Some(words) => assert!(cause.as_ref().unwrap().contains(words), "{cause:?}"),
            }
        }
    }
}
