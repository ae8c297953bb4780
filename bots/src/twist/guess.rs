//! One guess at the enemy's fleet, and how it is changed.

use battleship::seeded::SeededRng;
use battleship::twist::{CellSet, UNITS, UnitKind};

use super::evidence::{Evidence, IMPOSSIBLE};
use super::lines::{LineId, Lines};

/// One guess at where the enemy's units are: a line for each unit of a roster, in its order. No two
/// overlap. A unit all of whose cells have been hit has sunk there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    lines: [LineId; UNITS],
    covered: CellSet,
}

/// The means to improve a guess.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bearings<'a> {
    pub(super) lines: &'a Lines,
    pub(super) evidence: &'a Evidence,
    /// The kinds of the units that the enemy may still have.
    pub(super) roster: &'a [UnitKind],
}

impl Guess {
    /// A guess with places chosen at random, without regard to what is known.
    pub(super) fn at_random(lines: &Lines, roster: &[UnitKind], rng: &mut SeededRng) -> Guess {
        let mut guess = Guess {
            lines: [0; UNITS],
            covered: CellSet::EMPTY,
        };
        for (unit, kind) in roster.iter().enumerate() {
            loop {
                let line = lines.any(*kind, rng);
                let cells = lines.cells(*kind, line);
                if (cells & guess.covered).is_empty() {
                    guess.lines[unit] = line;
                    guess.covered |= cells;
                    break;
                }
            }
        }
        guess
    }

    /// Returns the places of the units, in the order of the roster.
    pub(super) fn placed<'a>(
        &'a self,
        lines: &'a Lines,
        roster: &'a [UnitKind],
    ) -> impl Iterator<Item = (UnitKind, LineId, CellSet)> + 'a {
        roster
            .iter()
            .zip(self.lines)
            .map(move |(kind, line)| (*kind, line, lines.cells(*kind, line)))
    }

    /// Returns the fit of the guess, as a logarithm.
    pub(super) fn fit(&self, at: Bearings<'_>) -> f64 {
        let mut fit = -at.evidence.unexplained(self.covered);
        let mut fires = false;
        let mut moves = false;
        for (unit, kind) in at.roster.iter().enumerate() {
            fit += at.evidence.line(*kind, self.lines[unit]);
            if !self.cells(at, unit).is_subset(at.evidence.hit) {
                fires |= *kind == UnitKind::Battleship;
                moves |= *kind != UnitKind::Battleship;
            }
        }
        let shown = at.evidence.afloat;
        let unarmed = shown.fires && !fires;
        let stuck = shown.moves && !moves;
        let lost = !fires && !moves;
        if unarmed || stuck || lost {
            fit - IMPOSSIBLE
        } else {
            fit
        }
    }

    /// Takes the unit of `kind` on `line` out of the roster's place `unit`. Returns `false` if the
    /// guess has none there.
    pub(super) fn strike_off(&mut self, at: Bearings<'_>, unit: usize, line: LineId) -> bool {
        let kind = at.roster[unit];
        let Some(found) = (0..at.roster.len())
            .find(|other| at.roster[*other] == kind && self.lines[*other] == line)
        else {
            return false;
        };
        self.lines.swap(found, unit);
        self.lines[unit..].rotate_left(1);
        self.covered -= at.lines.cells(kind, line);
        true
    }

    /// Adds a unit at the end of the roster, on that line.
    pub(super) fn add(&mut self, unit: usize, line: LineId, cells: CellSet) {
        self.lines[unit] = line;
        self.covered |= cells;
    }

    /// Tries one change, and keeps it as a Metropolis walk does: always if it fits better, else as
    /// often as the fit demands. A unit goes somewhere else; a unit in the way moves.
    pub(super) fn wander(&mut self, at: Bearings<'_>, fit: &mut f64, rng: &mut SeededRng) {
        let unit = rng.below(at.roster.len());
        let mut changed = *self;
        let mut odds = 0.0;
        let Some(old) = changed.propose(at, unit, &mut odds, rng) else {
            return;
        };
        let new = changed.cells(at, unit);
        // A place that one other unit blocks would hardly ever be reached by single steps, so both
        // move at once. More than one blocking unit is too rare to be worth it.
        let in_the_way = (self.covered - old) & new;
        if !in_the_way.is_empty() {
            let blocks =
                |other: &usize| *other != unit && !(self.cells(at, *other) & in_the_way).is_empty();
            let mut blocking = (0..at.roster.len()).filter(blocks);
            let (Some(other), None) = (blocking.next(), blocking.next()) else {
                return;
            };
            changed.covered -= self.cells(at, other);
            if changed.propose(at, other, &mut odds, rng).is_none()
                || !(changed.cells(at, other) & (changed.covered | new)).is_empty()
            {
                return;
            }
            changed.covered |= changed.cells(at, other);
        }
        changed.covered |= new;
        let changed_fit = changed.fit(at);
        let odds = odds + changed_fit - *fit;
        if odds >= 0.0 || chance(rng) < libm::exp(odds) {
            *self = changed;
            *fit = changed_fit;
        }
    }

    /// A unit of the roster moves to a place chosen at random, the larger the more often.
    pub(super) fn drift(&mut self, at: Bearings<'_>, rng: &mut SeededRng) {
        let moves = |unit: &usize| {
            at.roster[*unit] != UnitKind::Battleship
                && !self.cells(at, *unit).is_subset(at.evidence.hit)
        };
        let movers: Vec<usize> = (0..at.roster.len())
            .filter(moves)
            .flat_map(|unit| vec![unit; usize::from(at.roster[unit].size())])
            .collect();
        let Some(unit) = rng.choose(&movers) else {
            return;
        };
        let line = at.lines.any(at.roster[unit], rng);
        let others = self.covered - self.cells(at, unit);
        let new = at.lines.cells(at.roster[unit], line);
        if (new & others).is_empty() {
            self.lines[unit] = line;
            self.covered = others | new;
        }
    }

    /// Puts a unit on a line that the evidence proposes; returns the cells that it has left, which
    /// are not covered any more. What the choice of the line does to the odds of keeping it is
    /// added to `odds`.
    fn propose(
        &mut self,
        at: Bearings<'_>,
        unit: usize,
        odds: &mut f64,
        rng: &mut SeededRng,
    ) -> Option<CellSet> {
        let kind = at.roster[unit];
        let from = self.lines[unit];
        let to = at.evidence.propose(at.lines, kind, rng);
        if to == from {
            return None;
        }
        // The correction of Metropolis and Hastings: places are not proposed equally often, and
        // this must not make them likelier.
        *odds += at.evidence.proposal(kind, from) - at.evidence.proposal(kind, to);
        self.lines[unit] = to;
        let left = at.lines.cells(kind, from);
        self.covered -= left;
        Some(left)
    }

    fn cells(&self, at: Bearings<'_>, unit: usize) -> CellSet {
        at.lines.cells(at.roster[unit], self.lines[unit])
    }
}

/// A uniform number from 0 to 1.
fn chance(rng: &mut SeededRng) -> f64 {
    f64::from(u32::try_from(rng.next_u64() >> 32).expect("32 bits are left")) / f64::from(u32::MAX)
}
