//! The result of the count: the chance of each place.

use super::super::cells::real;
use super::class::Class;
use super::lines::Lines;

/// All fleets that agree with what was seen, counted (or weighed).
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    /// The sum over all such fleets: their number, if all fleets are equally likely.
    pub(super) total: f64,
    classes: Vec<Class>,
    /// By class: the sum over the fleets with a ship of it at a place, by place.
    sums: Vec<Lines>,
}

impl Posterior {
    pub(super) const fn new(total: f64, classes: Vec<Class>, sums: Vec<Lines>) -> Posterior {
        Posterior {
            total,
            classes,
            sums,
        }
    }

    /// Returns the chance of each place of the ship with this id. They add up to 1.
    pub(super) fn places_of(&self, ship: usize) -> Lines {
        let mut lines = Lines::ZERO;
        for (class, sums) in self.classes.iter().zip(&self.sums) {
            if class.ships.contains(&ship) {
                lines.add_scaled(1.0 / (self.total * real(class.ships.len())), sums);
            }
        }
        lines
    }
}
