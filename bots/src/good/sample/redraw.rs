//! More fleets, drawn from those that agree with what was seen.
//!
//! Each hit is on exactly one ship. A cover says which ship is on which hits; each ship then has the places that lie on these hits
//! and no others. They are drawn ship by ship, and a fleet whose ships are in each other's way is left out: the others are as
//! likely as they are among all fleets that agree.

use std::cmp::Reverse;

use battleship::seeded::SeededRng;

use super::super::cells::real;
use super::super::yard::{PlaceIndex, Yard};
use super::model::{Habit, Mixture, Model, Part};
use super::options::{Group, Options};
use super::{Dice, Sample};

/// The groups of places that a search for covers may try. If it ends without all, fleets are made by moving ships instead.
const TRIES: usize = 4_000;
/// The most rounds of draws: where ships are crowded, few fleets stay.
const PASSES: usize = 6;

/// By ship: the number of its group of places.
type Cover = Vec<usize>;

/// A search for all covers.
struct Covers<'a> {
    options: &'a Options,
    tries: usize,
    chosen: Vec<Option<usize>>,
    found: Vec<Cover>,
}

impl Covers<'_> {
    /// All of them; `None` if they are too many.
    fn of(options: &Options) -> Option<Vec<Cover>> {
        let chosen = vec![None; options.ships.len()];
        let mut covers = Covers { options, tries: TRIES, chosen, found: Vec::new() };
        covers.share(options.hits);
        (covers.tries > 0).then_some(covers.found)
    }

    /// Shares the `open` hits among the ships that have none yet.
    fn share(&mut self, open: u128) {
        let groups = self.options.ships.iter();
        if open == 0 {
            let beside = |groups: &[Group]| groups.iter().position(|group| group.on == 0);
            let cover = groups.zip(&self.chosen).map(|(groups, chosen)| chosen.or(beside(groups)));
            self.found.extend(cover.collect::<Option<Cover>>());
            return;
        }
        let first = open & open.wrapping_neg();
        for (ship, groups) in groups.enumerate() {
            if self.chosen[ship].is_some() {
                continue;
            }
            for (number, group) in groups.iter().enumerate() {
                if group.on & first != 0 && group.on & !open == 0 && self.tries > 0 {
                    self.tries -= 1;
                    self.chosen[ship] = Some(number);
                    self.share(open & !group.on);
                }
            }
            self.chosen[ship] = None;
        }
    }
}

/// The fleets of an idea that agree with what was seen.
enum Source<'a> {
    /// By ship and group: the sums of the weights of the places up to each; and how likely each cover is.
    Places { habit: &'a Habit, sums: Vec<Vec<Vec<f64>>>, covers: Vec<f64> },
    /// The fleets that may be repeated, and how likely they are together.
    Fleets(Vec<&'a [PlaceIndex]>, f64),
}

impl Source<'_> {
    fn of<'a>(yard: &Yard, part: &'a Part, options: &Options, covers: &[Cover]) -> Source<'a> {
        match &part.model {
            Model::Habit(habit) => {
                let sums_of = |ship: usize, group: &Group| -> Vec<f64> {
                    let weights = group.places.iter().map(|at| habit.weight(yard.ships[ship], *at));
                    let add = |sum: &mut f64, weight| {
                        *sum += weight;
                        Some(*sum)
                    };
                    weights.scan(0.0, add).collect()
                };
                let groups = options.ships.iter().enumerate();
                let sums: Vec<Vec<Vec<f64>>> = groups
                    .map(|(ship, groups)| groups.iter().map(|group| sums_of(ship, group)).collect())
                    .collect();
                let share = part.share / habit.acceptance;
                let all = |(sums, group): (&Vec<Vec<f64>>, &usize)| sums[*group].last().copied();
                let weight = |cover: &Cover| {
                    sums.iter().zip(cover).map(|both| all(both).unwrap_or(0.0)).product::<f64>()
                };
                let covers = covers.iter().map(|cover| share * weight(cover)).collect();
                Source::Places { habit, sums, covers }
            }
            Model::Repeating(fleets) => {
                let agree: Vec<&[PlaceIndex]> = fleets
                    .iter()
                    .map(|fleet| &fleet[..])
                    .filter(|f| options.agrees(yard, f))
                    .collect();
                let all: f64 =
                    yard.ships.iter().map(|kind| real(yard.kinds[*kind].len())).product();
                let likely = part.share * all * real(agree.len()) / real(fleets.len());
                Source::Fleets(agree, likely)
            }
        }
    }

    fn likely(&self) -> f64 {
        match self {
            Source::Places { covers, .. } => covers.iter().sum(),
            Source::Fleets(_, likely) => *likely,
        }
    }
}

impl Sample {
    /// Adds fleets until there are about `many`; fewer if there are too many covers, hardly any fleet fits, or
    /// time `is_up`. Not for games in which hits are only counted.
    pub(crate) fn redraw(
        &mut self,
        yard: &Yard,
        mixture: &Mixture,
        options: &Options,
        many: usize,
        rng: &mut SeededRng,
        is_up: impl Fn() -> bool,
    ) {
        let Some(covers) = Covers::of(options) else { return };
        let sources: Vec<Source<'_>> =
            mixture.parts.iter().map(|part| Source::of(yard, part, options, &covers)).collect();
        let all: f64 = sources.iter().map(Source::likely).sum();
        let mut order: Vec<usize> = (0..yard.ships.len()).collect();
        order.sort_by_key(|ship| Reverse(yard.kind_of(*ship).length));
        let (mut dice, mut places) = (Dice::new(rng), vec![0; yard.ships.len()]);
        for _ in 0..PASSES {
            if self.len() >= many || all <= 0.0 {
                return;
            }
            let (draws, mut due) = (real(many - self.len()) / all, 0.5);
            for (number, source) in (0..).zip(&sources) {
                match source {
                    Source::Places { habit, sums, covers: likely } => {
                        for (cover, likely) in covers.iter().zip(likely) {
                            due += draws * likely;
                            while due >= 1.0 {
                                due -= 1.0;
                                let groups = (options, &sums[..], cover);
                                let fleet =
                                    draw(yard, habit, groups, &order, &mut dice, &mut places);
                                if let Some(cells) = fleet {
                                    self.push(cells, &places, number);
                                }
                            }
                        }
                    }
                    Source::Fleets(fleets, likely) => {
                        due += draws * likely;
                        while due >= 1.0 {
                            due -= 1.0;
                            let fleet = fleets[dice.below(fleets.len())];
                            self.push(yard.cells_of(fleet), fleet, number);
                        }
                    }
                }
                if is_up() {
                    return;
                }
            }
        }
    }
}

/// Draws the places of all ships; returns the cells of the fleet, or `None` if ships are in each other's way.
fn draw(
    yard: &Yard,
    habit: &Habit,
    (options, sums, cover): (&Options, &[Vec<Vec<f64>>], &Cover),
    order: &[usize],
    dice: &mut Dice<'_>,
    places: &mut [PlaceIndex],
) -> Option<u128> {
    let mut taken = 0_u128;
    for &ship in order {
        let (group, sums) = (&options.ships[ship][cover[ship]].places, &sums[ship][cover[ship]]);
        let nth = if habit.preference.is_none() {
            dice.below(group.len())
        } else {
            let at = dice.share() * sums.last()?;
            sums.partition_point(|sum| *sum <= at).min(group.len() - 1)
        };
        let (place, kind) = (group[nth], yard.ships[ship]);
        if yard.room(ship, place) & taken != 0 || !habit.is_apart(yard, kind, place, taken) {
            return None;
        }
        taken |= yard.cells(ship, place);
        places[ship] = place;
    }
    Some(taken)
}
