//! Shares of points.

use league::statistics::{self, Interval, Pentanomial, Wdl};
use serde::Serialize;

use super::Tally;

/// A share of points and its 95% interval: that of Wilson (1927) for the effective number of games.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Score {
    /// The share, 0 to 1.
    pub share: f64,
    /// The interval.
    pub wilson: Interval,
    /// The score that both are computed from.
    #[serde(skip)]
    pub of: statistics::Score,
}

impl From<statistics::Score> for Score {
    fn from(of: statistics::Score) -> Score {
        Score {
            share: of.share,
            wilson: of.interval(),
            of,
        }
    }
}

/// Returns the score of each player in all its games; `None` without games that count.
pub(super) fn scores(tally: &Tally) -> Vec<Option<Score>> {
    let pairings = tally.pairings.iter();
    let pairings = pairings.map(|(players, tally)| (*players, tally.pairs, tally.singles()));
    scores_of(tally.players.len(), pairings)
}

/// Returns the score of each of this many players, from the pairs of games and the single games of
/// each two of them; `None` without games that count.
#[must_use]
pub fn scores_of(
    players: usize,
    pairings: impl Iterator<Item = ([usize; 2], Pentanomial, Wdl)>,
) -> Vec<Option<Score>> {
    let mut samples = vec![Vec::new(); players];
    for ([one, two], pairs, singles) in pairings {
        samples[one].extend(pairs.sample().into_iter().chain(singles.sample()));
        let pairs = pairs.reversed();
        let singles = singles.reversed();
        samples[two].extend(pairs.sample().into_iter().chain(singles.sample()));
    }
    samples
        .into_iter()
        .map(|samples| statistics::Score::of(samples).map(Score::from))
        .collect()
}
