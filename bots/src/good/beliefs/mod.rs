//! The beliefs about the placement of an opponent's ships.
//!
//! Several ideas of that compete. Each gives every fleet a chance. After each game an idea's credit
//! is multiplied by how likely it made what was seen, compared with all ideas together (Bayes'
//! rule). A little of the credit is handed back each time, so that an opponent that changes its
//! ways is noticed soon.

mod ideas;
mod lasting;
mod tables;
mod taste;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use battleship::seeded::SeededRng;
use battleship::{Game, Point};

use super::cells::{ByCell, SIZE, index, real};
use super::sample::{Habit, Mixture, Model, Part, PlaceWeights, Sample};
use super::yard::{PlaceIndex, Yard};
use ideas::{Idea, Preference};
use tables::{sum_over, with_mean_one};
use taste::Taste;

pub(super) use lasting::lasting;
pub(super) use tables::table;

/// The part of all credit that is handed back after each game.
const HANDED_BACK: f64 = 0.02;
/// Ideas with less credit are left out of a game.
const NEGLIGIBLE: f64 = 1e-5;
/// Number of fleets that judge the credit after a game: some that may have been it.
const JUDGES: usize = 64;
/// The games whose fleets are remembered.
const REMEMBERED: usize = 64;
/// The ratio of the weight of a shot to that of the one before.
const FADING: f64 = 0.97;

/// The beliefs about one opponent, in games of one kind.
#[derive(Debug)]
pub(super) struct Beliefs {
    game: Game,
    yard: Arc<Yard>,
    /// By idea.
    credit: Vec<f64>,
    /// The belief about the opponent's placement in this game.
    mixture: Arc<Mixture>,
    /// By place: how likely it is in a random fleet, and how likely it is for the mediocre player.
    random: PlaceWeights,
    mediocre: Option<PlaceWeights>,
    /// The time that it takes to find a fleet with a ship there.
    lasting: Option<PlaceWeights>,
    /// The cells of some random fleets.
    random_cells: Vec<u128>,
    /// By place: how often it was seen, or how likely it was; the sum over the games.
    seen: PlaceWeights,
    taste: Taste,
    /// The fleets of the last games, the oldest first.
    fleets: Vec<Vec<PlaceIndex>>,
    games: usize,
    /// The earliness of this player's shots at each cell: the sum over the games, and in the last.
    shot: ByCell,
    shot_last: ByCell,
}

impl Beliefs {
    /// Returns the beliefs about a stranger.
    pub(super) fn of_stranger(game: &Game) -> Beliefs {
        let yard = Yard::new(game);
        let fleets = tables::random_fleets(&yard);
        let mut beliefs = Beliefs {
            game: game.clone(),
            credit: ideas::all().into_iter().map(|(_, credit)| credit).collect(),
            mixture: Arc::default(),
            random: tables::chances(game, &yard, &fleets),
            mediocre: tables::mediocre(game, &yard),
            lasting: lasting(game, &yard),
            random_cells: (0..fleets.len().min(1000))
                .map(|fleet| fleets.cells(fleet))
                .collect(),
            seen: table(&yard, |_, _| 0.0),
            taste: Taste::new(game, &yard),
            fleets: Vec::new(),
            games: 0,
            shot: [0.0; SIZE * SIZE],
            shot_last: [0.0; SIZE * SIZE],
            yard: Arc::new(yard),
        };
        beliefs.mixture = Arc::new(beliefs.mix());
        beliefs
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn yard(&self) -> Arc<Yard> {
        self.yard.clone()
    }

    /// Returns the belief about the opponent's placement in this game.
    pub(super) fn mixture(&self) -> Arc<Mixture> {
        self.mixture.clone()
    }

    /// The idea with that number, in words.
    pub(super) fn words(idea: usize) -> String {
        ideas::all()[idea].0.to_string()
    }

    /// Learns from a game: each of the fleets may have been the opponent's, and this player made
    /// those attacks.
    pub(super) fn learn(&mut self, fleets: &Sample, attacks: &[Point]) {
        if fleets.len() > 0 {
            self.judge(fleets);
            for (seen, counts) in self.seen.iter_mut().zip(fleets.count_places(&self.yard)) {
                for (seen, count) in seen.iter_mut().zip(counts) {
                    *seen += count / real(fleets.len());
                }
            }
            if self.fleets.len() == REMEMBERED {
                self.fleets.remove(0);
            }
            self.fleets.push(fleets.places(fleets.len() / 2).to_vec());
            self.games += 1;
            self.taste.learn(&self.yard, &self.seen, &self.random);
        }
        self.shot_last = early(&self.game, attacks);
        for (all, last) in self.shot.iter_mut().zip(&self.shot_last) {
            *all += last;
        }
        self.mixture = Arc::new(self.mix());
    }

    /// Multiplies the credit of each idea by how likely it made the fleets that are possible.
    fn judge(&mut self, fleets: &Sample) {
        let parts = &self.mixture.parts;
        let shares: f64 = parts.iter().map(|part| part.share).sum();
        let mut likely = vec![0.0; parts.len()];
        let judges = fleets.len().min(JUDGES);
        for number in 0..judges {
            let places = fleets.places(number * fleets.len() / judges);
            let densities = self.mixture.densities(&self.yard, places);
            // The fleets were drawn as the mixture says: an idea is as likely as its part of that,
            // on average.
            let all: f64 = densities.iter().sum();
            if all > 0.0 {
                for ((likely, part), density) in likely.iter_mut().zip(parts).zip(densities) {
                    *likely += density / part.share * shares / all / real(judges);
                }
            }
        }
        for (part, likely) in parts.iter().zip(likely) {
            // By chance an idea may come out as impossible.
            self.credit[part.idea] *= likely.max(1e-9);
        }
        let sum: f64 = self.credit.iter().sum();
        for (credit, (_, first)) in self.credit.iter_mut().zip(ideas::all()) {
            *credit = (1.0 - HANDED_BACK) * *credit / sum + HANDED_BACK * first;
        }
    }

    /// The ideas as models of fleets.
    fn mix(&self) -> Mixture {
        let mut mixture = Mixture::default();
        // Other numbers in each game: the errors of what is estimated by them would add up
        // otherwise.
        let mut rng = SeededRng::new(self.games as u64);
        let mut known: Vec<(Preference, Option<Arc<PlaceWeights>>)> = Vec::new();
        for (idea, ((what, _), credit)) in ideas::all().into_iter().zip(&self.credit).enumerate() {
            if *credit < NEGLIGIBLE || !self.is_ready(what) {
                continue;
            }
            let model = match what {
                Idea::Repeating => Model::Repeating(self.fleets.clone()),
                Idea::Placing(spacing, preference) => {
                    let made = known.iter().find(|(other, _)| *other == preference);
                    let table = match made {
                        Some((_, table)) => table.clone(),
                        None => self.table_of(preference).map(with_mean_one).map(Arc::new),
                    };
                    known.push((preference, table.clone()));
                    Model::Habit(Habit::new(&self.yard, spacing, table, &mut rng))
                }
            };
            mixture.parts.push(Part {
                model,
                share: *credit,
                idea,
            });
        }
        mixture
    }

    /// Whether enough is known for an idea.
    fn is_ready(&self, idea: Idea) -> bool {
        match idea {
            Idea::Repeating => !self.fleets.is_empty(),
            Idea::Placing(spacing, _) if spacing.is_a_rule_of(&self.game) => false,
            Idea::Placing(_, preference) => match preference {
                Preference::None | Preference::Edge(_) => true,
                Preference::Mediocre => self.mediocre.is_some(),
                Preference::Lasting(_) => self.lasting.is_some(),
                Preference::Taste
                | Preference::Again(_)
                | Preference::Dodging(_)
                | Preference::DodgingLast(_) => self.games > 0,
            },
        }
    }

    /// Returns the weight of each place by that preference, up to a factor; `None` if all are
    /// equally likely.
    fn table_of(&self, preference: Preference) -> Option<PlaceWeights> {
        match preference {
            Preference::None => None,
            Preference::Mediocre => {
                let places = self.mediocre.as_ref()?;
                Some(self.compared(|kind, place| (0.9, places[kind][place])))
            }
            Preference::Edge(weight) => {
                let mut cells = [0.0; SIZE * SIZE];
                let last_row = self.game.rows() - 1;
                let last_col = self.game.cols() - 1;
                for Point { row, col } in self.game.points() {
                    if row == 0 || col == 0 || row == last_row || col == last_col {
                        cells[index(Point::new(row, col))] = weight;
                    }
                }
                Some(tables::by_cells(&self.yard, &cells))
            }
            Preference::Lasting(leaning) => {
                let lasting = self.lasting.as_ref()?;
                Some(table(&self.yard, |kind, place| {
                    libm::exp(leaning * lasting[kind][place])
                }))
            }
            Preference::Taste => Some(self.taste.table(&self.yard)),
            Preference::Again(doubt) => {
                let trust = real(self.games) / (real(self.games) + doubt);
                let sums: Vec<f64> = self.seen.iter().map(|seen| seen.iter().sum()).collect();
                Some(self.compared(|kind, place| (trust, self.seen[kind][place] / sums[kind])))
            }
            Preference::Dodging(leaning) => Some(self.dodging(&self.shot, leaning)),
            Preference::DodgingLast(leaning) => Some(self.dodging(&self.shot_last, leaning)),
        }
    }

    /// A preference for places that are so likely, trusted so much, else as likely as in a random
    /// fleet. It is compared with the random fleet, since ships that are drawn each by itself make
    /// one if all places are equally likely.
    fn compared(&self, chance: impl Fn(usize, usize) -> (f64, f64)) -> PlaceWeights {
        table(&self.yard, |kind, place| {
            let (trust, chance) = chance(kind, place);
            1.0 - trust + trust * chance / self.random[kind][place]
        })
    }

    /// A preference for places that were shot at late.
    fn dodging(&self, shot: &ByCell, leaning: f64) -> PlaceWeights {
        let mut sum = 0.0;
        let mut squares = 0.0;
        for cells in &self.random_cells {
            let early = sum_over(*cells, shot);
            sum += early;
            squares += early * early;
        }
        let n = real(self.random_cells.len().max(1));
        let deviation = (squares / n - (sum / n) * (sum / n)).max(0.0).sqrt();
        // Rounding does not count as a difference.
        let scale = if deviation > 1e-6 {
            -leaning / deviation
        } else {
            0.0
        };
        tables::by_cells(&self.yard, &shot.map(|early| scale * early))
    }
}

/// Returns the earliness of the attack on each cell: 1 for the first, less for each that follows,
/// and 0 for those not attacked.
fn early(game: &Game, attacks: &[Point]) -> ByCell {
    let mut cells = [0.0; SIZE * SIZE];
    let mut weight = 1.0;
    for attack in attacks {
        if game.is_valid(*attack) {
            cells[index(*attack)] += weight;
        }
        weight *= FADING;
    }
    cells
}
