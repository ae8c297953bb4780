//! Preferences for places, each as a number for every place.

use battleship::seeded::SeededRng;
use battleship::{Board, CellSet, Game};

use super::super::cells::{ByCell, index, real};
use super::super::sample::{Mixture, PlaceWeights, Sample};
use super::super::yard::{PlaceIndex, Yard};
use crate::fleet::all_placements;
use crate::mediocre::place_on_a_half;

/// The table of what `number` says of each place, by kind and place.
pub(crate) fn table(yard: &Yard, number: impl Fn(usize, usize) -> f64) -> PlaceWeights {
    let of_kind = |kind: usize| {
        (0..yard.kinds[kind].len())
            .map(|place| number(kind, place))
            .collect()
    };
    (0..yard.kinds.len()).map(of_kind).collect()
}

/// The numbers of each kind divided by their mean.
pub(super) fn with_mean_one(mut table: PlaceWeights) -> PlaceWeights {
    for numbers in &mut table {
        let mean = numbers.iter().sum::<f64>() / real(numbers.len());
        for number in numbers {
            *number /= mean.max(f64::MIN_POSITIVE);
        }
    }
    table
}

/// The preference for places with a high sum over their cells: exp of that sum.
pub(super) fn by_cells(yard: &Yard, cells: &ByCell) -> PlaceWeights {
    table(yard, |kind, place| {
        libm::exp(sum_over(yard.kinds[kind].cells[place], cells))
    })
}

/// The sum of the numbers of those cells.
pub(super) fn sum_over(cells: u128, by_cell: &ByCell) -> f64 {
    CellSet::from_bits(cells)
        .iter()
        .map(|point| by_cell[index(point)])
        .sum()
}

/// The fleets by which the random fleet is known.
const RANDOM: usize = 8_000;

/// Uniformly random fleets, the same each time.
pub(super) fn random_fleets(yard: &Yard) -> Sample {
    Sample::draw(
        yard,
        &Mixture::uniform(),
        RANDOM,
        &mut SeededRng::new(0),
        || false,
    )
}

/// Returns the chance of each place in a uniformly random fleet, by some of them. Places that a
/// reflection or rotation of the board takes to each other are equally likely.
pub(super) fn chances(game: &Game, yard: &Yard, random: &Sample) -> PlaceWeights {
    let mut counts = random.count_places(yard);
    for (kind, counts) in yard.kinds.iter().zip(&mut counts) {
        let count = |place: &PlaceIndex| counts[usize::from(*place)];
        let mean =
            |alike: &Vec<PlaceIndex>| alike.iter().map(count).sum::<f64>() / real(alike.len());
        // A place that none of the fleets has is rare, and not impossible.
        let smooth: Vec<f64> = kind
            .mirrored(game)
            .iter()
            .map(|alike| mean(alike) + 0.1)
            .collect();
        let sum: f64 = smooth.iter().sum();
        *counts = smooth.into_iter().map(|count| count / sum).collect();
    }
    counts
}

/// Returns the chance of each place for the mediocre player, by fleets placed as it does; `None` if
/// that hardly ever succeeds.
pub(super) fn mediocre(game: &Game, yard: &Yard) -> Option<PlaceWeights> {
    const FLEETS: usize = 150;
    // The same fleets in every game and on every machine: the stream has a fixed seed.
    let candidates: Vec<_> = game
        .ships()
        .iter()
        .map(|ship| all_placements(game, ship.length))
        .collect();
    let mut rng = SeededRng::new(0);
    let mut found = table(yard, |_, _| 0.0);
    let mut placed = 0;
    let mut budget = 100 * FLEETS;
    while placed < FLEETS && budget > 0 {
        let mut board = Board::new(game);
        // An attempt costs something even if it needs no search.
        budget -= 1;
        if place_on_a_half(&mut board, &candidates, &mut budget, &mut rng) {
            placed += 1;
            for (ship, kind) in yard.ships.iter().enumerate() {
                let start = board.placement(ship).expect("all ships were placed");
                let place = yard.kinds[*kind]
                    .place_at(start)
                    .expect("it is on the board");
                found[*kind][usize::from(place)] += 1.0;
            }
        }
    }
    let shares = |counts: Vec<f64>| {
        let sum: f64 = counts.iter().sum();
        counts.into_iter().map(|count| count / sum).collect()
    };
    (placed >= FLEETS / 10).then(|| found.into_iter().map(shares).collect())
}
