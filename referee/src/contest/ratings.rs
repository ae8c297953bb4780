//! Ratings of the players of a contest or of several, with two kinds of intervals.

use std::convert::Infallible;
use std::str::FromStr;

use battleship::seeded::SeededRng;
use serde::Serialize;
use thiserror::Error;

use super::Tally;
use league::statistics::bootstrap::{Pairing, intervals};
use league::statistics::bradley_terry::{Anchor, Encounter, RatingError, fit};

/// The number of drawn contests that intervals are taken from. With a thousand, the ends of an interval of 95% have 25
/// contests beyond them, which is the usual least for percentiles.
const RESAMPLES: u64 = 1_000;

/// With fewer drawn contests than this, two or fewer are beyond an end, and chance decides where it is.
const FEWEST_RESAMPLES: u64 = 100;

/// A pairing with fewer pairs (or single games) than this cannot be drawn from: its interval would be too narrow, and
/// that of one pair alone would have no width.
const FEWEST_PAIRS: u64 = 10;

/// About how many steps may be spent on drawing contests and rating them: some seconds of work.
const MOST_WORK: u64 = 1_000_000_000;

/// The seed of the resampling. It is fixed, so that the ratings depend on the games alone.
const SEED: u64 = 1;

/// The domain of [`SeededRng`] from which pairs are drawn.
const DOMAIN: u64 = u64::from_be_bytes(*b"resample");

/// The ratings of all players of some games.
#[derive(Clone, Debug)]
pub(crate) struct ContestRatings {
    /// Each player's; none without games that count.
    pub(crate) players: Vec<Option<RatingSummary>>,
    /// What a reader has to know about them.
    pub(crate) note: RatingsNote,
}

/// A player's rating, on the Elo scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RatingSummary {
    /// The likeliest rating.
    pub(crate) rating: f64,
    /// Its standard error, which takes the games for independent.
    pub(crate) standard_error: f64,
    /// The lower end of its 95% interval, by that error.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
    /// The lower end of the 95% interval by drawing pairs of games, which takes luck out of it: the better one.
    pub(crate) bootstrap_low: Option<f64>,
    /// The upper end.
    pub(crate) bootstrap_high: Option<f64>,
}

/// What a reader of ratings has to know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RatingsNote {
    /// The player from whom they are counted; if there is none their mean is 0.
    pub(crate) anchor: Option<AnchorNote>,
    /// Whether half a point was added to each pairing because a player won or lost everything.
    pub(crate) regularized: bool,
    /// Whether all of them can be compared; if not, there are groups of players that never met each other.
    pub(crate) connected: bool,
    /// How many contests were drawn for the intervals; 0 if there are too few games for that, or too many players.
    pub(crate) bootstrap: u64,
}

/// A player with a known rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AnchorNote {
    /// What it is called.
    pub(crate) player: String,
    /// Its rating.
    pub(crate) rating: f64,
}

/// Rates the players of a tally, who have these names.
///
/// # Errors
/// If the anchor is no player.
pub(crate) fn rate(
    tally: &Tally,
    names: &[String],
    anchor: Anchor,
) -> Result<ContestRatings, RatingError> {
    let pairings: Vec<Pairing> = tally
        .pairings
        .iter()
        .map(|(players, pairing)| {
            let (pairs, singles) = (pairing.pairs, pairing.singles());
            Pairing { players: *players, pairs, singles }
        })
        .collect();
    let encounters: Vec<Encounter> = pairings.iter().map(Encounter::from).collect();
    let players = tally.players.len();
    let fitted = fit(players, &encounters, anchor)?;
    let resamples = resamples(players, &pairings);
    let drawn = usize::try_from(resamples).expect("there are few");
    let drawn = {
        // A fixed seed of its own: the same games give the same ratings to the last digit, in every report of
        // them.
        let mut rng = SeededRng::in_domain(SEED, DOMAIN);
        intervals(players, &pairings, anchor, drawn, || rng.next_u64())?
    };
    let rated = fitted.players.iter().zip(drawn).map(|(rating, drawn)| {
        rating.map(|rating| RatingSummary {
            rating: rating.rating,
            standard_error: rating.standard_error,
            low: rating.interval.low,
            high: rating.interval.high,
            bootstrap_low: drawn.map(|interval| interval.low),
            bootstrap_high: drawn.map(|interval| interval.high),
        })
    });
    let anchor = match anchor {
        Anchor::Mean => None,
        Anchor::Player { player, rating } => {
            Some(AnchorNote { player: names.get(player).cloned().unwrap_or_default(), rating })
        }
    };
    let (regularized, connected) = (fitted.regularized, fitted.connected);
    let note = RatingsNote { anchor, regularized, connected, bootstrap: resamples };
    Ok(ContestRatings { players: rated.collect(), note })
}

/// Returns how many contests to draw: fewer where each takes long, none where those would be too few, or where more
/// than one in twenty pairs is in a pairing that has too few of them.
fn resamples(players: usize, pairings: &[Pairing]) -> u64 {
    let units = |pairing: &Pairing| pairing.pairs.pairs() + pairing.singles.games();
    let all: u64 = pairings.iter().map(units).sum();
    let lonely: u64 = pairings.iter().map(units).filter(|units| *units < FEWEST_PAIRS).sum();
    // A few thin pairings do little harm. Where they are many, as after the first rounds of a Swiss
    // tournament, the intervals would be wrong for all players.
    if 20 * lonely > all {
        return 0;
    }
    // Drawing takes a step for each pair; rating solves linear equations, in the cube of the players.
    let work = (players as u64).pow(3) + all;
    let affordable = (MOST_WORK / work.max(1)).min(RESAMPLES);
    if affordable < FEWEST_RESAMPLES { 0 } else { affordable }
}

/// Who is to have a known rating, as it is typed: `NAME` or `NAME=ELO`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnchorArgument(String);

impl FromStr for AnchorArgument {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<AnchorArgument, Infallible> {
        Ok(AnchorArgument(text.to_owned()))
    }
}

/// Why an anchor is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoAnchor {
    /// It names no player.
    #[error("--anchor {typed}: no player has that name; there are {}. Write NAME or NAME=ELO", names.join(", "))]
    Name { typed: String, names: Vec<String> },
    /// It names a player, but no number behind that.
    #[error("--anchor {typed}: {rating:?} is not a rating; write a number, as in {name}=1500")]
    Rating { typed: String, name: String, rating: String },
}

impl AnchorArgument {
    /// Returns the anchor among players of these names, which are known only once the bots have said what they are
    /// called. An `=` may be part of a name.
    ///
    /// # Errors
    /// If it names none of them, or no rating.
    pub(crate) fn among(&self, names: &[String]) -> Result<Anchor, NoAnchor> {
        let AnchorArgument(typed) = self;
        let place = |name: &str| names.iter().position(|known| known == name);
        if let Some(player) = place(typed) {
            return Ok(Anchor::Player { player, rating: 0.0 });
        }
        // The whole text is tried as a name first, and then split at its last `=`: names may contain one,
        // ratings may not.
        let split = typed.rsplit_once('=');
        let split =
            split.and_then(|(name, rating)| Some((name, place(name.trim())?, rating.trim())));
        let Some((name, player, rating)) = split else {
            return Err(NoAnchor::Name { typed: typed.clone(), names: names.to_vec() });
        };
        match rating.parse().ok().filter(|rating: &f64| rating.is_finite()) {
            Some(rating) => Ok(Anchor::Player { player, rating }),
            None => Err(NoAnchor::Rating {
                typed: typed.clone(),
                name: name.trim().to_owned(),
                rating: rating.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use league::statistics::{Pentanomial, Wdl};

    #[test]
    fn an_anchor_is_a_name_with_or_without_a_rating() {
        let names = ["good", "a=7", "x"].map(str::to_owned);
        let among = |text: &str| AnchorArgument(text.to_owned()).among(&names);
        let anchor = |player, rating| Ok(Anchor::Player { player, rating });
        assert_eq!(among("good"), anchor(0, 0.0));
        assert_eq!(among("good=1500"), anchor(0, 1500.0));
        assert_eq!(among("x=-20.5"), anchor(2, -20.5));
        assert_eq!(among("a=7"), anchor(1, 0.0));
        assert_eq!(among("a=7=9"), anchor(1, 9.0));
        for rating in ["", "much", "inf"] {
            let what = among(&format!("good={rating}")).unwrap_err().to_string();
            assert!(what.contains(&format!("{rating:?} is not a rating")), "{what}");
        }
        for unknown in ["bad", "bad=1", ""] {
            let what = among(unknown).unwrap_err().to_string();
            assert!(what.contains("there are good, a=7, x"), "{what}");
        }
    }

    #[test]
    fn few_contests_are_drawn_where_each_is_large_and_none_where_those_would_be_too_few() {
        let pairing = |pairs| Pairing {
            players: [0, 1],
            pairs: Pentanomial::new([0, 0, pairs, 0, 0]),
            singles: Wdl::default(),
        };
        assert_eq!(resamples(5, &[pairing(1_000)]), 1_000);
        assert_eq!(resamples(10, &[pairing(2_000_000)]), 499);
        assert_eq!(resamples(1_000, &[pairing(1_000)]), 0);
    }

    #[test]
    fn no_contests_are_drawn_from_pairings_of_a_few_pairs() {
        let pairing = |games: u64| Pairing {
            players: [0, 1],
            pairs: Pentanomial::new([0, 0, games / 2, 0, 0]),
            singles: Wdl { wins: games % 2, ..Wdl::default() },
        };
        assert_eq!(resamples(3, &[pairing(18), pairing(18)]), 0);
        assert_eq!(resamples(3, &[pairing(19), pairing(20)]), 1_000);
        assert_eq!(resamples(3, &[pairing(18), pairing(1_000)]), 1_000);
    }
}
