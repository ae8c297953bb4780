//! Ways to place a fleet.

use std::sync::Arc;

use battleship::Game;
use battleship::seeded::SeededRng;

use super::super::cells::real;
use super::super::yard::{PlaceIndex, Yard};
use super::Dice;
use super::urn::Urn;

/// The least distance between the ships of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// They may touch.
    Any,
    /// They do not share a side.
    Sides,
    /// They do not share a side or a corner.
    Corners,
}

impl Spacing {
    /// Whether the rules of the game ask for it anyway.
    pub(crate) fn is_a_rule_of(self, game: &Game) -> bool {
        match self {
            Spacing::Any => false,
            Spacing::Sides | Spacing::Corners => game.apart(),
        }
    }
}

/// A number for each place, by kind of ship.
pub(crate) type PlaceWeights = Vec<Vec<f64>>;

/// A way to place a fleet.
#[derive(Clone, Debug)]
pub(crate) enum Model {
    /// Each ship by itself, and again from the start if two share a cell or are too near to each
    /// other.
    Habit(Habit),
    /// One of these fleets, each as likely as any.
    Repeating(Vec<Vec<PlaceIndex>>),
}

/// Ships placed each by itself.
#[derive(Clone, Debug)]
pub(crate) struct Habit {
    pub(super) spacing: Spacing,
    /// Weight of each place, on average 1; `None` if all places of a kind are equally likely.
    pub(super) preference: Option<Arc<PlaceWeights>>,
    /// Chance that a fleet drawn in this way may stay.
    pub(super) acceptance: f64,
}

/// The draws by which the acceptance of a way to place is estimated.
const DRAWS: usize = 1000;

impl Habit {
    /// Places that are so much likelier than if all of a kind were equally likely, on average 1.
    pub(crate) fn new(
        yard: &Yard,
        spacing: Spacing,
        preference: Option<Arc<PlaceWeights>>,
        rng: &mut SeededRng,
    ) -> Habit {
        let mut habit = Habit {
            spacing,
            preference,
            acceptance: 1.0,
        };
        let urn = Urn::of(yard, &habit);
        let mut dice = Dice::new(rng);
        let mut places = vec![0; yard.ships.len()];
        let stay = (0..DRAWS)
            .filter(|_| urn.draw(&mut dice, &mut places).is_some())
            .count();
        drop(urn);
        habit.acceptance = (real(stay) + 0.5) / (real(DRAWS) + 1.0);
        habit
    }

    /// All fleets are equally likely.
    pub(crate) const fn uniform() -> Habit {
        Habit {
            spacing: Spacing::Any,
            preference: None,
            acceptance: 1.0,
        }
    }

    pub(super) fn is_uniform(&self) -> bool {
        self.spacing == Spacing::Any && self.preference.is_none()
    }

    /// Weight of a place; places are as likely as their weights.
    pub(super) fn weight(&self, kind: usize, place: PlaceIndex) -> f64 {
        self.preference
            .as_ref()
            .map_or(1.0, |table| table[kind][usize::from(place)])
    }

    /// Whether a ship of a kind may be at a place, by its distance to the cells of others.
    pub(super) fn is_apart(
        &self,
        yard: &Yard,
        kind: usize,
        place: PlaceIndex,
        others: u128,
    ) -> bool {
        let kind = &yard.kinds[kind];
        match self.spacing {
            Spacing::Any => true,
            Spacing::Sides => kind.beside[usize::from(place)] & others == 0,
            Spacing::Corners => kind.around[usize::from(place)] & others == 0,
        }
    }

    /// Places the ships in that order, each where `choose` says, in `places`. Returns the cells of
    /// the fleet, or `None` if ships are in each other's way.
    pub(super) fn place(
        &self,
        yard: &Yard,
        order: &[usize],
        places: &mut [PlaceIndex],
        mut choose: impl FnMut(usize) -> PlaceIndex,
    ) -> Option<u128> {
        let mut taken = 0_u128;
        for &ship in order {
            let kind = yard.ships[ship];
            let place = choose(ship);
            if yard.room(ship, place) & taken != 0 || !self.is_apart(yard, kind, place, taken) {
                return None;
            }
            taken |= yard.cells(ship, place);
            places[ship] = place;
        }
        Some(taken)
    }

    /// Likelihood of that fleet, compared with ships that are placed anywhere, also on each other.
    fn density(&self, yard: &Yard, places: &[PlaceIndex]) -> f64 {
        let mut taken = 0;
        let mut density = 1.0 / self.acceptance;
        for (ship, place) in places.iter().enumerate() {
            let kind = yard.ships[ship];
            if !self.is_apart(yard, kind, *place, taken) {
                return 0.0;
            }
            taken |= yard.kinds[kind].cells[usize::from(*place)];
            density *= self.weight(kind, *place);
        }
        density
    }
}

impl Model {
    /// Likelihood of that fleet, compared with ships that are placed anywhere, also on each other.
    fn density(&self, yard: &Yard, places: &[PlaceIndex]) -> f64 {
        match self {
            Model::Habit(habit) => habit.density(yard, places),
            Model::Repeating(fleets) => {
                let same = fleets.iter().filter(|fleet| *fleet == places).count();
                yard.ways() * real(same) / real(fleets.len())
            }
        }
    }
}

/// Belief about an opponent: it places by one of several models, each as likely as its share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mixture {
    pub(crate) parts: Vec<Part>,
}

/// One of the models, and the number of the idea behind it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) model: Model,
    pub(crate) share: f64,
    pub(crate) idea: usize,
}

impl Mixture {
    /// All fleets are equally likely.
    pub(crate) fn uniform() -> Mixture {
        let model = Model::Habit(Habit::uniform());
        Mixture {
            parts: vec![Part {
                model,
                share: 1.0,
                idea: 0,
            }],
        }
    }

    /// Whether it holds all fleets for equally likely.
    pub(crate) fn is_uniform(&self) -> bool {
        matches!(&self.parts[..], [Part { model: Model::Habit(habit), .. }] if habit.is_uniform())
    }

    /// Likelihood of the fleet by each of the models, its share included, up to a factor that is
    /// the same for all.
    pub(crate) fn densities(&self, yard: &Yard, places: &[PlaceIndex]) -> Vec<f64> {
        self.parts
            .iter()
            .map(|part| part.share * part.model.density(yard, places))
            .collect()
    }

    /// The number of the part that finds the fleet the most likely.
    pub(super) fn likeliest(&self, yard: &Yard, places: &[PlaceIndex]) -> u8 {
        let densities = self.densities(yard, places);
        let likeliest = (0_u8..)
            .zip(&densities)
            .max_by(|(_, one), (_, other)| one.total_cmp(other));
        likeliest.map_or(0, |(number, _)| number)
    }
}
