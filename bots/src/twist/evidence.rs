use battleship::twist::{CellSet, UnitKind};

use super::chart::Chart;
use super::lines::{CELLS, Lines, index, slot};

/// What contradicts a sight costs this much: practically, but not quite, impossible. A guess has to get past such
/// places on its way to a better one.
const CONTRADICTION: f64 = 12.0;

/// Cost of a hit unit that is not there any more and has not sunk: it was a support ship and has moved.
const LEFT_DAMAGED: f64 = 3.0;

/// How well guesses at the enemy's fleet fit the chart, in logarithms of probabilities.
#[derive(Debug)]
pub(super) struct Evidence {
    /// By kind and line: for a unit being there.
    lines: [Vec<f64>; 3],
    /// By cell: against no unit being there, of those `to_explain`.
    unexplained: [f64; CELLS],
    pub(super) to_explain: CellSet,
    pub(super) hit: CellSet,
}

impl Evidence {
    /// What `chart` says while `afloat` units of the enemy are left.
    pub(super) fn new(chart: &Chart, lines: &Lines, afloat: &[UnitKind]) -> Evidence {
        let of_kind = |kind| {
            let share = share_of_moves(kind, afloat);
            lines.all(kind).iter().map(|line| line_weight(chart, kind, share, *line)).collect()
        };
        let mut unexplained = [0.0; CELLS];
        let to_explain = chart.to_explain();
        for cell in to_explain.iter() {
            unexplained[index(cell)] = if chart.is_gone(cell) {
                LEFT_DAMAGED
            } else {
                let neighbours = CellSet::around(cell, 1) & to_explain;
                let kind =
                    if neighbours.len() > 1 { UnitKind::Support } else { UnitKind::Submarine };
                vacated(lines, kind, share_of_moves(kind, afloat), chart.age(index(cell)))
            };
        }
        Evidence { lines: UnitKind::ALL.map(of_kind), unexplained, to_explain, hit: chart.hit() }
    }

    pub(super) fn line(&self, kind: UnitKind, line: u16) -> f64 {
        self.lines[slot(kind)][usize::from(line)]
    }

    /// The cost of leaving all sights unexplained but those that are `covered`.
    pub(super) fn unexplained(&self, covered: CellSet) -> f64 {
        (self.to_explain - covered).iter().map(|cell| self.unexplained[index(cell)]).sum()
    }
}

/// How likely it is that a move of the enemy's is that of a certain unit of this kind. Larger units move more often:
/// so it is where cells are chosen at random.
fn share_of_moves(kind: UnitKind, afloat: &[UnitKind]) -> f64 {
    let movers = || afloat.iter().filter(|kind| **kind != UnitKind::Battleship);
    let cells: u32 = movers().map(|kind| u32::from(kind.size())).sum();
    match kind {
        UnitKind::Battleship => 0.0,
        UnitKind::Support | UnitKind::Submarine => {
            (f64::from(kind.size()) / f64::from(cells.max(1))).min(0.95)
        }
    }
}

/// The chance that a unit has moved within so many moves.
fn moved_within(share: f64, moves: u32) -> f64 {
    1.0 - libm::pow(1.0 - share, f64::from(moves))
}

fn line_weight(chart: &Chart, kind: UnitKind, share: f64, line: CellSet) -> f64 {
    if line.is_subset(chart.hit()) {
        // Sunk. Nothing that was seen later speaks against it.
        return 0.0;
    }
    let count = |cells: CellSet| f64::from(u32::try_from(cells.len()).expect("at most 5"));
    if kind == UnitKind::Battleship {
        return -CONTRADICTION * count(line & chart.never_battleship());
    }
    let empty = line & chart.empty();
    match empty.iter().map(|cell| chart.age(index(cell))).min() {
        None => 0.0,
        Some(0) => -CONTRADICTION * count(empty),
        Some(age) => libm::log(moved_within(share, age)),
    }
}

/// The cost for each cell of a unit of `kind`, seen so many moves ago, of having left, such that staying and being
/// anywhere else have the odds that they should have.
fn vacated(lines: &Lines, kind: UnitKind, share: f64, age: u32) -> f64 {
    let moved = moved_within(share, age);
    if moved <= 0.0 {
        return CONTRADICTION;
    }
    let places = f64::from(u32::try_from(lines.all(kind).len()).expect("at most 240"));
    let stayed = (1.0 - moved).max(0.001);
    (libm::log(stayed * places / moved) / f64::from(kind.size())).max(0.05)
}
