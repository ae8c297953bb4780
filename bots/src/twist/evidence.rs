//! The fit of a guess at the enemy's fleet to what was seen.

use battleship::seeded::SeededRng;
use battleship::twist::{Cell, CellSet, UnitKind};

use super::chart::{Afloat, Chart};
use super::lines::{CELLS, LineId, Lines, index, slot};

/// The cost of a contradiction to a sight: practically, but not quite, impossible. A guess has to
/// get past such places on its way to a better one.
const CONTRADICTION: f64 = 12.0;

/// The cost of a fleet without a unit for what the enemy has done. It is out of the question.
pub(super) const IMPOSSIBLE: f64 = 100.0;

/// The cost of a hit unit that has left without sinking: it was a support ship and has moved.
const LEFT_DAMAGED: f64 = 2.0;

/// The same if no other cell of a unit was next to it, so that it must have been a submarine, which
/// would have sunk.
const LEFT_ALONE: f64 = 4.0;

/// Cost of each cell where a unit was hit that sank with that because it had been damaged
/// elsewhere.
const SUNK_UNNOTICED: f64 = 4.0;

/// Cost of a unit having sunk unnoticed, against its being anywhere.
const LOST: f64 = 4.0;

/// A move may leave everything as it is: some units stay where they are when they could go
/// anywhere.
const MOST: f64 = 0.8;

/// The fit of guesses at the enemy's fleet to the chart, in logarithms of probabilities.
#[derive(Debug)]
pub(super) struct Evidence {
    /// By kind and line: for a unit being there.
    lines: [Vec<f64>; 3],
    /// By kind and line: for a guess trying it next.
    proposals: [Vec<f64>; 3],
    /// By cell: against no unit being there.
    unexplained: [f64; CELLS],
    /// Cells whose last sight must have a reason.
    to_explain: CellSet,
    /// Cells that were hit: a unit on these alone has sunk.
    pub(super) hit: CellSet,
    /// The worst fit of a guess that is free of contradictions.
    limit: f64,
    /// Whether the enemy must have a battleship, and whether it must have something that moves.
    pub(super) afloat: Afloat,
    /// The cells of `to_explain`, to choose from.
    likely: Vec<Cell>,
}

impl Evidence {
    /// Returns the evidence of `chart` while `afloat` units of the enemy are left.
    pub(super) fn new(chart: &Chart, lines: &Lines, afloat: &[UnitKind]) -> Evidence {
        let of_kind = |kind| {
            let share = share_of_moves(kind, afloat);
            let lost = lost_weight(chart, lines, kind);
            let weight = |line: &CellSet| {
                if line.is_empty() {
                    lost
                } else {
                    line_weight(chart, kind, share, *line)
                }
            };
            lines.all(kind).iter().map(weight).collect()
        };
        let mut unexplained = [0.0; CELLS];
        let to_explain = chart.to_explain();
        for cell in to_explain {
            unexplained[index(cell)] = if (chart.gone() & chart.lone()).contains(cell) {
                LEFT_ALONE
            } else if chart.gone().contains(cell) {
                LEFT_DAMAGED
            } else {
                let neighbours = CellSet::around(cell, 1) & to_explain;
                let kind = if neighbours.len() > 1 {
                    UnitKind::Support
                } else {
                    UnitKind::Submarine
                };
                let left = vacated(
                    lines,
                    kind,
                    share_of_moves(kind, afloat),
                    chart.age(index(cell)),
                );
                if chart.struck().contains(cell) {
                    left.min(SUNK_UNNOTICED)
                } else {
                    left
                }
            };
        }
        let likely: Vec<Cell> = to_explain.iter().collect();
        let proposals = UnitKind::ALL.map(|kind| proposals(lines, kind, &likely));
        let hit = chart.hit();
        Evidence {
            lines: UnitKind::ALL.map(of_kind),
            proposals,
            unexplained,
            to_explain,
            hit,
            limit: -CONTRADICTION
                - LEFT_DAMAGED * count(chart.gone() - chart.lone())
                - LEFT_ALONE * count(chart.gone() & chart.lone()),
            afloat: chart.afloat(),
            likely,
        }
    }

    /// A line for a guess to try for a unit of `kind`: mostly through one of the cells that need an
    /// explanation.
    pub(super) fn propose(&self, lines: &Lines, kind: UnitKind, rng: &mut SeededRng) -> LineId {
        let cell = if rng.below(4) == 0 {
            None
        } else {
            rng.choose(&self.likely)
        };
        let line = cell.and_then(|cell| rng.choose(lines.through(kind, cell)));
        line.unwrap_or_else(|| lines.any(kind, rng))
    }

    /// The logarithm of the chance that [`Evidence::propose`] comes up with this line.
    pub(super) fn proposal(&self, kind: UnitKind, line: LineId) -> f64 {
        self.proposals[slot(kind)][usize::from(line)]
    }

    /// Returns the evidence for a unit of `kind` on `line`.
    pub(super) fn line(&self, kind: UnitKind, line: LineId) -> f64 {
        self.lines[slot(kind)][usize::from(line)]
    }

    /// No guess that fits worse than this is without a contradiction.
    pub(super) const fn limit(&self) -> f64 {
        self.limit
    }

    /// The cost of leaving all sights unexplained but those that are `covered`.
    pub(super) fn unexplained(&self, covered: CellSet) -> f64 {
        (self.to_explain - covered)
            .iter()
            .map(|cell| self.unexplained[index(cell)])
            .sum()
    }
}

/// Returns the probability that a move of the enemy's is that of a certain unit of this kind.
/// Larger units move more often: as if the unit were chosen by a random cell.
fn share_of_moves(kind: UnitKind, afloat: &[UnitKind]) -> f64 {
    let movers = || afloat.iter().filter(|kind| **kind != UnitKind::Battleship);
    let cells: u32 = movers().map(|kind| u32::from(kind.size())).sum();
    match kind {
        UnitKind::Battleship => 0.0,
        UnitKind::Support | UnitKind::Submarine => {
            (f64::from(kind.size()) / f64::from(cells.max(1))).min(MOST)
        }
    }
}

/// The chance that a unit has moved within a number of moves.
fn moved_within(share: f64, moves: u32) -> f64 {
    1.0 - libm::pow(1.0 - share, f64::from(moves))
}

/// The logarithms of the chances that each line is proposed.
fn proposals(lines: &Lines, kind: UnitKind, likely: &[Cell]) -> Vec<f64> {
    let all = lines.all(kind);
    let fraction = |of: usize| 1.0 / f64::from(u32::try_from(of).expect("at most 241").max(1));
    let any = fraction(all.len());
    let aimed = |line: &CellSet| -> f64 {
        let through = likely.iter().filter(|cell| line.contains(**cell));
        through
            .map(|cell| fraction(likely.len()) * fraction(lines.through(kind, *cell).len()))
            .sum()
    };
    let chance = |line| {
        if likely.is_empty() {
            any
        } else {
            0.25 * any + 0.75 * aimed(line)
        }
    };
    all.iter().map(|line| libm::log(chance(line))).collect()
}

fn count(cells: CellSet) -> f64 {
    f64::from(u32::try_from(cells.len()).expect("at most 144"))
}

/// Returns the weight of the idea that a unit has sunk unnoticed. A support ship takes its damage
/// along when it moves, so that fewer hits than it has cells may sink it at its place.
fn lost_weight(chart: &Chart, lines: &Lines, kind: UnitKind) -> f64 {
    let hits = chart.hit().len();
    let places = f64::from(u32::try_from(lines.all(kind).len()).expect("at most 241"));
    match kind {
        UnitKind::Support if hits > 1 => libm::log(places) - LOST,
        UnitKind::Submarine if hits > 0 => libm::log(places) - LOST,
        UnitKind::Battleship | UnitKind::Support | UnitKind::Submarine => -CONTRADICTION,
    }
}

/// Returns the evidence for a unit of `kind` being on `line`, or having sunk there.
fn line_weight(chart: &Chart, kind: UnitKind, share: f64, line: CellSet) -> f64 {
    if line.is_subset(chart.hit()) {
        // Sunk. What was seen later cannot speak against it.
        return 0.0;
    }
    if kind == UnitKind::Battleship {
        return -CONTRADICTION * count(line & chart.never_battleship());
    }
    let empty = line & chart.empty();
    // That a unit is there now does not say that another one has left.
    let gone = line & chart.gone();
    let left = LEFT_DAMAGED * count(gone - chart.lone()) + LEFT_ALONE * count(gone & chart.lone());
    match empty.iter().map(|cell| chart.age(index(cell))).min() {
        None => 0.0,
        Some(0) => -CONTRADICTION * count(empty),
        Some(age) => libm::log(moved_within(share, age)) - left,
    }
}

/// The cost for each cell of a unit of `kind`, seen some moves ago, of having left, such that
/// staying and being anywhere else have the odds that they should have.
fn vacated(lines: &Lines, kind: UnitKind, share: f64, age: u32) -> f64 {
    let moved = moved_within(share, age);
    if moved <= 0.0 {
        return CONTRADICTION;
    }
    let places = f64::from(u32::try_from(lines.all(kind).len()).expect("at most 241"));
    let stayed = (1.0 - moved).max(0.001);
    (libm::log(stayed * places / moved) / f64::from(kind.size())).max(0.05)
}
