use battleship::seeded::SeededRng;
use battleship::twist::{CellSet, UNITS, UnitKind};

use super::evidence::Evidence;
use super::lines::{LineId, Lines};

/// One guess at where the enemy's units are: a line for each unit of a roster, in its order. No two overlap. A unit
/// all of whose cells have been hit has sunk there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    lines: [LineId; UNITS],
    covered: CellSet,
}

/// What a guess is improved with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bearings<'a> {
    pub(super) lines: &'a Lines,
    pub(super) evidence: &'a Evidence,
    /// The kinds of the units that the enemy may still have.
    pub(super) roster: &'a [UnitKind],
}

impl Guess {
    /// Places chosen at random, whatever is known.
    pub(super) fn at_random(lines: &Lines, roster: &[UnitKind], rng: &mut SeededRng) -> Guess {
        let mut guess = Guess { lines: [0; UNITS], covered: CellSet::EMPTY };
        for (unit, kind) in roster.iter().enumerate() {
            loop {
                let line = random_line(lines, *kind, rng);
                let cells = lines.cells(*kind, line);
                if (cells & guess.covered).is_empty() {
                    guess.lines[unit] = line;
                    guess.covered = guess.covered | cells;
                    break;
                }
            }
        }
        guess
    }

    /// Where the units are, in the order of the roster.
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

    /// How well the guess fits, as a logarithm.
    pub(super) fn fit(&self, at: Bearings<'_>) -> f64 {
        let placed: f64 = at
            .roster
            .iter()
            .zip(self.lines)
            .map(|(kind, line)| at.evidence.line(*kind, line))
            .sum();
        placed - at.evidence.unexplained(self.covered)
    }

    /// Takes the unit of `kind` on `line` out of the roster's place `unit`; false if the guess has none there.
    pub(super) fn strike_off(&mut self, at: Bearings<'_>, unit: usize, line: LineId) -> bool {
        let kind = at.roster[unit];
        let Some(found) = (0..at.roster.len())
            .find(|other| at.roster[*other] == kind && self.lines[*other] == line)
        else {
            return false;
        };
        self.lines.swap(found, unit);
        self.lines[unit..].rotate_left(1);
        self.covered = self.covered - at.lines.cells(kind, line);
        true
    }

    /// Tries one change, and keeps it as a Metropolis walk does: always if it fits better, else as often as the fit
    /// demands. A unit goes somewhere else; one that is in its way makes room.
    pub(super) fn wander(&mut self, at: Bearings<'_>, fit: &mut f64, rng: &mut SeededRng) {
        let unit = rng.below(at.roster.len());
        let target = self.propose(at, at.roster[unit], rng);
        let old = self.cells(at, unit);
        let new = at.lines.cells(at.roster[unit], target);
        let mut changed = *self;
        changed.lines[unit] = target;
        changed.covered = self.covered - old;
        let in_the_way: CellSet = changed.covered & new;
        if !in_the_way.is_empty() {
            let blocks = |other: &usize| {
                *other != unit && !(self.cells(at, *other) & in_the_way).is_empty()
            };
            let mut blocking = (0..at.roster.len()).filter(blocks);
            let (Some(other), None) = (blocking.next(), blocking.next()) else { return };
            let kind = at.roster[other];
            let away = if rng.coin() {
                let cells: Vec<_> = old.iter().collect();
                rng.choose(&cells).and_then(|cell| rng.choose(at.lines.through(kind, cell)))
            } else {
                Some(self.propose(at, kind, rng))
            };
            let Some(away) = away else { return };
            let room = at.lines.cells(kind, away);
            changed.covered = (changed.covered - self.cells(at, other)) | new;
            if !(room & changed.covered).is_empty() {
                return;
            }
            changed.lines[other] = away;
            changed.covered = changed.covered | room;
        }
        changed.covered = changed.covered | new;
        let changed_fit = changed.fit(at);
        if changed_fit >= *fit || chance(rng) < libm::exp(changed_fit - *fit) {
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
        let Some(unit) = rng.choose(&movers) else { return };
        let line = random_line(at.lines, at.roster[unit], rng);
        let others = self.covered - self.cells(at, unit);
        let new = at.lines.cells(at.roster[unit], line);
        if (new & others).is_empty() {
            self.lines[unit] = line;
            self.covered = others | new;
        }
    }

    fn cells(&self, at: Bearings<'_>, unit: usize) -> CellSet {
        at.lines.cells(at.roster[unit], self.lines[unit])
    }

    /// Mostly a line through a cell that needs an explanation, and best through one that has none.
    fn propose(&self, at: Bearings<'_>, kind: UnitKind, rng: &mut SeededRng) -> LineId {
        let cells = match rng.below(4) {
            0 | 1 => at.evidence.to_explain - self.covered,
            2 => at.evidence.to_explain,
            _ => CellSet::EMPTY,
        };
        let nth = rng.below(cells.len());
        cells
            .iter()
            .nth(nth)
            .and_then(|cell| rng.choose(at.lines.through(kind, cell)))
            .unwrap_or_else(|| random_line(at.lines, kind, rng))
    }
}

fn random_line(lines: &Lines, kind: UnitKind, rng: &mut SeededRng) -> LineId {
    LineId::try_from(rng.below(lines.all(kind).len())).expect("there are at most 240 lines")
}

/// A uniform number from 0 to 1.
fn chance(rng: &mut SeededRng) -> f64 {
    f64::from(u32::try_from(rng.next_u64() >> 32).expect("32 bits are left")) / f64::from(u32::MAX)
}
