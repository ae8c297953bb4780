//! Sets of cells that a salvo may go to.

use battleship::{CellSet, Point};

use super::cells::{SIZE, index};
use super::sample::Sample;
use super::tally::Tally;

/// The weight of a fleet that the salvo hits for the next cell, compared with one that it misses.
/// The likeliest cells lie next to each other and tell the same; the lower this is, the further
/// they lie apart.
const DISCOUNTS: [f64; 3] = [0.7, 0.4, 0.1];
/// Number of fleets that decide between the cells.
const FLEETS: usize = 1000;
/// The sets that are made of one by swaps, at most about this number.
const SWAPS: usize = 40;

/// Returns some sets of `shots` cells: the first of `points`, which are all in the order of their
/// chances; and those that are chosen one by one, as likely as possible to hit where few of the
/// others do.
pub(super) fn spread(sample: &Sample, points: &[Point], shots: usize) -> Vec<CellSet> {
    let mut sets = vec![points.iter().take(shots).copied().collect()];
    if shots == 1 {
        return sets;
    }
    for discount in DISCOUNTS {
        let set = discounted(sample, points, shots, discount);
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    sets
}

fn discounted(sample: &Sample, points: &[Point], shots: usize, discount: f64) -> CellSet {
    let many = sample.len().min(FLEETS);
    // By number of hits.
    let mut fleets: Vec<Vec<u128>> = vec![
        (0..many)
            .map(|number| sample.cells(number * sample.len() / many))
            .collect(),
    ];
    let mut set = CellSet::EMPTY;
    for _ in 0..shots.min(points.len()) {
        let mut worth = [0.0; SIZE * SIZE];
        let mut weight = 1.0;
        for alike in &fleets {
            let tally = Tally::of(alike.len(), |fleet| alike[fleet]);
            for point in points {
                worth[index(*point)] += weight * f64::from(tally.get(index(*point)));
            }
            weight *= discount;
        }
        let left = points.iter().filter(|point| !set.contains(**point));
        // Of equals the first.
        let best = left
            .rev()
            .max_by(|a, b| worth[index(**a)].total_cmp(&worth[index(**b)]));
        let Some(best) = best else { break };
        let bit = CellSet::from(*best).bits();
        set.insert(*best);
        for hits in (0..fleets.len()).rev() {
            let (hit, rest) = fleets[hits].iter().partition(|fleet| **fleet & bit != 0);
            fleets[hits] = rest;
            match fleets.get_mut(hits + 1) {
                Some(more) => more.extend::<Vec<u128>>(hit),
                None => fleets.push(hit),
            }
        }
    }
    set
}

/// Returns sets with another of `points` instead of one of the cells: first of those that are the
/// least likely to hit.
pub(super) fn swaps(
    set: CellSet,
    points: &[Point],
    chance: impl Fn(&Point) -> f64,
) -> Vec<CellSet> {
    let mut cells: Vec<Point> = set.iter().collect();
    cells.sort_by(|one, other| chance(one).total_cmp(&chance(other)));
    let others: Vec<Point> = points
        .iter()
        .copied()
        .filter(|point| !set.contains(*point))
        .collect();
    let cells = cells.iter().take((SWAPS / others.len().max(1)).max(1));
    cells
        .flat_map(|cell| {
            others
                .iter()
                .map(|other| (set - (*cell).into()) | (*other).into())
        })
        .collect()
}
