//! Some thousand fleets, drawn as likely as they are by all that was seen: what a shot would do is
//! read off them.

mod dice;
mod list;
mod model;
mod moves;
mod options;
mod redraw;
#[cfg(test)]
pub(super) mod tests;
mod urn;

use battleship::{AttackResult, CellSet};

use super::sight::Sight;
use super::tally::Tally;
use super::yard::{PlaceIndex, Yard};

pub(super) use dice::Dice;
pub(super) use model::{Habit, Mixture, Model, Part, PlaceWeights, Spacing};
pub(super) use options::Options;

/// Fleets, each as a place for each ship.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    n_ships: usize,
    /// By fleet: all its cells.
    cells: Vec<u128>,
    /// By fleet and ship id, one fleet after the other.
    places: Vec<PlaceIndex>,
    /// By fleet: the number of the part of the mixture by which it was drawn.
    models: Vec<u8>,
}

impl Sample {
    pub(super) const fn new(n_ships: usize) -> Sample {
        Sample {
            n_ships,
            cells: Vec::new(),
            places: Vec::new(),
            models: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn push(&mut self, cells: u128, places: &[PlaceIndex], model: u8) {
        self.cells.push(cells);
        self.places.extend_from_slice(places);
        self.models.push(model);
    }

    /// The cells of a fleet.
    pub(super) fn cells(&self, fleet: usize) -> u128 {
        self.cells[fleet]
    }

    /// The places of the ships of a fleet, by ship id.
    pub(super) fn places(&self, fleet: usize) -> &[PlaceIndex] {
        &self.places[fleet * self.n_ships..][..self.n_ships]
    }

    pub(super) fn model(&self, fleet: usize) -> u8 {
        self.models[fleet]
    }

    /// By place of each kind of ship: how many of the fleets have a ship there.
    pub(super) fn count_places(&self, yard: &Yard) -> PlaceWeights {
        let mut counts: PlaceWeights = yard
            .kinds
            .iter()
            .map(|kind| vec![0.0; kind.len()])
            .collect();
        for fleet in 0..self.len() {
            for (kind, place) in yard.ships.iter().zip(self.places(fleet)) {
                counts[*kind][usize::from(*place)] += 1.0;
            }
        }
        counts
    }

    /// Number of fleets that have a ship on each cell.
    pub(super) fn tally(&self) -> Tally {
        Tally::of(self.len(), |fleet| self.cells[fleet])
    }

    /// Keeps the fleets that give that result where the cell with the number `cell` was attacked;
    /// `hits` are the cells that were hit before and with it.
    pub(super) fn keep(&mut self, yard: &Yard, cell: usize, result: AttackResult, hits: u128) {
        let bit = 1_u128 << cell;
        let is_afloat = |places: &[PlaceIndex]| {
            let mut cells = places
                .iter()
                .enumerate()
                .map(|(ship, place)| yard.cells(ship, *place));
            cells
                .find(|cells| cells & bit != 0)
                .is_some_and(|ship| ship & !hits != 0)
        };
        match result {
            AttackResult::Miss => self.retain(|cells, _| cells & bit == 0),
            AttackResult::Hit => self.retain(|cells, places| cells & bit != 0 && is_afloat(places)),
            AttackResult::Sunk(ship) => self.retain(|cells, places| {
                let ship = places.get(ship).map_or(0, |place| yard.cells(ship, *place));
                cells & ship & bit != 0 && ship & !hits == 0
            }),
            AttackResult::Wasted => {}
        }
    }

    /// Keeps the fleets that agree with all that was seen.
    pub(super) fn keep_possible(&mut self, yard: &Yard, sight: &Sight) {
        let hits = sight.hits.bits();
        self.retain(|cells, places| {
            let allows = |(ship, place): (usize, &PlaceIndex)| {
                sight.allows(ship, CellSet::from_bits(yard.cells(ship, *place)))
            };
            cells & hits == hits && places.iter().enumerate().all(allows)
        });
    }

    fn retain(&mut self, agrees: impl Fn(u128, &[PlaceIndex]) -> bool) {
        let n_ships = self.n_ships;
        let mut kept = 0;
        for fleet in 0..self.len() {
            let places = fleet * n_ships..(fleet + 1) * n_ships;
            if agrees(self.cells[fleet], &self.places[places.clone()]) {
                self.cells[kept] = self.cells[fleet];
                self.models[kept] = self.models[fleet];
                self.places.copy_within(places, kept * n_ships);
                kept += 1;
            }
        }
        self.cells.truncate(kept);
        self.models.truncate(kept);
        self.places.truncate(kept * n_ships);
    }
}
