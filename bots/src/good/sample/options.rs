//! Places that each ship can still have.

use battleship::CellSet;
use battleship::seeded::SeededRng;

use super::super::cells::{ByCell, SIZE, index};
use super::super::sight::Sight;
use super::super::yard::{PlaceIndex, Yard};

/// The places of a ship that lie on the same hits.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Those hits.
    pub(super) on: u128,
    pub(super) places: Vec<PlaceIndex>,
}

/// By ship id: the places that it can have by what was seen, without regard to the others.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(super) hits: u128,
    pub(super) ships: Vec<Vec<Group>>,
    /// By ship id.
    pub(super) is_afloat: Vec<bool>,
}

impl Options {
    pub(crate) fn new(yard: &Yard, sight: &Sight) -> Options {
        let hits = sight.hits.bits();
        let groups = |ship: usize| {
            let mut groups: Vec<Group> = Vec::new();
            for (place, cells) in (0..).zip(&yard.kind_of(ship).cells) {
                if !sight.allows(ship, CellSet::from_bits(*cells)) {
                    continue;
                }
                let on = cells & hits;
                match groups.iter_mut().find(|group| group.on == on) {
                    Some(group) => group.places.push(place),
                    None => groups.push(Group {
                        on,
                        places: vec![place],
                    }),
                }
            }
            groups
        };
        let is_afloat = (0..yard.ships.len())
            .map(|ship| sight.is_afloat(ship))
            .collect();
        let ships = (0..yard.ships.len()).map(groups).collect();
        Options {
            hits,
            ships,
            is_afloat,
        }
    }

    /// The places of a ship that lie on those hits and no others.
    pub(super) fn on(&self, ship: usize, hits: u128) -> &[PlaceIndex] {
        let group = self.ships[ship].iter().find(|group| group.on == hits);
        group.map_or(&[], |group| &group.places)
    }

    /// The number of places of a ship.
    pub(super) fn len(&self, ship: usize) -> usize {
        self.ships[ship]
            .iter()
            .map(|group| group.places.len())
            .sum()
    }

    /// Whether a fleet agrees with what was seen, if its ships are not in each other's way.
    pub(super) fn agrees(&self, yard: &Yard, fleet: &[PlaceIndex]) -> bool {
        let has = |(groups, place): (&Vec<Group>, &PlaceIndex)| {
            groups.iter().any(|group| group.places.contains(place))
        };
        yard.cells_of(fleet) & self.hits == self.hits && self.ships.iter().zip(fleet).all(has)
    }

    /// Puts the places into a random order.
    pub(super) fn shuffle(&mut self, rng: &mut SeededRng) {
        for groups in &mut self.ships {
            rng.shuffle(groups);
            for group in groups {
                rng.shuffle(&mut group.places);
            }
        }
    }

    /// Weight of each cell by the places of each ship on its own, with 1 for the heaviest: a place
    /// counts more the more hits it lies on. For games in which no fleet agrees with what was seen,
    /// because a referee contradicts itself.
    pub(crate) fn alone(&self, yard: &Yard, sight: &Sight) -> ByCell {
        let mut cells = [0.0; SIZE * SIZE];
        for ship in sight.afloat() {
            for group in &self.ships[ship] {
                let weight = f64::from(20_u32.pow(group.on.count_ones().min(6)));
                for place in &group.places {
                    for point in CellSet::from_bits(yard.cells(ship, *place)) - sight.hits {
                        cells[index(point)] += weight;
                    }
                }
            }
        }
        let most = cells.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        cells.map(|weight| weight / most)
    }
}
