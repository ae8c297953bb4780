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
    const ALL: [TwistMark; 3] = [TwistMark::Hit, TwistMark::Miss, TwistMark::Sonar];
}

/// A player's attack grid: its last note about each cell of the opponent's grid. A mark stays until
/// a later shot or sighting at the same cell, so marks go out of date as units move.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Marks([CellSet; 3]);

impl Marks {
    /// Returns the mark at `cell`, if there is one.
    pub fn mark(&self, cell: Cell) -> Option<TwistMark> {
        TwistMark::ALL
            .into_iter()
            .find(|mark| self.0[*mark as usize].contains(cell))
    }

    /// Marks all `cells`, in the place of the marks that they had.
    pub fn set(&mut self, cells: CellSet, mark: TwistMark) {
        for marked in &mut self.0 {
            *marked -= cells;
        }
        self.0[mark as usize] |= cells;
    }

    /// Takes all marks of one kind off, or all marks.
    ///
    /// ```
    /// # use battleship::twist::{Cell, Marks, TwistMark};
    /// let cell: Cell = "A1".parse()?;
    /// let mut marks = Marks::default();
    /// marks.set(cell.into(), TwistMark::Sonar);
    /// marks.clear(Some(TwistMark::Hit));
    /// assert_eq!(marks.mark(cell), Some(TwistMark::Sonar));
    /// marks.clear(None);
    /// assert_eq!(marks.mark(cell), None);
    /// # Ok::<(), battleship::twist::MalformedCell>(())
    /// ```
    pub fn clear(&mut self, what: Option<TwistMark>) {
        match what {
            Some(mark) => self.0[mark as usize] = CellSet::EMPTY,
            None => *self = Marks::default(),
        }
    }

    /// Returns the character that the grid shows at `cell`: `X`, `O`, `Y`, or `~` without a mark.
    pub fn symbol(&self, cell: Cell) -> char {
        match self.mark(cell) {
            Some(TwistMark::Hit) => 'X',
            Some(TwistMark::Miss) => 'O',
            Some(TwistMark::Sonar) => 'Y',
            None => '~',
        }
    }
}

/// The drawing.
impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let drawing = super::show_grid(|cell| self.symbol(cell));
        write!(f, "\n{drawing}")
    }
}
