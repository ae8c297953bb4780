//! Plays a few series of a contest again and compares: with the same seeds, bots should play the same games.

use std::io;

use super::ContestSetup;
use super::engine::play_all;
use super::event::{ContestEvent, Reporter};
use super::lanes::Lanes;
use crate::record::GameRecord;
use league::schedule::Series;

/// The least number of series that are played twice, if there are as many; at most twice this are kept.
const SAMPLE: usize = 5;

/// Keeps a few series of a contest, spread over all of it, to play them again afterwards.
#[derive(Debug, Default)]
pub struct Verifier {
    kept: Vec<(Series, Vec<GameRecord>)>,
    /// Series that have been heard of.
    heard: usize,
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
                .extend(differences(games, &again.games));
        }
        Ok(verified)
    }
}

impl Reporter for Verifier {
    fn report(&mut self, event: &ContestEvent<'_>) -> io::Result<()> {
        let ContestEvent::SeriesOver {
            series,
            games,
            end: Some(_),
            ..
        } = event
        else {
            return Ok(());
        };
        if self.heard.is_multiple_of(self.step) {
            self.kept.push((**series, games.to_vec()));
        }
        self.heard += 1;
        if self.kept.len() > 2 * SAMPLE {
            // Every other one goes and from now on half as many are taken, so that the sample stays spread evenly
            // over a contest whose length is unknown, in bounded memory.
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

/// Returns where games that should be the same differ, in a sentence each.
pub fn differences<'g>(
    games: &'g [GameRecord],
    again: &'g [GameRecord],
) -> impl Iterator<Item = String> + 'g {
    games
        .iter()
        .zip(again)
        .filter_map(|(game, again)| difference(game, again))
}

/// Returns where two games that should be the same differ first; `None` if they do not.
fn difference(game: &GameRecord, again: &GameRecord) -> Option<String> {
    let place = game.contest.as_ref()?;
    let name = |seat: usize| &game.players[seat].name;
    let found = if let Some(seat) = [0, 1]
        .into_iter()
        .find(|seat| game.fleets[*seat] != again.fleets[*seat])
    {
        format!("{} placed its ships in another way", name(seat))
    } else if let Some((number, (turn, other))) = (1..)
        .zip(game.turns().iter().zip(again.turns()))
        .find(|(_, (turn, other))| (turn.mover, &turn.turn) != (other.mover, &other.turn))
    {
        let player = name(turn.mover.index());
        let (reply, other) = (turn.turn.reply(), other.turn.reply());
        format!("turn {number} was {player}'s {reply}, and the second time {other}")
    } else if (game.ended_by, game.by, game.turns().len())
        != (again.ended_by, again.by, again.turns().len())
    {
        format!(
            "it ended by {}, and the second time by {}",
            game.ended_by, again.ended_by
        )
    } else {
        return None;
    };
    Some(format!(
        "series {}, game {}: {found}",
        place.series, place.game
    ))
}
