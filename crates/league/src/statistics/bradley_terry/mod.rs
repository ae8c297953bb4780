//! Ratings of many players who met in any order: the model of R. A. Bradley and M. E. Terry, "Rank Analysis of
//! Incomplete Block Designs", Biometrika 39 (1952), where the odds of a win are those of the players' strengths.
//!
//! The strengths are the likeliest ones, found by Newton's method; where there are none (as when a player won
//! everything: D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004),
//! assumption 1) the results are softened a little first.
//!
//! The errors are those of games which vary as the players' pairs of games did, and not as independent games would: P. J.
//! Huber, "The behavior of maximum likelihood estimates under nonstandard conditions", Proceedings of the Fifth Berkeley
//! Symposium (1967), with the variance of each pairing's points in the middle.

mod cholesky;
mod graph;
mod newton;
mod table;

use serde::Serialize;
use thiserror::Error;

use super::{Interval, Pentanomial, Score, Wdl, elo};
use table::Scores;

/// All games of two players against each other, or some of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Encounter {
    /// The players who met.
    pub players: [usize; 2],
    /// The points of each of them: a win is 1, a draw half a point for both.
    pub points: [f64; 2],
    /// The variance of the points, as a multiple of that of as many independent games without draws.
    pub dispersion: f64,
}

impl Encounter {
    /// Returns an encounter of games that are independent of each other.
    #[must_use]
    pub const fn independent(players: [usize; 2], points: [f64; 2]) -> Encounter {
        Encounter {
            players,
            points,
            dispersion: 1.0,
        }
    }

    /// Returns an encounter of `pairs` of games and of `singles` that are in no pair, as the first player sees them.
    /// `None` without games.
    #[must_use]
    pub fn of_pairs(players: [usize; 2], pairs: &Pentanomial, singles: &Wdl) -> Option<Encounter> {
        let score = Score::of(pairs.sample().into_iter().chain(singles.sample()))?;
        let points = pairs.points() + singles.points();
        let dispersion = score.games / score.effective_games;
        Some(Encounter {
            players,
            points: [points, score.games - points],
            dispersion,
        })
    }
}

/// The origin of ratings, since only differences between them mean something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub enum Anchor {
    /// The mean of the ratings is 0.
    #[default]
    Mean,
    /// One player has a known rating.
    Player {
        /// The player.
        player: usize,
        /// Its rating.
        rating: f64,
    },
}

/// The rating of a player, on the Elo scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The likeliest rating.
    pub rating: f64,
    /// Its standard error: of the difference from the [`Anchor`], so that the anchored player has none.
    pub standard_error: f64,
    /// The 95% interval.
    pub interval: Interval,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// Each player's rating; none without any game.
    pub players: Vec<Option<Rating>>,
    /// Whether half a point for each side was added to every encounter of some group of players, since no
    /// ratings are likeliest without: a player of it won or lost everything, or a group of them did against the rest.
    pub regularized: bool,
    /// Whether all ratings can be compared with each other. If not, there are groups of players that never met
    /// each other; the mean of each group without the anchored player is the anchor's rating, or 0.
    pub connected: bool,
}

/// The reason why encounters cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RatingError {
    /// A player's number is too large.
    #[error("there is no player {player} among {players}")]
    NoSuchPlayer {
        /// The number, from 0.
        player: usize,
        /// The number of players.
        players: usize,
    },
    /// A player met itself.
    #[error("player {0} cannot meet itself")]
    Itself(usize),
    /// Points are negative or no number.
    #[error("{0} points are impossible")]
    Points(f64),
    /// A dispersion is negative or no number.
    #[error("the dispersion {0} is impossible")]
    Dispersion(f64),
    /// The anchored player's rating is not a number.
    #[error("the rating {0} of the anchor is not finite")]
    Anchor(f64),
}

/// Rates `players` players by their encounters.
///
/// Encounters of the same players add up in either order; those without points were not played.
///
/// # Errors
/// If an encounter or the anchor names a player that does not exist or has an impossible number, or if a player
/// meets itself.
///
/// ```
/// use league::statistics::bradley_terry::{Anchor, Encounter, fit};
///
/// let encounters = [Encounter::independent([0, 1], [10.0, 1.0])];
/// let ratings = fit(2, &encounters, Anchor::Player { player: 1, rating: 1000.0 })?;
/// let [first, second] = [0, 1].map(|player| ratings.players[player].unwrap());
/// assert_eq!(first.rating.round(), 1400.0);
/// assert_eq!((second.rating, second.standard_error), (1000.0, 0.0));
/// # Ok::<(), league::statistics::bradley_terry::RatingError>(())
/// ```
pub fn fit(
    players: usize,
    encounters: &[Encounter],
    anchor: Anchor,
) -> Result<Ratings, RatingError> {
    anchor.check(players)?;
    let fit = Fit::of(&Scores::of(players, encounters)?);
    let mut rated = vec![None; players];
    let ratings = fit.ratings(anchor);
    for (group, points) in &fit.groups {
        let strengths: Vec<f64> = group.iter().map(|&player| fit.strengths[player]).collect();
        let anchored = anchor.place_in(group);
        for (place, variance) in newton::variances(points, &strengths, anchored)
            .into_iter()
            .enumerate()
        {
            let player = group[place];
            let Some(rating) = ratings[player] else {
                continue;
            };
            let standard_error = elo::PER_LOG_ODDS * variance.sqrt();
            let interval = Interval::around(rating, standard_error);
            rated[player] = Some(Rating {
                rating,
                standard_error,
                interval,
            });
        }
    }
    Ok(Ratings {
        players: rated,
        regularized: fit.regularized,
        connected: fit.groups.len() <= 1,
    })
}

impl Anchor {
    fn check(self, players: usize) -> Result<(), RatingError> {
        match self {
            Anchor::Player { player, .. } if player >= players => {
                Err(RatingError::NoSuchPlayer { player, players })
            }
            Anchor::Player { rating, .. } if !rating.is_finite() => {
                Err(RatingError::Anchor(rating))
            }
            Anchor::Player { .. } | Anchor::Mean => Ok(()),
        }
    }

    /// Returns the place of the anchored player in a group that it belongs to.
    fn place_in(self, group: &[usize]) -> Option<usize> {
        match self {
            Anchor::Mean => None,
            Anchor::Player { player, .. } => group.iter().position(|&member| member == player),
        }
    }

    /// Returns the rating from which others are counted.
    const fn rating(self) -> f64 {
        match self {
            Anchor::Mean => 0.0,
            Anchor::Player { rating, .. } => rating,
        }
    }
}

/// The likeliest strengths.
#[derive(Debug)]
struct Fit {
    /// The logarithm of each player's strength; the mean of each group is 0, and so are players without games.
    strengths: Vec<f64>,
    /// The groups of players who met each other, directly or not, with their games as they were fitted.
    groups: Vec<(Vec<usize>, Scores)>,
    regularized: bool,
}

impl Fit {
    fn of(table: &Scores) -> Fit {
        let strengths = vec![0.0; table.players()];
        let mut fit = Fit {
            strengths,
            groups: Vec::new(),
            regularized: false,
        };
        // Group by group: between players that are not connected by games the likelihood has no say.
        for group in graph::groups(table) {
            let mut points = table.only(&group);
            // A player that won everything has no likeliest strength: any greater one is likelier still. Only
            // its group is softened; the ratings of the others stay exact.
            if !graph::is_strongly_connected(&points) {
                points.soften();
                fit.regularized = true;
            }
            let strengths = newton::likeliest(&points);
            for (&player, strength) in group.iter().zip(strengths) {
                fit.strengths[player] = strength;
            }
            fit.groups.push((group, points));
        }
        fit
    }

    /// Returns the rating of each player with games.
    fn ratings(&self, anchor: Anchor) -> Vec<Option<f64>> {
        let mut ratings = vec![None; self.strengths.len()];
        for (group, _) in &self.groups {
            // The mean of the logarithms in a group is 0, so without an anchor the mean of its ratings is.
            let zero = anchor
                .place_in(group)
                .map_or(0.0, |place| self.strengths[group[place]]);
            for &player in group {
                let lead = self.strengths[player] - zero;
                ratings[player] = Some(anchor.rating() + elo::PER_LOG_ODDS * lead);
            }
        }
        ratings
    }
}

#[cfg(test)]
mod tests;
