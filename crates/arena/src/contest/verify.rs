//! Plays a few series of a contest again and compares: with the same seeds, bots should play the
//! same games.

use std::io;

use wire::game::{GameReader, Speaker};

use super::ContestSetup;
use super::event::ContestEvent;
use super::lanes::Lanes;
use super::lanes::play_all;
use crate::record::GameLine;
use league::schedule::Series;
use wire::{Listener, Stop};

/// The least number of series that are played twice, if there are as many; at most twice this are
/// kept.
const SAMPLE: usize = 5;

/// Keeps a few series of a contest, spread over all of it, to play them again afterwards.
#[derive(Debug, Default)]
pub struct Verifier {
    kept: Vec<(Series, Vec<GameLine>)>,
    /// Series that have been heard of.
    games: usize,
    /// One in this many of them is kept.
    step: usize,
}

/// The result of playing games twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of games that were played twice.
    pub games: usize,
    /// Their differences, a sentence each.
    pub differences: Vec<String>,
}

impl Verifier {
    /// Returns a verifier that has seen no series.
    #[must_use]
    pub fn new() -> Verifier {
        Verifier {
            step: 1,
            ..Verifier::default()
        }
    }

    /// Plays the kept series again and compares.
    ///
    /// # Errors
    /// If the referee or its machine fails.
    pub fn play_again(self, setup: &ContestSetup, lanes: &Lanes) -> io::Result<Verified> {
        let series: Vec<Series> = self.kept.iter().map(|(series, _)| *series).collect();
        let mut verified = Verified {
            games: 0,
            differences: Vec::new(),
        };
        for (again, (_, games)) in play_all(setup, lanes, &series)?.iter().zip(&self.kept) {
            verified.games += again.games.len();
            verified
                .differences
                .extend(differences(setup.game.reader(), games, &again.games));
        }
        Ok(verified)
    }
}

impl Listener<ContestEvent<'_>> for Verifier {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        let ContestEvent::SeriesOver {
            series,
            games,
            end: Some(_),
            ..
        } = event
        else {
            return Ok(());
        };
        if self.games.is_multiple_of(self.step) {
            self.kept.push((**series, games.to_vec()));
        }
        self.games += 1;
        if self.kept.len() > 2 * SAMPLE {
            // Every other one goes and from now on half as many are taken, so that the sample stays
            // spread evenly over a contest whose length is unknown, in bounded memory.
            let mut number = 0_usize;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.step *= 2;
        }
        Ok(())
    }
}

/// Returns the differences between games that should be the same, in a sentence each; `reader`
/// reads their lines.
pub fn differences<'g>(
    reader: &'g dyn GameReader,
    games: &'g [GameLine],
    again: &'g [GameLine],
) -> impl Iterator<Item = String> + 'g {
    let games = games.iter().zip(again);
    games.filter_map(|(game, again)| difference(reader, game, again))
}

/// Returns the first difference between two games that should be the same; `None` if there is none.
fn difference(reader: &dyn GameReader, game: &GameLine, again: &GameLine) -> Option<String> {
    let place = game.contest.as_ref()?;
    let replies = |game: &GameLine| {
        let lines = reader.dialogue(&game.json).unwrap_or_default();
        let replies = lines.into_iter();
        replies.filter(|line| line.from == Speaker::Reply)
    };
    let mut pairs = (1..).zip(replies(game).zip(replies(again)));
    let found = if let Some((number, (reply, other))) = pairs.find(|(_, (one, other))| one != other)
    {
        let player = &game.players[reply.side].name;
        let reply = reply.text;
        let other = other.text;
        format!("reply {number} was {player}'s \"{reply}\", and the second time \"{other}\"")
    } else if (game.ended_by, game.by, game.stats.turns)
        != (again.ended_by, again.by, again.stats.turns)
    {
        let before = game.ended_by;
        let now = again.ended_by;
        format!("it ended by {before}, and the second time by {now}")
    } else {
        return None;
    };
    let series = place.series;
    let game = place.game;
    Some(format!("series {series}, game {game}: {found}"))
}
