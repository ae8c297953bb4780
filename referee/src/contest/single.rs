//! A series that is played by itself, outside of a contest that runs.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bothost::Interrupt;
use league::schedule::Series;

use super::evidence::Evidence;
use super::lanes::Lanes;
use super::series::SeriesReferee;
use super::verify::difference;
use super::{ContestSetup, PairingTally, Tally};
use crate::record::GameRecord;

/// A series that was played by itself.
#[derive(Debug)]
pub(crate) struct SingleSeries {
    /// Its games, in order; fewer than it has if it was stopped on the way.
    pub(crate) games: Vec<GameRecord>,
    /// What was seen of its bad games, by their place in `games`.
    pub(crate) evidence: Vec<(usize, Evidence)>,
    /// The lines of a record behind its header: the games, and the end of the series.
    pub(crate) lines: Vec<u8>,
}

impl SingleSeries {
    /// Returns the sums of its games.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::new(2);
        for game in &self.games {
            tally.add_game([0, 1], game);
        }
        tally
    }

    /// Returns what it brought the first player.
    pub(crate) fn pairing(&self) -> PairingTally {
        self.tally().pairings.remove(&[0, 1]).unwrap_or_default()
    }

    /// Returns where its games differ from `others`, those of the same series, in a sentence each.
    pub(crate) fn differences(&self, others: &[GameRecord]) -> Vec<String> {
        self.games.iter().zip(others).filter_map(|(game, other)| difference(other, game)).collect()
    }
}

/// Plays `series` of the contest of `setup`. Once `stop` is set, no other game of it is begun.
///
/// # Errors
/// If the referee or its machine fails.
pub(crate) fn play_single(
    setup: &ContestSetup,
    series: &Series,
    (lanes, lane): (&Lanes, usize),
    stop: &AtomicBool,
) -> io::Result<SingleSeries> {
    lanes.take(lane);
    let deaf = Arc::new(Interrupt::deaf()?);
    let referee = SeriesReferee { setup, keeps_evidence: true, stop, deaf: &deaf, gallery: None };
    let played = referee.play(series, lane, &mut |_| {})?;
    let mut lines = Vec::new();
    played.write_to(&mut lines);
    Ok(SingleSeries { games: played.games, evidence: played.evidence, lines })
}
