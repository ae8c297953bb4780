//! The order of players in standings.

use league::statistics::bradley_terry::Rating;
use league::statistics::{Wdl, to_f64};

/// The figures that decide a player's place.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankKey {
    /// Its rating; `None` without games that count.
    pub(super) rating: Option<f64>,
    /// Its half points and its games, of those that count.
    pub(super) points: (u64, u64),
    /// Whether it is in the standings at all.
    pub(super) is_out: bool,
}

impl RankKey {
    /// Returns the merit of a player with this rating and these results, of the games that count.
    pub(super) fn new(rating: Option<Rating>, results: &Wdl, is_out: bool) -> RankKey {
        let points = (results.half_points(), results.games());
        RankKey {
            rating: rating.map(|rating| rating.rating),
            points,
            is_out,
        }
    }
}

/// Returns the places of players, from 1: by rating, in whole points as it is shown, then by the
/// share of the points. Those who are equal in both share a place; those without rating come behind
/// the others, and last those who are out.
pub(super) fn places(players: &[RankKey]) -> Vec<usize> {
    // Whole points: the rest of a rating is noise of the arithmetic, which gave places to equal
    // players by chance.
    let keys: Vec<_> = players
        .iter()
        .map(
            |RankKey {
                 rating,
                 points: (half_points, games),
                 is_out,
             }| {
                let rating = rating.map_or(f64::NEG_INFINITY, |rating| rating.round() + 0.0);
                // Equal fractions give equal numbers, since a division is rounded correctly.
                let share = if *games == 0 {
                    -1.0
                } else {
                    to_f64(*half_points) / to_f64(*games)
                };
                (!is_out, if *is_out { (0.0, 0.0) } else { (rating, share) })
            },
        )
        .collect();
    let mut places = Vec::new();
    for own in &keys {
        let above = keys.iter().filter(|other| {
            let by_rating = other.1.0.total_cmp(&own.1.0);
            let by_share = other.1.1.total_cmp(&own.1.1);
            other.0.cmp(&own.0).then(by_rating).then(by_share).is_gt()
        });
        places.push(1 + above.count());
    }
    places
}

/// The order of places in words: of a ranking, a round robin or a gauntlet.
pub const BY_RATING: &str =
    "Places go by the rating in whole points, then by the share of the points.";

#[cfg(test)]
mod tests {
    use super::*;

    fn merit(rating: Option<f64>, points: (u64, u64), is_out: bool) -> RankKey {
        RankKey {
            rating,
            points,
            is_out,
        }
    }

    #[test]
    fn players_are_placed_by_their_ratings() {
        let ratings = [Some(-3.0), None, Some(7.5), Some(-3.0), None];
        let players = ratings.map(|rating| merit(rating, (1, 2), false));
        assert_eq!(places(&players), [2, 4, 1, 2, 4]);
        assert_eq!(places(&[]), Vec::<usize>::new());
    }

    #[test]
    fn ratings_that_are_shown_as_equal_are_equal() {
        let players = [
            merit(Some(21.506_769_364_185_2), (50, 100), false),
            merit(Some(21.506_769_364_185_3), (25, 50), false),
            merit(Some(21.7), (51, 100), false),
            merit(Some(-0.2), (0, 2), false),
            merit(Some(0.2), (0, 2), false),
        ];
        assert_eq!(places(&players), [2, 2, 1, 4, 4]);
    }

    #[test]
    fn those_who_are_out_share_the_last_place() {
        let players = [
            merit(Some(900.0), (2, 2), true),
            merit(None, (0, 0), false),
            merit(None, (0, 0), true),
            merit(Some(1.0), (1, 2), false),
        ];
        assert_eq!(places(&players), [3, 2, 3, 1]);
    }
}
