//! Ratings of many players who met in any order: the model of R. A. Bradley and M. E. Terry, "Rank
//! Analysis of Incomplete Block Designs", Biometrika 39 (1952), where the odds of a win are those
//! of the players' strengths.
//!
//! The strengths are the likeliest ones, found by Newton's method. Where none are likeliest (as
//! when a player won everything: D. R. Hunter, "MM algorithms for generalized Bradley-Terry
//! models", Annals of Statistics 32 (2004), assumption 1) the results are smoothed first. A draw
//! counts as half a win and half a loss, so ratings speak of the points that players expect.
//!
//! The errors are those of games which vary as the players' pairs of games did, and not as
//! independent games would: P. J. Huber, "The behavior of maximum likelihood estimates under
//! nonstandard conditions", Proceedings of the Fifth Berkeley Symposium (1967), with the variance
//! of each pairing's points in the middle.

mod cholesky;
mod graph;
mod newton;
mod table;

use serde::Serialize;

use super::{Interval, Score, elo};
use table::PointsTable;

/// The games of two players against each other, or some of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadToHead {
    /// The players who met.
    pub players: [usize; 2],
    /// The score of the first of them.
    pub score: Score,
}

/// The origin of ratings, since only differences between them mean something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Anchor {
    /// The mean of the ratings is 0.
    #[default]
    Mean,
    /// One player has a known rating.
    Player {
        /// The player.
        player: usize,
        /// Its rating, in Elo points.
        rating: f64,
    },
}

/// The rating of a player, in Elo points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The likeliest rating.
    pub rating: f64,
    /// The standard error of the difference from the [`Anchor`], so that the anchored player has
    /// none.
    pub standard_error: f64,
    /// The lower end of the 95% interval.
    pub low: f64,
    /// The upper end of the 95% interval.
    pub high: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Each player's rating; `None` for a player without games.
    pub players: Vec<Option<Rating>>,
    /// Whether half a point for each side was added to the games of each two players of some group,
    /// since no ratings are likeliest without: a player of it won or lost everything, or a group of
    /// them did against the rest.
    pub regularized: bool,
    /// Whether all ratings can be compared with each other. If not, there are groups of players
    /// that never met each other; the mean of each group without the anchored player is the
    /// anchor's rating, or 0.
    pub connected: bool,
}

/// Rates `players` players by their results against each other. Results of the same two players add
/// up, in either order.
///
/// # Panics
/// If a result or the anchor names a player that does not exist, if a player meets itself, or if a
/// share is not from 0 to 1 or the anchor's rating not finite: the caller has miscounted.
///
/// ```
/// use league::statistics::bradley_terry::{Anchor, HeadToHead, fit};
/// use league::statistics::{Score, Wdl};
///
/// let games = Wdl { wins: 10, draws: 0, losses: 1 };
/// let score = Score::of(games.sample()).unwrap();
/// let anchor = Anchor::Player { player: 1, rating: 1000.0 };
/// let ratings = fit(2, &[HeadToHead { players: [0, 1], score }], anchor);
/// let [first, second] = [0, 1].map(|player| ratings.players[player].unwrap());
/// assert_eq!(first.rating.round(), 1400.0);
/// assert_eq!((second.rating, second.standard_error), (1000.0, 0.0));
/// ```
#[must_use]
pub fn fit(players: usize, results: &[HeadToHead], anchor: Anchor) -> Ratings {
    let (anchored, origin) = match anchor {
        Anchor::Mean => (None, 0.0),
        Anchor::Player { player, rating } => (Some(player), rating),
    };
    assert!(
        origin.is_finite() && anchored.is_none_or(|player| player < players),
        "an anchor is a player with a rating"
    );
    let table = PointsTable::of(players, results);
    let groups = graph::groups(&table);
    let mut ratings = Ratings {
        players: vec![None; players],
        regularized: false,
        connected: groups.len() <= 1,
    };
    // Each group is fitted by itself: the likelihood does not compare players that are not
    // connected by games.
    for group in groups {
        let mut table = table.only(&group);
        // A player that won everything has no likeliest strength: any greater one is likelier
        // still. Only its group is smoothed; the ratings of the others stay exact.
        if !graph::is_strongly_connected(&table) {
            table.smooth();
            ratings.regularized = true;
        }
        let strengths = newton::likeliest(&table);
        let anchored = group.iter().position(|&player| Some(player) == anchored);
        // The mean of the logarithms in a group is 0, so without an anchor the mean of its ratings
        // is.
        let zero = anchored.map_or(0.0, |place| strengths[place]);
        let variances = newton::variances(&table, &strengths, anchored);
        for ((player, strength), variance) in group.into_iter().zip(&strengths).zip(variances) {
            let rating = origin + elo::PER_LOG_ODDS * (strength - zero);
            let standard_error = elo::PER_LOG_ODDS * variance.sqrt();
            let Interval { low, high } = Interval::around(rating, standard_error);
            ratings.players[player] = Some(Rating {
                rating,
                standard_error,
                low,
                high,
            });
        }
    }
    ratings
}

#[cfg(test)]
mod tests;
