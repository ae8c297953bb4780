//! Games in short, as lists show them, and which of them are wanted.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::game::EndedBy;
use crate::record::GameLine;
use bothost::{BySide, Side, text};
use league::statistics::Outcome;

/// More names than these are not remembered for messages.
const MOST_NAMES: usize = 1000;

/// A game of a record in short. Names and sentences are fit to be shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameDigest {
    /// Its number in the record, from 1.
    pub number: u64,
    /// Its name, if it is of a contest.
    pub name: Option<String>,
    /// The players.
    pub players: BySide<String>,
    /// The player that moved first: 0 or 1.
    pub first: Side,
    /// The winner: 0 or 1.
    pub winner: Option<Side>,
    /// The points that it brought each player in a contest, 1 for a win; `None` if it does not
    /// count.
    pub points: Option<BySide<f64>>,
    /// The typed reason.
    pub ended_by: EndedBy,
    /// The player who caused the end.
    pub by: Option<Side>,
    /// The reason as a sentence.
    pub reason: String,
    /// The number of turns that each player had: attacks, or orders of a twist game.
    pub turns: BySide<u32>,
    /// The number of turns that each player wasted: outside of the board, on a cell that it had
    /// attacked before, or by an order that was refused.
    pub wasted: BySide<u32>,
    /// Whether its series was played to its end, if it is of one. Another one is played again when
    /// the contest continues.
    pub finished: bool,
}

impl GameDigest {
    /// Returns `game`, which has this number in its record, in short. `finished` as in the field.
    #[must_use]
    pub fn new(number: u64, game: &GameLine, finished: bool) -> GameDigest {
        let points = game.outcomes().map(|outcomes| {
            outcomes.map(|outcome| match outcome {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
            })
        });
        GameDigest {
            number,
            name: game.name(),
            players: game.players.as_ref().map(|player| text::name(&player.name)),
            first: game.first,
            winner: game.winning_side(),
            points,
            ended_by: game.ended_by,
            by: game.by,
            reason: text::shortened(&game.reason),
            turns: game.stats.turns,
            wasted: game.stats.wasted,
            finished,
        }
    }

    /// Returns the place of the player called `name`, 0 or 1.
    #[must_use]
    pub fn side_of(&self, name: &str) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.players[*side] == name)
    }

    /// Returns whether the player on `seat` lost the game, or spoiled it.
    #[must_use]
    pub fn is_lost_by(&self, side: Side) -> bool {
        self.points.is_some_and(|points| points[side] < 0.5)
    }

    /// Returns whether the player on `seat` ended the game by its own fault.
    #[must_use]
    pub fn is_fault_of(&self, side: Side) -> bool {
        self.ended_by.is_fault() && self.by == Some(side)
    }

    /// Returns the rank of the game for the player on `seat`, the worst game the least: forfeits
    /// first, then the quickest losses. `None` if it was not lost.
    #[must_use]
    pub fn badness(&self, side: Side) -> Option<(bool, u32)> {
        self.is_lost_by(side)
            .then(|| (!self.is_fault_of(side), self.turns[side]))
    }

    /// Returns the badness for the loser, whichever that is.
    fn badness_for_loser(&self) -> Option<(bool, u32)> {
        Side::BOTH.into_iter().find_map(|side| self.badness(side))
    }
}

/// The games that are wanted; `None` and empty lists leave none out.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// Those of this player.
    pub player: Option<String>,
    /// Those against this one.
    pub against: Option<String>,
    /// Those that ended by one of these reasons.
    pub ended_by: Vec<EndedBy>,
    /// Those that the player won or lost.
    pub won: Option<bool>,
}

impl GameFilter {
    /// Returns whether `game` is wanted.
    #[must_use]
    pub fn takes(&self, game: &GameDigest) -> bool {
        let side = match &self.player {
            Some(name) => game.side_of(name),
            None => Some(Side::One),
        };
        let Some(side) = side else { return false };
        self.against.as_ref().is_none_or(|name| match self.player {
            Some(_) => game.players[side.other()] == *name,
            None => game.side_of(name).is_some(),
        }) && (self.ended_by.is_empty() || self.ended_by.contains(&game.ended_by))
            && self.won.is_none_or(|won| {
                let was_won = game.points.is_some_and(|points| points[side] > 0.5);
                if won { was_won } else { game.is_lost_by(side) }
            })
    }

    /// Returns the rank of `game` for the player whose games are wanted, or for its loser.
    #[must_use]
    pub fn badness(&self, game: &GameDigest) -> Option<(bool, u32)> {
        match self.player.as_ref().and_then(|name| game.side_of(name)) {
            Some(side) => game.badness(side),
            None => game.badness_for_loser(),
        }
    }
}

/// The worst of many games, in memory for these only.
#[derive(Clone, Debug)]
pub struct TopGames<T> {
    most: usize,
    games: Vec<((bool, u32), T)>,
}

impl<T> TopGames<T> {
    /// Returns none so far, of at most `most`.
    #[must_use]
    pub fn new(most: usize) -> TopGames<T> {
        TopGames {
            most,
            games: Vec::new(),
        }
    }

    /// Takes a game into account, which `game` returns; of equally bad ones the first stay.
    pub fn add_with(&mut self, badness: (bool, u32), game: impl FnOnce() -> T) {
        let place = self.games.partition_point(|(other, _)| *other <= badness);
        if place < self.most {
            self.games.insert(place, (badness, game()));
            self.games.truncate(self.most);
        }
    }

    /// Returns them, the worst first.
    pub fn games(&self) -> impl Iterator<Item = &T> {
        self.games.iter().map(|(_, game)| game)
    }

    /// Returns them, the worst first.
    pub fn into_games(self) -> impl Iterator<Item = T> {
        self.games.into_iter().map(|(_, game)| game)
    }
}

/// The names of players that turned up, for messages.
#[derive(Clone, Debug, Default)]
pub struct NamesSeen(BTreeSet<String>);

impl NamesSeen {
    /// Remembers the players of `game`.
    pub fn see(&mut self, game: &GameDigest) {
        for (_, name) in &game.players {
            if self.0.len() < MOST_NAMES && !self.0.contains(name) {
                self.0.insert(name.clone());
            }
        }
    }

    /// Returns whether a player of this name turned up, as far as they are remembered.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name) || self.0.len() >= MOST_NAMES
    }

    /// Returns the first twenty, in the order of the alphabet; and how many more there are.
    pub fn some(&self) -> String {
        let names: Vec<&str> = self.0.iter().take(20).map(String::as_str).collect();
        match self.0.len().saturating_sub(20) {
            0 => names.join(", "),
            more => format!("{}, and {more} more", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_games_are_kept_in_order() {
        let mut worst = TopGames::new(3);
        for (badness, name) in [
            ((true, 9), 'e'),
            ((false, 8), 'b'),
            ((true, 4), 'c'),
            ((false, 2), 'a'),
            ((true, 4), 'd'),
        ] {
            worst.add_with(badness, || name);
        }
        assert!(worst.into_games().eq(['a', 'b', 'c']));
    }
}
