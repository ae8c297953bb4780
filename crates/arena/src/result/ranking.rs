//! The ranking of players by all games of some records.

use serde::Serialize;

use super::order::{RankKey, places};
use super::player::PlaceSummary;
use super::ratings::{RatingsNote, rate};
use super::score::scores;
use super::{PairingSummary, PlayerSummary, RecordPool};
use crate::record::VERSION;
use league::statistics::bradley_terry::Anchor;

/// The name of the format in a ranking.
pub(super) const RANKING_FORMAT: &str = "battleship-ranking";

/// The reason for a player without games in a contest, if its record says no more.
pub const FAILED_CHECK: &str = "it failed the check before the first game";

/// The note on a player who has too few games for a place of its own.
pub const PROVISIONAL: &str = "provisional";

/// The strength of players, by all games of some records.
#[derive(Clone, Debug, Serialize)]
pub struct Ranking {
    /// `battleship-ranking`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of the referee.
    pub referee: String,
    /// The number of games.
    pub games: u64,
    /// The number of series that were played to their end.
    pub series: u64,
    /// The number of those that were not. Their games count.
    pub unfinished: u64,
    /// The players, in the order in which they turned up.
    pub players: Vec<PlayerSummary>,
    /// Those who have met, in that order.
    pub pairings: Vec<PairingSummary>,
    /// The facts that a reader of the ratings has to know.
    pub ratings: RatingsNote,
}

impl Ranking {
    /// Ranks the players of a pool by their ratings.
    #[must_use]
    pub fn new(pool: &RecordPool, anchor: Anchor) -> Ranking {
        let entrants = pool.entrants();
        let tally = pool.tally();
        let names: Vec<String> = entrants.iter().map(|player| player.name.clone()).collect();
        let ratings = rate(tally, &names, anchor);
        let out: Vec<bool> = pool.out().collect();
        let merits = ratings
            .players
            .iter()
            .zip(&tally.players)
            .zip(out.iter().copied());
        let merits =
            merits.map(|((rating, player), is_out)| RankKey::new(*rating, &player.results, is_out));
        let places = places(&merits.collect::<Vec<_>>());
        let players = entrants.iter().zip(scores(tally)).zip(&tally.players);
        let players = players.zip(ratings.players.iter().zip(places));
        let players =
            players
                .enumerate()
                .map(|(number, (((entrant, score), tally), (rating, place)))| {
                    let player = PlayerSummary::new(entrant, score, tally);
                    let points = player.tally.results.points();
                    let place = Some(PlaceSummary {
                        place,
                        points,
                        note: String::new(),
                    });
                    let is_out = out[number] && !entrant.cannot_play;
                    let cannot_play =
                        (out[number] && entrant.cannot_play).then(|| FAILED_CHECK.to_owned());
                    PlayerSummary {
                        rating: *rating,
                        place,
                        disqualified: is_out,
                        cannot_play,
                        ..player
                    }
                });
        let pairings = tally
            .pairings
            .iter()
            .map(|(players, tally)| PairingSummary::new(*players, tally));
        Ranking {
            format: RANKING_FORMAT.to_owned(),
            version: VERSION,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            games: tally.games,
            series: tally.series,
            unfinished: pool.unfinished(),
            players: players.collect(),
            pairings: pairings.collect(),
            ratings: ratings.note,
        }
    }
}
