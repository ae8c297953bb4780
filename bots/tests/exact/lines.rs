//! One number for each place that a ship can have.

use battleship::CellSet;

use super::grid::{Grid, LANES, Row, SIZE, Sums, add};

/// The direction of a ship as an index: 0 horizontal, 1 vertical.
pub(super) type Way = usize;

/// One number for each place of a ship of some length, by direction and the cell it begins on, each direction in its
/// own layout (see [`Grid`]). Where a ship would leave the board the number is 0, and so are the vertical places of
/// a ship of length 1, which are its horizontal ones.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) ways: [Grid; 2],
}

/// The place of a ship, as an index into [`ShipLines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ShipLine {
    pub(super) way: Way,
    pub(super) along: usize,
    pub(super) across: usize,
}

impl ShipLine {
    /// The row and the column that it begins on.
    pub(super) const fn start(self) -> (usize, usize) {
        if self.way == 0 {
            (self.across, self.along)
        } else {
            (self.along, self.across)
        }
    }

    /// The cells of a ship of `length` that begins there.
    pub(super) fn cells(self, length: usize) -> CellSet {
        let (row, col) = self.start();
        let step = if self.way == 0 { 1 } else { SIZE };
        let bits = (0..length).fold(0_u128, |bits, index| bits | 1 << (index * step));
        CellSet::from_bits(bits << (row * SIZE + col))
    }

    /// All cells of the largest board as beginnings, both ways.
    pub(super) fn all() -> impl Iterator<Item = ShipLine> {
        (0..2).flat_map(|way| {
            (0..SIZE)
                .flat_map(move |along| (0..SIZE).map(move |across| ShipLine { way, along, across }))
        })
    }
}

impl Lines {
    pub(super) const ZERO: Lines = Lines {
        ways: [Grid::ZERO, Grid::ZERO],
    };

    pub(super) fn get(&self, line: ShipLine) -> f64 {
        self.ways[line.way][line.along][line.across]
    }

    pub(super) fn set(&mut self, line: ShipLine, value: f64) {
        self.ways[line.way][line.along][line.across] = value;
    }

    pub(super) fn add(&mut self, line: ShipLine, value: f64) {
        self.ways[line.way][line.along][line.across] += value;
    }

    pub(super) fn sum(&self) -> f64 {
        self.ways[0].sum() + self.ways[1].sum()
    }

    pub(super) fn add_scaled(&mut self, factor: f64, other: &Lines) {
        for (way, other) in self.ways.iter_mut().zip(&other.ways) {
            way.add_scaled(factor, other);
        }
    }

    /// For each cell, the sum over all places of ships of `length` that cover it, in the layout of vertical ships.
    pub(super) fn over_cells(&self, length: usize) -> Grid {
        let mut cells = self.ways[0].covered(length).transposed();
        cells.add_scaled(1.0, &self.ways[1].covered(length));
        cells
    }

    /// All places with a number other than 0.
    pub(super) fn nonzero(&self) -> impl Iterator<Item = (ShipLine, f64)> {
        ShipLine::all()
            .map(|line| (line, self.get(line)))
            .filter(|(_, value)| *value != 0.0)
    }
}

/// The shadow of the places of one ship on other ships: the sum over all of its places that share a cell with a given place of
/// another ship, without looking at any of them. A line crosses the places of the other direction cell by cell, each once; of
/// the places along itself it meets those that begin within a stretch.
#[derive(Clone, Debug)]
pub(super) struct Shadow {
    length: usize,
    /// By direction: sums along it of the places of the other direction, by the cells that they cover.
    crossing: [Sums; 2],
    /// By direction: sums along it of the places of that direction, by the cells that they begin on.
    beginning: [Sums; 2],
}

impl Shadow {
    /// The shadow of `lines` of ships of `length`, which cover the cells as `covered` says, by direction.
    pub(super) fn of(lines: &Lines, length: usize, covered: &[Grid; 2]) -> Shadow {
        Shadow {
            length,
            crossing: [
                Sums::of(&covered[1].transposed()),
                Sums::of(&covered[0].transposed()),
            ],
            beginning: [Sums::of(&lines.ways[0]), Sums::of(&lines.ways[1])],
        }
    }

    pub(super) fn cast(lines: &Lines, length: usize) -> Shadow {
        let covered = [lines.ways[0].covered(length), lines.ways[1].covered(length)];
        Shadow::of(lines, length, &covered)
    }

    /// The shadow on ships of `length` in direction `way` that begin on the cells of row `along` (in their layout).
    pub(super) fn on(&self, way: Way, along: usize, length: usize) -> Row {
        let crossing = self.crossing[way].between(along, along + length);
        let first = (along + 1).saturating_sub(self.length);
        add(
            crossing,
            &self.beginning[way].between(first, along + length),
        )
    }
}

/// Returns the places of a ship of `length` on a board of that size before anything is known: 1 where it fits.
pub(super) fn places(rows: usize, cols: usize, length: usize) -> Lines {
    let mut lines = Lines::ZERO;
    for line in ShipLine::all() {
        let (row, col) = line.start();
        let (height, width) = if line.way == 0 {
            (1, length)
        } else {
            (length, 1)
        };
        let twice = line.way == 1 && length == 1;
        if row + height <= rows && col + width <= cols && !twice {
            lines.set(line, 1.0);
        }
    }
    lines
}

const _: () = assert!(LANES >= SIZE);
