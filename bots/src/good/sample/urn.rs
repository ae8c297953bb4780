//! Fleets drawn from scratch.

use battleship::seeded::SeededRng;

use super::super::cells::real;
use super::super::yard::{PlaceIndex, Yard};
use super::model::{Habit, Mixture, Model};
use super::{Dice, Sample};

/// Draws an index as likely as its weight, in a fixed time (A. J. Walker's alias method).
#[derive(Clone, Debug)]
struct Alias {
    /// By index: the chance that it stays, of 2^16, and the one that comes in its place.
    slots: Vec<(usize, PlaceIndex)>,
}

const SURE: usize = 1 << 16;

impl Alias {
    fn new(weights: &[f64]) -> Alias {
        let mean = weights.iter().sum::<f64>() / real(weights.len().max(1));
        let mut scaled: Vec<f64> = weights
            .iter()
            .map(|weight| weight / mean.max(f64::MIN_POSITIVE))
            .collect();
        let mut slots = vec![(SURE, 0); scaled.len()];
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..scaled.len()).partition(|index| scaled[*index] < 1.0);
        while let (Some(low), Some(high)) = (small.pop(), large.pop()) {
            slots[low] = (part_of(SURE, scaled[low]), place(high));
            scaled[high] -= 1.0 - scaled[low];
            if scaled[high] < 1.0 {
                small.push(high);
            } else {
                large.push(high);
            }
        }
        Alias { slots }
    }

    fn draw(&self, dice: &mut Dice<'_>) -> PlaceIndex {
        let index = dice.below(self.slots.len());
        let (stays, other) = self.slots[index];
        if dice.below(SURE) < stays {
            place(index)
        } else {
            other
        }
    }
}

fn place(index: usize) -> PlaceIndex {
    PlaceIndex::try_from(index).expect("a kind has at most 180 places")
}

/// That share of a number, rounded down.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shares are from 0 to 1, and the numbers are small"
)]
fn part_of(number: usize, share: f64) -> usize {
    (real(number) * share) as usize
}

/// Draws fleets in one way.
pub(super) struct Urn<'a> {
    yard: &'a Yard,
    habit: &'a Habit,
    /// By kind; empty if all places are equally likely.
    kinds: Vec<Alias>,
    order: Vec<usize>,
}

impl Urn<'_> {
    pub(super) fn of<'a>(yard: &'a Yard, habit: &'a Habit) -> Urn<'a> {
        let tables = habit.preference.iter().flat_map(|table| table.iter());
        let kinds = tables.map(|weights| Alias::new(weights)).collect();
        Urn {
            yard,
            habit,
            kinds,
            order: yard.longest_first(),
        }
    }

    /// Draws the places of all ships; returns the cells of the fleet, or `None` if it may not stay.
    pub(super) fn draw(&self, dice: &mut Dice<'_>, places: &mut [PlaceIndex]) -> Option<u128> {
        self.habit.place(self.yard, &self.order, places, |ship| {
            let kind = self.yard.ships[ship];
            match self.kinds.get(kind) {
                Some(alias) => alias.draw(dice),
                None => place(dice.below(self.yard.kinds[kind].len())),
            }
        })
    }
}

/// The draws that may be made for each fleet that is asked for.
const PATIENCE: usize = 60;

impl Sample {
    /// Draws about `many` fleets, as many by each model as its share says; fewer where hardly any
    /// fits on the board, or if time `is_up`.
    pub(crate) fn draw(
        yard: &Yard,
        mixture: &Mixture,
        many: usize,
        rng: &mut SeededRng,
        is_up: impl Fn() -> bool,
    ) -> Sample {
        let mut sample = Sample::new(yard.ships.len());
        let all: f64 = mixture.parts.iter().map(|part| part.share).sum();
        let mut dice = Dice::new(rng);
        let mut places = vec![0; yard.ships.len()];
        let mut sum = 0.0;
        let mut drawn = 0;
        for (number, part) in (0..).zip(&mixture.parts) {
            // Rounding the sums keeps the whole near `many`, whatever the shares are.
            sum += part.share / all;
            let due = part_of(many, sum + 1e-9) - drawn;
            drawn += due;
            match &part.model {
                Model::Habit(habit) => {
                    let urn = Urn::of(yard, habit);
                    let enough = sample.len() + due;
                    let mut draws = PATIENCE * due;
                    while sample.len() < enough && draws > 0 {
                        if draws.is_multiple_of(256) && is_up() {
                            break;
                        }
                        draws -= 1;
                        if let Some(cells) = urn.draw(&mut dice, &mut places) {
                            sample.push(cells, &places, number);
                        }
                    }
                }
                Model::Repeating(fleets) => {
                    for _ in 0..due {
                        let fleet = &fleets[dice.below(fleets.len())];
                        sample.push(yard.cells_of(fleet), fleet, number);
                    }
                }
            }
        }
        sample
    }
}
