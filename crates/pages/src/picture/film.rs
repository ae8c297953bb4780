//! What there is to see of a game: its grids, turn by turn.

/// A game as pictures show it.
#[derive(Debug)]
pub(super) struct Film {
    /// Which game it is.
    pub(super) title: String,
    /// What was played, and how it ended.
    pub(super) subtitle: String,
    /// The size of each grid.
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// What rows and columns are called.
    pub(super) row_names: Vec<String>,
    pub(super) col_names: Vec<String>,
    /// The headings of the grids: of both players, and in a second row of both players again if there are four.
    pub(super) headings: Vec<String>,
    /// The ships of each player, as they are listed.
    pub(super) ships: [Vec<Ship>; 2],
    /// What each turn came to.
    pub(super) turns: Vec<Outcome>,
    /// The number of turns before the first of `frames`.
    pub(super) first: usize,
    /// The positions, from that after `first` turns on.
    pub(super) frames: Vec<Frame>,
}

/// A ship of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ship {
    pub(super) name: String,
    pub(super) length: usize,
}

/// What a turn came to, for the line of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No harm.
    Nothing,
    /// A ship was hit.
    Hit,
    /// A ship was sunk.
    Sunk,
}

/// A position, and the turn that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The grids.
    pub(super) grids: Vec<Grid>,
    /// How each ship of each player is, in the order of the list.
    pub(super) afloat: [Vec<Health>; 2],
    /// What is said at the right of each player's heading.
    pub(super) notes: [String; 2],
    /// What happened in the turn; empty before the first.
    pub(super) said: String,
    /// The cells to look at: grid, row, column.
    pub(super) outlined: Vec<(usize, usize, usize)>,
}

/// How a ship of a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// It floats, with so many parts hit.
    Afloat(usize),
    /// It has sunk.
    Sunk,
}

/// A grid at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// The ships that are drawn.
    pub(super) hulls: Vec<Option<Hull>>,
    /// The marks of cells, row by row.
    pub(super) marks: Vec<Option<Mark>>,
}

/// A ship as it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hull {
    pub(super) row: usize,
    pub(super) col: usize,
    pub(super) length: usize,
    pub(super) down: bool,
    pub(super) sunk: bool,
    /// A letter that tells its kind, where that matters.
    pub(super) letter: Option<char>,
}

/// A mark on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Miss,
    Hit,
    Sunk,
    /// Seen by sonar, and whole.
    Seen,
}

impl Film {
    /// Keeps a position if it is among those that are shown.
    pub(super) fn keep(&mut self, number: usize, kept: Option<usize>, frame: Frame) {
        if kept.is_none_or(|kept| kept == number) {
            if self.frames.is_empty() {
                self.first = number;
            }
            self.frames.push(frame);
        }
    }
}
