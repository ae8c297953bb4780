//! The marks of a player on the grid of its attacks.

use std::fmt;

use super::{Cell, CellSet};

/// A player's note about a cell of the opponent's grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TwistMark {
    /// `X`: a shot hit a unit there, or the sonar saw a damaged cell.
    Hit,
    /// `O`: a shot hit water there.
    Miss,
    /// `Y`: the sonar saw an undamaged cell there.
    Sonar,
}

impl TwistMark {
    /// Returns the letter that the attack grid shows.
    pub const fn letter(self) -> char {
        match self {
            TwistMark::Hit => 'X',
            TwistMark::Miss => 'O',
            TwistMark::Sonar => 'Y',
        }
    }
}

/// The marks that a player clears. None of these commands uses the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clear {
    /// The sonar's sightings, Y: the one such command that the rules name.
    Sonar,
    /// The hits, X.
    Hits,
    /// The misses, O.
    Misses,
    /// Every mark.
    All,
}

/// A player's attack grid: its last note about each cell of the opponent's grid. A mark stays until a later
/// shot or sighting at the same cell, so marks go out of date as units move.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    hits: CellSet,
    misses: CellSet,
    sonar: CellSet,
}

impl Marks {
    /// Returns the mark at `cell`, if there is one.
    pub fn mark(&self, cell: Cell) -> Option<TwistMark> {
        if self.hits.contains(cell) {
            Some(TwistMark::Hit)
        } else if self.misses.contains(cell) {
            Some(TwistMark::Miss)
        } else if self.sonar.contains(cell) {
            Some(TwistMark::Sonar)
        } else {
            None
        }
    }

    /// Returns the cells that have this mark.
    pub const fn marked(&self, mark: TwistMark) -> CellSet {
        match mark {
            TwistMark::Hit => self.hits,
            TwistMark::Miss => self.misses,
            TwistMark::Sonar => self.sonar,
        }
    }

    /// Marks all `cells`, in the place of the marks that they had.
    pub fn set(&mut self, cells: CellSet, mark: TwistMark) {
        // Taken out of all three sets first, so a cell is in one of them at most and the order of the
        // questions in `mark` does not matter.
        self.hits -= cells;
        self.misses -= cells;
        self.sonar -= cells;
        match mark {
            TwistMark::Hit => self.hits |= cells,
            TwistMark::Miss => self.misses |= cells,
            TwistMark::Sonar => self.sonar |= cells,
        }
    }

    /// Takes the marks off that `what` names.
    ///
    /// ```
    /// # use battleship::twist::{Marks, Cell, Clear, TwistMark};
    /// let cell: Cell = "A1".parse()?;
    /// let mut grid = Marks::default();
    /// grid.set(cell.into(), TwistMark::Sonar);
    /// grid.clear(Clear::Hits);
    /// assert_eq!(grid.mark(cell), Some(TwistMark::Sonar));
    /// grid.clear(Clear::Sonar);
    /// assert_eq!(grid.mark(cell), None);
    /// # Ok::<(), battleship::twist::MalformedCell>(())
    /// ```
    pub const fn clear(&mut self, what: Clear) {
        match what {
            Clear::Sonar => self.sonar = CellSet::EMPTY,
            Clear::Hits => self.hits = CellSet::EMPTY,
            Clear::Misses => self.misses = CellSet::EMPTY,
            Clear::All => {
                // Written out, since `Default` is not available in a const function.
                *self = Marks {
                    hits: CellSet::EMPTY,
                    misses: CellSet::EMPTY,
                    sonar: CellSet::EMPTY,
                };
            }
        }
    }

    /// Returns the character that the grid shows at `cell`: `X`, `O`, `Y`, or `~` without a mark.
    pub fn symbol(&self, cell: Cell) -> char {
        self.mark(cell).map_or('~', TwistMark::letter)
    }
}

/// The drawing.
impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = super::grid_lines(|cell| self.symbol(cell));
        write!(f, "\n{}", lines.join("\n"))
    }
}
