//! More fleets from those that there are, by moving their ships at random (Metropolis and
//! Hastings).

use battleship::seeded::SeededRng;

use super::super::yard::{PlaceIndex, Yard};
use super::model::{Habit, Mixture, Model};
use super::options::Options;
use super::{Dice, Sample};

/// Moves ships so that fleets stay as likely as they are: a step draws a new place for one ship,
/// all on the same hits being equally likely, and is taken as Metropolis's rule says, never if
/// ships are in each other's way. So each hit stays with its ship.
pub(super) struct Mover<'a> {
    yard: &'a Yard,
    options: &'a Options,
    /// The ships that have more than one place.
    ships: Vec<usize>,
}

/// A fleet whose ships move.
struct Moving<'a> {
    habit: &'a Habit,
    cells: u128,
    places: &'a mut [PlaceIndex],
}

impl Mover<'_> {
    pub(super) fn new<'a>(yard: &'a Yard, options: &'a Options) -> Mover<'a> {
        let ships: Vec<usize> = (0..yard.ships.len())
            .filter(|ship| options.len(*ship) > 1)
            .collect();
        Mover {
            yard,
            options,
            ships,
        }
    }

    /// Moves each ship `rounds` times.
    fn shuffle(&self, fleet: &mut Moving<'_>, rounds: usize, dice: &mut Dice<'_>) {
        for _ in 0..rounds {
            for ship in &self.ships {
                self.move_one(*ship, fleet, dice);
            }
        }
    }

    fn move_one(&self, ship: usize, fleet: &mut Moving<'_>, dice: &mut Dice<'_>) {
        let number = self.yard.ships[ship];
        let kind = &self.yard.kinds[number];
        let from = fleet.places[ship];
        let old = kind.cells[usize::from(from)];
        let places = self.options.on(ship, old & self.options.hits);
        if places.len() < 2 {
            return;
        }
        let to = places[dice.below(places.len())];
        let new = kind.cells[usize::from(to)];
        let others = fleet.cells & !old;
        let habit = fleet.habit;
        if kind.room[usize::from(to)] & others == 0
            && habit.is_apart(self.yard, number, to, others)
            && dice.happens(habit.weight(number, to) / habit.weight(number, from))
        {
            fleet.cells = others | new;
            fleet.places[ship] = to;
        }
    }
}

/// Moves of each ship of a copy, at least and at most.
const ROUNDS: [usize; 2] = [3, 24];
/// From fewer fleets than that copies are made with more moves: they would be alike otherwise.
const MANY: usize = 400;

impl Sample {
    /// Adds fleets until there are `many`: copies of those that there are, with their ships moved.
    /// Stops early if time `is_up`.
    pub(crate) fn renew(
        &mut self,
        yard: &Yard,
        mixture: &Mixture,
        options: &Options,
        many: usize,
        rng: &mut SeededRng,
        is_up: impl Fn() -> bool,
    ) {
        let old = self.len();
        let n_ships = self.n_ships;
        if old == 0 {
            return;
        }
        let mover = Mover::new(yard, options);
        let mut dice = Dice::new(rng);
        let rounds = (ROUNDS[0] * MANY / old).clamp(ROUNDS[0], ROUNDS[1]);
        for copy in old..many {
            // All fleets get as many copies, so that the shares of the models stay.
            let from = (copy - old) * old / (many - old);
            if copy % 64 == 0 && is_up() {
                return;
            }
            let model = self.models[from];
            let of_it = from * n_ships..(from + 1) * n_ships;
            self.places.extend_from_within(of_it);
            self.cells.push(self.cells[from]);
            self.models.push(model);
            // Those that an opponent repeats do not move.
            if let Model::Habit(habit) = &mixture.parts[usize::from(model)].model {
                let places = &mut self.places[copy * n_ships..];
                let cells = self.cells[copy];
                let mut fleet = Moving {
                    habit,
                    cells,
                    places,
                };
                mover.shuffle(&mut fleet, rounds, &mut dice);
                self.cells[copy] = fleet.cells;
            }
        }
    }
}
