//! How ratings went in the course of a contest.

use std::collections::BTreeMap;

use league::statistics::Wdl;
use league::statistics::bradley_terry::{Anchor, Encounter, fit};

use crate::contest::GameDigest;
use league::statistics::Outcome;

/// So many moments are kept at least, if there are as many games, and at most twice as many.
const MOMENTS: usize = 30;

/// The ratings of all players at some moments.
#[derive(Clone, Debug)]
pub(super) struct Course {
    results: BTreeMap<[usize; 2], Wdl>,
    games: u64,
    players: usize,
    /// Ratings are computed after every so many games.
    every: u64,
    /// The number of games, and the rating of each player, if it has one.
    moments: Vec<(u64, Vec<Option<f64>>)>,
}

impl Default for Course {
    fn default() -> Course {
        Course { results: BTreeMap::new(), games: 0, players: 0, every: 1, moments: Vec::new() }
    }
}

impl Course {
    /// Counts a game between these players.
    pub(super) fn add(&mut self, players: [usize; 2], game: &GameDigest) {
        let Some([points, _]) = game.points else { return };
        let [one, two] = players;
        let outcome = match points {
            won if won > 0.5 => Outcome::Win,
            lost if lost < 0.5 => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let mut result = Wdl::default();
        result.add(outcome);
        *self.results.entry([one.min(two), one.max(two)]).or_default() +=
            if one < two { result } else { result.reversed() };
        self.players = self.players.max(one.max(two) + 1);
        self.games += 1;
        if self.games.is_multiple_of(self.every) {
            self.moments.push(self.now());
            if self.moments.len() > 2 * MOMENTS {
                self.every *= 2;
                self.moments.retain(|(games, _)| games.is_multiple_of(self.every));
            }
        }
    }

    /// Returns the moments in order, the present as the last.
    pub(super) fn moments(&self) -> Vec<(u64, Vec<Option<f64>>)> {
        let mut moments = self.moments.clone();
        if moments.last().is_none_or(|(games, _)| *games != self.games) {
            moments.push(self.now());
        }
        moments
    }

    fn now(&self) -> (u64, Vec<Option<f64>>) {
        let encounter = |(players, results): (&[usize; 2], &Wdl)| {
            Encounter::of_pairs(*players, &Default::default(), results)
        };
        let encounters: Vec<Encounter> = self.results.iter().filter_map(encounter).collect();
        let fitted = fit(self.players, &encounters, Anchor::Mean).ok();
        let ratings = fitted
            .map(|fitted| fitted.players.iter().map(|player| player.map(|it| it.rating)).collect());
        (self.games, ratings.unwrap_or_default())
    }
}
