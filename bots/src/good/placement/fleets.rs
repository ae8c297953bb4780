//! Random fleets, as sets of cells.

use battleship::seeded::SeededRng;
use battleship::{Board, CellSet, Placement};

use crate::good::sample::{Mixture, Sample};
use crate::good::yard::{PlaceIndex, Yard};

/// The fleets that are drawn.
const FLEETS: usize = 600;

/// A place of a ship.
#[derive(Clone, Copy, Debug)]
struct Berth {
    place: PlaceIndex,
    placement: Placement,
    cells: CellSet,
}

/// A place for each ship, by id; no two share a cell.
#[derive(Debug)]
pub(super) struct Fleet(Vec<Berth>);

/// Draws fleets, each uniformly among all possible ones. Fewer where hardly any draw fits on the
/// board; none where none does.
pub(super) fn draw(yard: &Yard, rng: &mut SeededRng) -> Vec<Fleet> {
    let sample = Sample::draw(yard, &Mixture::uniform(), FLEETS, rng, || false);
    let berth = |(ship, place): (usize, &PlaceIndex)| Berth {
        place: *place,
        placement: yard.kind_of(ship).starts[usize::from(*place)],
        cells: CellSet::from_bits(yard.cells(ship, *place)),
    };
    let fleet = |number| {
        Fleet(
            sample
                .places(number)
                .iter()
                .enumerate()
                .map(berth)
                .collect(),
        )
    };
    (0..sample.len()).map(fleet).collect()
}

impl Fleet {
    /// Returns the cells of each ship.
    pub(super) fn ships(&self) -> impl Iterator<Item = CellSet> {
        self.0.iter().map(|place| place.cells)
    }

    /// Returns the cells of all ships, as bits of a [`CellSet`].
    pub(super) fn cells(&self) -> u128 {
        self.ships().collect::<CellSet>().bits()
    }

    /// Returns the place of each ship.
    pub(super) fn places(&self) -> impl Iterator<Item = PlaceIndex> {
        self.0.iter().map(|berth| berth.place)
    }

    /// Places the ships on `board`, which is empty. Returns whether that is possible, which it is
    /// on a board of their game.
    pub(super) fn put_on(&self, board: &mut Board<'_>) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(ship, Berth { placement, .. })| {
                board
                    .place_ship(placement.top_or_left, ship, placement.direction)
                    .is_ok()
            })
    }
}
