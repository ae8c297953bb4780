//! All fleets that agree with what was seen, one by one.

use battleship::seeded::SeededRng;

use super::super::cells::real;
use super::super::yard::{PlaceIndex, Yard};
use super::Sample;
use super::model::Mixture;
use super::options::Options;

/// The places of ships that a search may try.
const TRIES: usize = 20_000;

impl Sample {
    /// All fleets that agree with what was seen, each once, if all are equally likely; else about
    /// `few` of them, each as often as it is likely. `None` if there are more than `few` or they
    /// are not found soon.
    pub(crate) fn list(
        yard: &Yard,
        mixture: &Mixture,
        options: &Options,
        few: usize,
    ) -> Option<Sample> {
        let (all, is_complete) = Search::new(yard, options, few, TRIES).all();
        if !is_complete || mixture.is_uniform() {
            return is_complete.then_some(all);
        }
        let by_part = |fleet: usize| {
            mixture
                .densities(yard, all.places(fleet))
                .into_iter()
                .enumerate()
        };
        let densities: Vec<(usize, usize, f64)> = (0..all.len())
            .flat_map(|fleet| by_part(fleet).map(move |(part, density)| (fleet, part, density)))
            .collect();
        let total: f64 = densities.iter().map(|(_, _, density)| density).sum();
        if total <= 0.0 {
            // There is no fleet.
            return Some(all);
        }
        let mut sample = Sample::new(yard.ships.len());
        let mut due = 0.5;
        for (fleet, part, density) in densities {
            due += density / total * real(few);
            while due >= 1.0 {
                due -= 1.0;
                let number = u8::try_from(part).expect("there are few ideas");
                sample.push(all.cells(fleet), all.places(fleet), number);
            }
        }
        Some(sample)
    }

    /// A few fleets that agree with what was seen, searched at random; none if that is too hard.
    /// The order of the options changes.
    pub(crate) fn search(
        yard: &Yard,
        mixture: &Mixture,
        options: &mut Options,
        rng: &mut SeededRng,
    ) -> Sample {
        const SEARCHES: usize = 16;
        let mut sample = Sample::new(yard.ships.len());
        for _ in 0..SEARCHES {
            options.shuffle(rng);
            let found = Search::new(yard, options, 1, TRIES / SEARCHES).any();
            if found.len() > 0 {
                let places = found.places(0);
                sample.push(found.cells(0), places, mixture.likeliest(yard, places));
            }
        }
        sample
    }
}

struct Search<'a> {
    yard: &'a Yard,
    options: &'a Options,
    /// The places that it may still try, and the fleets that it may still find.
    tries: usize,
    most: usize,
    /// Of the ships that are placed.
    places: Vec<PlaceIndex>,
    is_placed: Vec<bool>,
    found: Sample,
    /// Whether it gave up.
    is_over: bool,
    /// Whether it does not matter which fleets it finds.
    is_for_any: bool,
}

impl Search<'_> {
    fn new<'a>(yard: &'a Yard, options: &'a Options, most: usize, tries: usize) -> Search<'a> {
        let n_ships = yard.ships.len();
        Search {
            yard,
            options,
            tries,
            most,
            places: vec![0; n_ships],
            is_placed: vec![false; n_ships],
            found: Sample::new(n_ships),
            is_over: false,
            is_for_any: false,
        }
    }

    /// Finds fleets, and says whether these are all there are.
    fn all(mut self) -> (Sample, bool) {
        self.place(self.places.len(), 0, self.options.hits);
        (self.found, !self.is_over)
    }

    /// Finds some fleets, and rather soon.
    fn any(mut self) -> Sample {
        self.is_for_any = true;
        self.all().0
    }

    /// Places the ships that are `left`, beside those on `taken` cells, so that they cover the
    /// `open` hits.
    fn place(&mut self, left: usize, taken: u128, open: u128) {
        if left == 0 {
            if open != 0 {
                return;
            }
            if self.found.len() == self.most {
                self.is_over = true;
            } else {
                self.found.push(taken, &self.places, 0);
            }
            return;
        }
        let unplaced = |search: &Self, ship: &usize| !search.is_placed[*ship];
        let ships = 0..self.is_placed.len();
        if open == 0 {
            // The one with the fewest places first.
            let ship = ships.filter(|ship| unplaced(self, ship));
            let ship = ship.min_by_key(|ship| self.options.on(*ship, 0).len());
            self.try_places(ship.expect("one is left"), left, taken, open, 0);
            return;
        }
        // Exactly one ship lies on a hit, so every fleet is found once.
        let hit = if self.is_for_any {
            self.hardest(taken, open)
        } else {
            open & open.wrapping_neg()
        };
        for ship in ships {
            if unplaced(self, &ship) && !(self.is_for_any && self.is_like_an_earlier(ship)) {
                self.try_places(ship, left, taken, open, hit);
            }
        }
    }

    /// The one of the `open` hits that the fewest places can cover.
    fn hardest(&self, taken: u128, open: u128) -> u128 {
        let ships = (0..self.places.len())
            .filter(|ship| !self.is_placed[*ship] && !self.is_like_an_earlier(*ship));
        let mut hits = Vec::new();
        let mut ways = Vec::new();
        let mut rest = open;
        while rest != 0 {
            hits.push(rest & rest.wrapping_neg());
            ways.push(0);
            rest &= rest - 1;
        }
        for ship in ships {
            for group in self.options.ships[ship]
                .iter()
                .filter(|group| group.on & !open == 0)
            {
                let fits = |place: &&PlaceIndex| self.yard.room(ship, **place) & taken == 0;
                let many = group.places.iter().filter(fits).count();
                for (hit, ways) in hits.iter().zip(&mut ways) {
                    *ways += if group.on & hit == 0 { 0 } else { many };
                }
            }
        }
        let hardest = hits.iter().zip(ways).min_by_key(|(_, ways)| *ways);
        hardest.map_or(0, |(hit, _)| *hit)
    }

    /// Whether a ship with a smaller id can be in the same places and is not placed either.
    fn is_like_an_earlier(&self, ship: usize) -> bool {
        (0..ship).any(|other| {
            !self.is_placed[other]
                && self.yard.ships[other] == self.yard.ships[ship]
                && self.options.is_afloat[other]
                && self.options.is_afloat[ship]
        })
    }

    /// Tries the places of a ship that lie on the hits `must`, and on none but the `open` ones.
    fn try_places(&mut self, ship: usize, left: usize, taken: u128, open: u128, must: u128) {
        self.is_placed[ship] = true;
        let options = self.options;
        let fits = |on: u128| on & must == must && on & !open == 0;
        let places = options.ships[ship].iter().filter(|group| fits(group.on));
        for place in places.flat_map(|group| &group.places) {
            self.is_over |= self.tries == 0;
            if self.is_over {
                break;
            }
            self.tries -= 1;
            let cells = self.yard.cells(ship, *place);
            if self.yard.room(ship, *place) & taken == 0 {
                self.places[ship] = *place;
                self.place(left - 1, taken | cells, open & !cells);
            }
        }
        self.is_placed[ship] = false;
    }
}
