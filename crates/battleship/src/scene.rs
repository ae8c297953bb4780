//! A scene: what there is to see of a game at one moment, whichever game it is. Screens, pages and
//! pictures draw scenes.

use crate::{BySide, Direction, Placement, Point, ShipType, Side};

/// The viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// One who sees everything.
    Judge,
    /// A player, who sees its own ships and what it has found out about the other's.
    Player(Side),
}

impl Viewer {
    /// Returns whether this one sees the ships of the player on `side`.
    pub fn sees(self, side: Side) -> bool {
        self == Viewer::Judge || self == Viewer::Player(side)
    }
}

/// The view at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The waters of each player. Of an opponent's, a player sees what it has found out.
    pub waters: BySide<Grid>,
    /// The marks that each player has noted of the other's waters, in a game in which they may
    /// differ from what happened there. Only a judge sees them beside the waters.
    pub notes: Option<BySide<Grid>>,
    /// The state of each player's ships, in id order.
    pub ships: BySide<Vec<ShipState>>,
    /// The remark on each player, beside its name.
    pub remarks: BySide<String>,
    /// Whether ships move. Then a mark says what was there, and damage goes with the ship.
    pub ships_move: bool,
}

/// A grid at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The ships that are seen, in id order; `None` for one that is not.
    pub hulls: Vec<Option<ShipShape>>,
    /// The marks of the cells, row by row.
    pub marks: Vec<Option<Mark>>,
}

/// A ship as it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShipShape {
    /// The row of its topmost or leftmost cell.
    pub row: usize,
    /// The column of that cell.
    pub col: usize,
    /// The number of its cells.
    pub length: usize,
    /// Whether it lies down the board, not across.
    pub down: bool,
    /// Whether it has sunk.
    pub sunk: bool,
    /// The character that stands for it.
    pub symbol: char,
}

/// A mark on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The finding there.
    pub kind: MarkKind,
    /// In which of its own turns the player learned it, counted back: 0 for the last one, at most
    /// 255. Only of notes.
    pub age: u8,
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Nothing was hit.
    Miss,
    /// A ship was hit.
    Hit,
    /// A part of a ship that has sunk.
    Sunk,
    /// A part of a ship was seen, and was whole.
    Seen,
}

/// The state of a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShipState {
    /// It floats, with this number of known hits.
    Afloat(usize),
    /// It has sunk.
    Sunk,
}

impl From<MarkKind> for Mark {
    fn from(kind: MarkKind) -> Mark {
        Mark { kind, age: 0 }
    }
}

impl ShipShape {
    /// Returns the hull of a ship that lies on the board; `None` for one that begins above it or to
    /// its left.
    pub fn new(ship: &ShipType, placement: Placement) -> Option<ShipShape> {
        let Placement {
            top_or_left: Point { row, col },
            direction,
        } = placement;
        Some(ShipShape {
            row: usize::try_from(row).ok()?,
            col: usize::try_from(col).ok()?,
            length: usize::try_from(ship.length).ok()?,
            down: direction == Direction::Vertical,
            sunk: false,
            symbol: ship.symbol,
        })
    }

    /// Returns the cells that it covers, as rows and columns.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let ShipShape { row, col, down, .. } = *self;
        (0..self.length).map(move |step| {
            if down {
                (row + step, col)
            } else {
                (row, col + step)
            }
        })
    }
}
