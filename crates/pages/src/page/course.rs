//! The ratings in the course of a contest.

use std::collections::BTreeMap;

use league::statistics::bradley_terry::{Anchor, HeadToHead, fit};
use league::statistics::{Score, Wdl};

use arena::explain::GameDigest;
use bothost::Side;
use league::statistics::Outcome;

/// The number of moments that are shown, if there are as many games.
const MOMENTS: usize = 40;

/// Of more games than this, the course is shown up to this one only: each takes eight bytes.
const MOST_GAMES: usize = 1 << 21;

/// The results of all games in order, from which ratings at any moment follow. They are computed
/// when they are shown: while the games are read it is not known which moments those will be.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    games: Vec<Result>,
    players: usize,
}

/// A game: its players, the lower number first, and what it brought that one.
#[derive(Clone, Copy, Debug)]
struct Result {
    players: [u16; 2],
    outcome: Outcome,
}

impl Course {
    /// Counts a game between these players.
    pub(super) fn add(&mut self, players: [usize; 2], game: &GameDigest) {
        let Some(points) = game.points else { return };
        let lower = if players[0] > players[1] {
            Side::Two
        } else {
            Side::One
        };
        let number = |player: usize| u16::try_from(player).ok();
        let one = number(players[lower.index()]);
        let two = number(players[lower.other().index()]);
        let Some(players) = one.zip(two).filter(|_| self.games.len() < MOST_GAMES) else {
            return;
        };
        let outcome = match points[lower] {
            won if won > 0.5 => Outcome::Win,
            lost if lost < 0.5 => Outcome::Loss,
            _ => Outcome::Draw,
        };
        self.players = self.players.max(usize::from(players.1) + 1);
        self.games.push(Result {
            players: players.into(),
            outcome,
        });
    }

    /// Returns the ratings at some moments, by the games without players who are `out`: the number
    /// of games until then, and the rating of each player, if it has one.
    pub(super) fn moments(&self, out: &[bool]) -> Vec<(usize, Vec<Option<f64>>)> {
        let mut results: BTreeMap<[u16; 2], Wdl> = BTreeMap::new();
        let mut moments = Vec::new();
        // Multiples of a number, and the end.
        let every = self.games.len().div_ceil(MOMENTS).max(1);
        for (number, Result { players, outcome }) in (1..).zip(&self.games) {
            if !players
                .iter()
                .any(|player| out.get(usize::from(*player)).is_some_and(|is_out| *is_out))
            {
                results.entry(*players).or_default().add(*outcome);
            }
            if number % every == 0 || number == self.games.len() {
                moments.push((number, self.ratings(&results)));
            }
        }
        moments
    }

    fn ratings(&self, results: &BTreeMap<[u16; 2], Wdl>) -> Vec<Option<f64>> {
        let results: Vec<HeadToHead> = results
            .iter()
            .filter_map(|(players, games)| {
                Some(HeadToHead {
                    players: players.map(usize::from),
                    score: Score::of(games.sample())?,
                })
            })
            .collect();
        let players = fit(self.players, &results, Anchor::Mean).players;
        players
            .into_iter()
            .map(|player| player.map(|player| player.rating))
            .collect()
    }
}
