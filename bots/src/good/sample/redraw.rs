//! More fleets, drawn from those that agree with what was seen.
//!
//! Each hit is on exactly one ship. A cover says which ship is on which hits; each ship then has
//! the places that lie on these hits and no others. They are drawn ship by ship, and a fleet whose
//! ships are in each other's way is left out: the others are as likely as they are among all fleets
//! that agree.

use battleship::seeded::SeededRng;

use super::super::cells::real;
use super::super::yard::{PlaceIndex, Yard};
use super::model::{Habit, Mixture, Model, Part};
use super::options::{Group, Options};
use super::{Dice, Sample};

/// The groups of places that a search for covers may try. If it ends without all, fleets are made
/// by moving ships instead.
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
        let mut covers = Covers {
            options,
            tries: TRIES,
            chosen,
            found: Vec::new(),
        };
        covers.share(options.hits);
        (covers.tries > 0).then_some(covers.found)
    }

    /// Shares the `open` hits among the ships that have none yet.
    fn share(&mut self, open: u128) {
        let groups = self.options.ships.iter();
        if open == 0 {
            let beside = |groups: &[Group]| groups.iter().position(|group| group.on == 0);
            let cover = groups
                .zip(&self.chosen)
                .map(|(groups, chosen)| chosen.or(beside(groups)));
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

/// Sums of the weights of the places of a group up to each, by ship and group.
type Sums = Vec<Vec<Vec<f64>>>;

/// The fleets of an idea that agree with what was seen.
struct Source<'a> {
    fleets: Fleets<'a>,
    /// By cover: its likelihood beside all others, before ships are in each other's way. Fleets
    /// that may be repeated have one number for all.
    likely: Vec<f64>,
}

enum Fleets<'a> {
    Placed(&'a Habit, Sums),
    Repeated(Vec<&'a [PlaceIndex]>),
}

impl Source<'_> {
    fn of<'a>(yard: &Yard, part: &'a Part, options: &Options, covers: &[Cover]) -> Source<'a> {
        match &part.model {
            Model::Habit(habit) => {
                let sums = sums(yard, habit, options);
                let share = part.share / habit.acceptance;
                let weight = |cover: &Cover| {
                    let all = sums
                        .iter()
                        .zip(cover)
                        .map(|(sums, group)| last(&sums[*group]));
                    share * all.product::<f64>()
                };
                let likely = covers.iter().map(weight).collect();
                Source {
                    fleets: Fleets::Placed(habit, sums),
                    likely,
                }
            }
            Model::Repeating(all) => {
                let fleets = all.iter().map(|fleet| &fleet[..]);
                let agree: Vec<_> = fleets.filter(|fleet| options.agrees(yard, fleet)).collect();
                let likely = part.share * yard.ways() * real(agree.len()) / real(all.len());
                Source {
                    fleets: Fleets::Repeated(agree),
                    likely: vec![likely],
                }
            }
        }
    }
}

fn sums(yard: &Yard, habit: &Habit, options: &Options) -> Sums {
    let sums_of = |kind: usize, group: &Group| {
        let mut sum = 0.0;
        let add = |place: &PlaceIndex| {
            sum += habit.weight(kind, *place);
            sum
        };
        group.places.iter().map(add).collect()
    };
    let by_ship = yard.ships.iter().zip(&options.ships);
    let of_groups = |(kind, groups): (&usize, &Vec<Group>)| {
        groups.iter().map(|group| sums_of(*kind, group)).collect()
    };
    by_ship.map(of_groups).collect()
}

/// The sum of all weights of a group.
fn last(sums: &[f64]) -> f64 {
    *sums.last().expect("a group has a place")
}

impl Sample {
    /// Adds fleets until there are about `many`; fewer if there are too many covers, hardly any
    /// fleet fits, or time `is_up`.
    pub(crate) fn redraw(
        &mut self,
        yard: &Yard,
        mixture: &Mixture,
        options: &Options,
        many: usize,
        rng: &mut SeededRng,
        is_up: impl Fn() -> bool,
    ) {
        let Some(covers) = Covers::of(options) else {
            return;
        };
        let sources: Vec<Source<'_>> = mixture
            .parts
            .iter()
            .map(|part| Source::of(yard, part, options, &covers))
            .collect();
        let all: f64 = sources
            .iter()
            .map(|source| source.likely.iter().sum::<f64>())
            .sum();
        let order = yard.longest_first();
        let mut dice = Dice::new(rng);
        let mut places = vec![0; yard.ships.len()];
        for _ in 0..PASSES {
            if self.len() >= many || all <= 0.0 || is_up() {
                return;
            }
            let draws = real(many - self.len()) / all;
            let mut due = 0.5;
            for (number, Source { fleets, likely }) in (0..).zip(&sources) {
                for (nth, likely) in likely.iter().enumerate() {
                    due += draws * likely;
                    while due >= 1.0 {
                        due -= 1.0;
                        let drawn = match fleets {
                            Fleets::Placed(habit, sums) => {
                                let draw = |ship: usize| {
                                    let group = covers[nth][ship];
                                    let places = &options.ships[ship][group].places;
                                    draw(places, &sums[ship][group], habit, &mut dice)
                                };
                                habit.place(yard, &order, &mut places, draw)
                            }
                            Fleets::Repeated(fleets) => {
                                places.copy_from_slice(fleets[dice.below(fleets.len())]);
                                Some(yard.cells_of(&places))
                            }
                        };
                        if let Some(cells) = drawn {
                            self.push(cells, &places, number);
                        }
                    }
                }
            }
        }
    }
}

/// Draws a place, as likely as its weight; `sums` are those of the weights up to each.
fn draw(places: &[PlaceIndex], sums: &[f64], habit: &Habit, dice: &mut Dice<'_>) -> PlaceIndex {
    if habit.preference.is_none() {
        return places[dice.below(places.len())];
    }
    let at = dice.share() * last(sums);
    places[sums.partition_point(|sum| *sum <= at).min(places.len() - 1)]
}
