//! Ratings of the players of a contest or of several.

use std::convert::Infallible;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::Tally;
use league::statistics::Score;
use league::statistics::bradley_terry::{Anchor, HeadToHead, Rating, fit};

/// The ratings of all players of some games.
#[derive(Clone, Debug)]
pub(super) struct ContestRatings {
    /// Each player's; none without games that count.
    pub players: Vec<Option<Rating>>,
    /// The facts that a reader of the ratings has to know.
    pub note: RatingsNote,
}

/// The facts that a reader of ratings has to know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingsNote {
    /// The player from whom they are counted; if there is none their mean is 0.
    pub anchor: Option<AnchorNote>,
    /// Whether half a point was added to each pairing because a player won or lost everything.
    pub regularized: bool,
    /// Whether all of them can be compared; if not, there are groups of players that never met each
    /// other.
    pub connected: bool,
}

/// A player with a known rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnchorNote {
    /// Its name.
    pub player: String,
    /// Its rating.
    pub rating: f64,
}

/// Rates the players of a tally, who have these names.
pub(super) fn rate(tally: &Tally, names: &[String], anchor: Anchor) -> ContestRatings {
    let results: Vec<HeadToHead> = tally
        .pairings
        .iter()
        .filter_map(|(players, pairing)| {
            let singles = pairing.singles().sample();
            Some(HeadToHead {
                players: *players,
                score: Score::of(pairing.pairs.sample().into_iter().chain(singles))?,
            })
        })
        .collect();
    let fitted = fit(tally.players.len(), &results, anchor);
    let anchor = match anchor {
        Anchor::Mean => None,
        Anchor::Player { player, rating } => Some(AnchorNote {
            player: names.get(player).cloned().unwrap_or_default(),
            rating,
        }),
    };
    ContestRatings {
        players: fitted.players,
        note: RatingsNote {
            anchor,
            regularized: fitted.regularized,
            connected: fitted.connected,
        },
    }
}

/// The player with a known rating, as it is typed: `NAME` or `NAME=ELO`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorArgument(String);

impl FromStr for AnchorArgument {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<AnchorArgument, Infallible> {
        Ok(AnchorArgument(text.to_owned()))
    }
}

/// The reason why an anchor is not one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoAnchor {
    /// It names no player.
    #[error("--anchor {typed}: no player has that name; there are {}. Write NAME or NAME=ELO", names.join(", "))]
    Name { typed: String, names: Vec<String> },
    /// It names a player, but no number behind that.
    #[error("--anchor {typed}: {rating:?} is not a rating; write a number, as in {name}=1500")]
    Rating {
        typed: String,
        name: String,
        rating: String,
    },
}

impl AnchorArgument {
    /// Returns the anchor among players of these names, which are known only once the bots have
    /// said what they are called. An `=` may be part of a name.
    ///
    /// # Errors
    /// If it names none of them, or no rating.
    pub fn among(&self, names: &[String]) -> Result<Anchor, NoAnchor> {
        let AnchorArgument(typed) = self;
        let place = |name: &str| names.iter().position(|known| known == name);
        if let Some(player) = place(typed) {
            return Ok(Anchor::Player {
                player,
                rating: 0.0,
            });
        }
        // The whole text is tried as a name first, and then split at its last `=`: names may
        // contain one, ratings may not.
        let split = typed.rsplit_once('=');
        let split =
            split.and_then(|(name, rating)| Some((name, place(name.trim())?, rating.trim())));
        let Some((name, player, rating)) = split else {
            return Err(NoAnchor::Name {
                typed: typed.clone(),
                names: names.to_vec(),
            });
        };
        match rating
            .parse()
            .ok()
            .filter(|rating: &f64| rating.is_finite())
        {
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

    #[test]
    fn an_anchor_may_have_a_rating() {
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
            assert!(
                what.contains(&format!("{rating:?} is not a rating")),
                "{what}"
            );
        }
        for unknown in ["bad", "bad=1", ""] {
            let what = among(unknown).unwrap_err().to_string();
            assert!(what.contains("there are good, a=7, x"), "{what}");
        }
    }
}
