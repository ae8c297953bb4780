//! The belief of the good bot about the enemy's fleet.

use std::time::Duration;

use battleship::protocol::OrderResult;
use battleship::seeded::SeededRng;
use battleship::twist::{Cell, CellSet, OriginalQuirks, UnitId, UnitKind};

use super::chart::Chart;
use super::evidence::Evidence;
use super::guess::{Bearings, Guess};
use super::lines::{CELLS, LineId, Lines, index, slot};

/// The number of guesses that it keeps.
const GUESSES: usize = 120;
/// The number of changes that each of them tries after each turn, at most.
const CHANGES: usize = 60;
/// About the time in which all of them try one change, on a usual machine.
const CHANGE: Duration = Duration::from_micros(100);
/// A guess that fits worse than the best by more than this (as a logarithm) is given up.
const WORSE: f64 = 9.0;
/// A unit counts as sunk when this number of the guesses agrees.
const AGREED: usize = GUESSES * 19 / 20;

/// The belief of the good player about the enemy's fleet: many guesses at the whole of it; the
/// number of guesses of a kind follows their likelihood.
#[derive(Debug)]
pub(super) struct Belief {
    lines: Lines,
    chart: Chart,
    evidence: Evidence,
    roster: Vec<UnitKind>,
    guesses: Vec<Guess>,
    /// The number of changes that each of them tries after each turn.
    changes: usize,
    /// Units that are taken to have sunk.
    buried: Vec<(UnitKind, LineId)>,
    /// The fit of the best guess.
    best: f64,
}

/// The chances of each cell to have an undamaged part of a unit on it.
#[derive(Debug)]
pub(super) struct Chances {
    /// By kind and cell, in guesses.
    counts: [[u16; CELLS]; 3],
}

impl Chances {
    /// From 0 to 1.
    pub(super) fn of(&self, kind: UnitKind, cell: Cell) -> f64 {
        f64::from(self.counts[slot(kind)][index(cell)])
            / f64::from(u16::try_from(GUESSES).expect("a small number"))
    }
}

impl Belief {
    pub(super) fn new(rng: &mut SeededRng) -> Belief {
        let lines = Lines::new();
        let chart = Chart::new();
        let roster: Vec<UnitKind> = UnitId::ALL.into_iter().map(UnitId::kind).collect();
        let guesses = (0..GUESSES)
            .map(|_| Guess::at_random(&lines, &roster, rng))
            .collect();
        let evidence = Evidence::new(&chart, &lines, &roster);
        Belief {
            lines,
            chart,
            evidence,
            roster,
            guesses,
            changes: CHANGES,
            buried: Vec::new(),
            best: 0.0,
        }
    }

    /// From now on it thinks for about that time after each turn at most. By a count, so that the
    /// same seed gives the same play.
    pub(super) fn think_within(&mut self, time: Duration) {
        let changes = usize::try_from(time.as_micros() / CHANGE.as_micros()).unwrap_or(CHANGES);
        self.changes = changes.clamp(1, CHANGES);
    }

    /// The enemy fired.
    pub(super) const fn enemy_fired(&mut self) {
        self.chart.enemy_fired();
    }

    /// The enemy moved some unit.
    pub(super) fn enemy_moved(&mut self, rng: &mut SeededRng) {
        self.chart.enemy_moved();
        self.weigh();
        let at = Bearings {
            lines: &self.lines,
            evidence: &self.evidence,
            roster: &self.roster,
        };
        for guess in &mut self.guesses {
            guess.drift(at, rng);
        }
        self.settle(self.changes, rng);
        self.reconsider(rng);
    }

    /// Its own unit acted on `target`.
    pub(super) fn learn(&mut self, target: Cell, result: &OrderResult, rng: &mut SeededRng) {
        match result {
            OrderResult::Hit => self.chart.hit_at(target),
            OrderResult::Miss => self.chart.saw_empty(target.into()),
            OrderResult::Repaired(_) | OrderResult::Refused(_) => return,
            OrderResult::Found { whole, damaged } => {
                let area = OriginalQuirks::default().sonar_area(target);
                self.chart.saw_empty(area - *whole - *damaged);
                self.chart.saw_whole(*whole);
                self.chart.saw_damaged(*damaged);
            }
        }
        self.weigh();
        self.settle(self.changes, rng);
        self.reconsider(rng);
        // A unit that sank in nearly all guesses is taken off the roster: the guesses then no
        // longer spend changes on it.
        while let Some((unit, line)) = self.agreed_sunk() {
            self.bury(unit, line, rng);
        }
    }

    /// Looks for another explanation where there is none: none of the guesses fits, or all units
    /// should have sunk.
    pub(super) fn reconsider(&mut self, rng: &mut SeededRng) {
        if self.is_in_doubt() {
            self.settle(3 * self.changes, rng);
        }
        if self.buried.is_empty() {
            return;
        }
        if self.is_in_doubt() {
            for (kind, line) in std::mem::take(&mut self.buried) {
                let cells = self.lines.cells(kind, line);
                for guess in &mut self.guesses {
                    guess.add(self.roster.len(), line, cells);
                }
                self.roster.push(kind);
            }
            self.chart.exhume();
            self.weigh();
            self.settle(10 * self.changes, rng);
        }
    }

    /// Whether no guess makes sense: what was found contradicts all of them, or the enemy should
    /// have lost by now.
    fn is_in_doubt(&self) -> bool {
        self.roster.is_empty() || self.best < self.evidence.limit()
    }

    /// Returns the cells to look at if no guess fits: those where units seem to have sunk.
    pub(super) fn doubts(&self) -> CellSet {
        if self.is_in_doubt() {
            self.chart.wrecks()
        } else {
            CellSet::EMPTY
        }
    }

    /// Cells that are not worth a shot.
    pub(super) fn surely_empty(&self) -> CellSet {
        self.chart.surely_empty()
    }

    pub(super) fn chances(&self) -> Chances {
        let mut counts = [[0; CELLS]; 3];
        for guess in &self.guesses {
            for (kind, _, cells) in guess.placed(&self.lines, &self.roster) {
                if !cells.is_subset(self.evidence.hit) {
                    for cell in cells - self.chart.damaged() {
                        counts[slot(kind)][index(cell)] += 1;
                    }
                }
            }
        }
        Chances { counts }
    }

    /// Lets the guesses wander until they fit what is known, and gives up those that don't.
    fn settle(&mut self, changes: usize, rng: &mut SeededRng) {
        if self.roster.is_empty() {
            return;
        }
        let at = Bearings {
            lines: &self.lines,
            evidence: &self.evidence,
            roster: &self.roster,
        };
        let mut fits = Vec::with_capacity(GUESSES);
        for guess in &mut self.guesses {
            let mut fit = guess.fit(at);
            for _ in 0..changes {
                guess.wander(at, &mut fit, rng);
            }
            fits.push(fit);
        }
        let best = fits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.best = best;
        let good: Vec<Guess> = self
            .guesses
            .iter()
            .zip(&fits)
            .filter(|(_, fit)| **fit >= best - WORSE)
            .map(|(guess, _)| *guess)
            .collect();
        // Guesses that are stuck are replaced by copies of good ones, which then wander apart
        // again.
        for (guess, fit) in self.guesses.iter_mut().zip(&fits) {
            if *fit < best - WORSE {
                *guess = rng.choose(&good).unwrap_or(*guess);
            }
        }
    }

    /// A unit of the roster that sank on one line in nearly all guesses.
    fn agreed_sunk(&self) -> Option<(usize, LineId)> {
        if self.best < self.evidence.limit() {
            return None;
        }
        let mut votes: [Vec<usize>; 3] =
            UnitKind::ALL.map(|kind| vec![0; self.lines.all(kind).len()]);
        for guess in &self.guesses {
            for (kind, line, cells) in guess.placed(&self.lines, &self.roster) {
                if cells.is_subset(self.evidence.hit) {
                    votes[slot(kind)][usize::from(line)] += 1;
                }
            }
        }
        self.roster.iter().enumerate().find_map(|(unit, kind)| {
            let votes = (0..).zip(&votes[slot(*kind)]);
            let (line, _) = votes
                .max_by_key(|(_, votes)| **votes)
                .filter(|(_, v)| **v >= AGREED)?;
            Some((unit, line))
        })
    }

    fn bury(&mut self, unit: usize, line: LineId, rng: &mut SeededRng) {
        let at = Bearings {
            lines: &self.lines,
            evidence: &self.evidence,
            roster: &self.roster,
        };
        let cells: CellSet = self.lines.cells(self.roster[unit], line);
        self.guesses
            .retain_mut(|guess| guess.strike_off(at, unit, line));
        while self.guesses.len() < GUESSES {
            let Some(guess) = rng.choose(&self.guesses) else {
                break;
            };
            self.guesses.push(guess);
        }
        self.chart.bury(cells);
        self.buried.push((self.roster.remove(unit), line));
        self.weigh();
    }

    /// Brings the evidence up to the chart and the roster.
    fn weigh(&mut self) {
        self.evidence = Evidence::new(&self.chart, &self.lines, &self.roster);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(names: &str) -> CellSet {
        names
            .split_whitespace()
            .map(|name| name.parse::<Cell>().unwrap())
            .collect()
    }

    fn found(belief: &mut Belief, at: &str, undamaged: &str, rng: &mut SeededRng) {
        let result = OrderResult::Found {
            whole: cells(undamaged),
            damaged: CellSet::EMPTY,
        };
        // The guesses need a few turns to find what fits.
        for _ in 0..5 {
            belief.learn(at.parse().unwrap(), &result, rng);
        }
    }

    #[test]
    fn a_lonely_cell_is_a_submarine() {
        let mut rng = SeededRng::new(1);
        let mut belief = Belief::new(&mut rng);
        found(&mut belief, "C3", "C3", &mut rng);
        let at = "C3".parse().unwrap();
        let chance = |belief: &Belief, kind| belief.chances().of(kind, at);
        let before = chance(&belief, UnitKind::Submarine);
        assert!(before > 0.95);
        assert!(chance(&belief, UnitKind::Support) < 0.05);
        for _ in 0..12 {
            belief.enemy_moved(&mut rng);
        }
        assert!(chance(&belief, UnitKind::Submarine) < before - 0.2);
    }

    #[test]
    fn a_cell_empty_after_a_hit_is_sunk() {
        let mut rng = SeededRng::new(2);
        let mut belief = Belief::new(&mut rng);
        let at: Cell = "C3".parse().unwrap();
        found(&mut belief, "C3", "C3", &mut rng);
        belief.learn(at, &OrderResult::Hit, &mut rng);
        found(&mut belief, "C3", "", &mut rng);
        let sunk = |guess: &&Guess| {
            let mut placed = guess.placed(&belief.lines, &belief.roster);
            placed.any(|(kind, _, cells)| kind == UnitKind::Submarine && cells == at.into())
        };
        let sunk = belief.guesses.iter().filter(sunk).count();
        assert!(
            belief.roster.len() == 7 || sunk > GUESSES / 2,
            "{sunk} of {GUESSES}"
        );
    }
}
