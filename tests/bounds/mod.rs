//! The proved bounds on the mean number of attacks, against the exact optimum of boards that are small enough for it.

#[path = "../../benches/bounds/argument.rs"]
mod argument;
mod optimum;

use argument::{Bound, Waters, bounds};
use league::statistics::real;
use optimum::least_misses;

/// A board and ships, and the least mean number of attacks with four digits.
type Row = (&'static str, Waters<'static>, f64);

const fn row(name: &'static str, sizes: [u32; 2], ships: &'static [u32], attacks: f64) -> Row {
    (
        name,
        Waters {
            rows: sizes[0],
            cols: sizes[1],
            ships,
        },
        attacks,
    )
}

const SMALL: [Row; 3] = [
    row("three by three", [3, 3], &[2], 4.5000),
    row("four by three", [4, 3], &[2], 5.1176),
    row("two ships on three by three", [3, 3], &[3, 2], 6.6389),
];

const LARGER: [Row; 3] = [
    row("four by four", [4, 4], &[2], 6.0833),
    row("two ships on three by four", [3, 4], &[3, 2], 7.5588),
    row("two boats on four by four", [4, 4], &[2, 2], 8.6696),
];

fn holds((_, waters, attacks): Row) {
    let hits: u32 = waters.ships.iter().sum();
    let (fleets, misses) = least_misses(&waters);
    let optimum = f64::from(hits) + real(misses) / real(fleets);
    assert!((optimum - attacks).abs() < 0.00005, "{optimum}");
    let bounds = bounds(&waters);
    for Bound {
        fleets: counted,
        misses: bound,
    } in bounds
    {
        assert_eq!(counted, fleets);
        assert!(bound <= misses, "{bound} of {misses}");
    }
    assert!(bounds.is_sorted_by_key(|bound| bound.misses));
}

#[test]
#[rows(SMALL)]
fn the_bound_is_below_the_optimum(row: Row) {
    holds(row);
}

#[test]
#[ignore = "thorough"]
#[rows(LARGER)]
fn the_bound_is_below_the_optimum_of_larger_boards(row: Row) {
    holds(row);
}
