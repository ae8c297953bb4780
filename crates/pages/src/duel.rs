//! The attacks of a player, the endurance of its fleets and its learning, in some of its games.

use bothost::Side;
use serde::Serialize;

use arena::explain::GameDigest;
use arena::game::EndedBy;
use arena::record::{GameLine, InContest};
use league::statistics::distribution::{Distribution, median_of_censored};
use league::statistics::{Score, Wdl};

/// Series are no longer than two to this power.
const MOST_DOUBLINGS: usize = 32;

/// The games of one player, against one opponent or all of them.
#[derive(Clone, Debug, Default)]
pub struct Duel {
    attacks: [u64; 2],
    hits: [u64; 2],
    /// After how many attacks of the opponent the fleet was sunk.
    fell: Distribution,
    /// The number of attacks that the opponent made in the other games.
    stood: Distribution,
    /// The series of the last game, and the number of its first game.
    series: Option<(InContest, u32)>,
    /// The number of games of the longest series.
    longest: u64,
    /// Results by the binary logarithm of the game's place in its series, rounded down.
    places: Vec<Wdl>,
}

/// The findings of these games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DuelSummary {
    /// The turns of the player and of its opponents.
    pub attacks: [u64; 2],
    /// The number of hits.
    pub hits: [u64; 2],
    /// The games in which its fleet was sunk.
    pub fell: u64,
    /// The games that ended before that.
    pub stood: u64,
    /// The number of attacks by which opponents sink half of its fleets, counting the games that
    /// ended earlier as far as they went; `None` if fewer are sunk in all games. The estimate of E.
    /// L. Kaplan and P. Meier (1958).
    pub endures: Option<u64>,
    /// The share of points by the game's place in its series: the first, the next two, the next
    /// four, and so on.
    pub places: Vec<PlaceScore>,
}

/// The share of points in some games of each series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlaceScore {
    /// The first of them in a series, from 1.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// All such games.
    pub games: u64,
    /// The share of points, from 0 to 1.
    pub share: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Duel {
    /// Counts a game of the player on `side`, which `digest` has in short.
    pub fn add(&mut self, digest: &GameDigest, game: &GameLine, side: Side) {
        for (own, player) in [side, side.other()].into_iter().enumerate() {
            self.attacks[own] += u64::from(game.stats.turns[player]);
            self.hits[own] += u64::from(game.stats.hits[player]);
        }
        let theirs = digest.turns[side.other()].into();
        let is_sunk = digest.ended_by == EndedBy::FleetSunk && digest.winner == Some(side.other());
        if is_sunk {
            self.fell.add(theirs);
        } else {
            self.stood.add(theirs);
        }
        let place = self.place_in_series(game);
        self.longest = self.longest.max(u64::from(place));
        let place = place.checked_ilog2();
        let Some((place, outcomes)) = place.zip(game.outcomes()) else {
            return;
        };
        let place = (place as usize).min(MOST_DOUBLINGS);
        if self.places.len() <= place {
            self.places.resize(place + 1, Wdl::default());
        }
        self.places[place].add(outcomes[side]);
    }

    /// Returns the place of a game in its series, from 1; 0 for a single game. A record has the
    /// games of a series one after the other, and numbers them by the encounter of two players.
    fn place_in_series(&mut self, game: &GameLine) -> u32 {
        let Some(place) = &game.contest else {
            self.series = None;
            return 0;
        };
        let is_same =
            |(last, _): &&(InContest, u32)| last.id == place.id && last.series == place.series;
        let first = match self.series.as_ref().filter(is_same) {
            Some((_, first)) => *first,
            None => place.game,
        };
        self.series = Some((place.clone(), first));
        (place.game + 1).saturating_sub(first)
    }

    /// Returns what the games say.
    #[must_use]
    pub fn summary(&self) -> DuelSummary {
        let Duel {
            attacks,
            hits,
            fell,
            stood,
            longest,
            places,
            series: _,
        } = self;
        DuelSummary {
            attacks: *attacks,
            hits: *hits,
            fell: fell.count(),
            stood: stood.count(),
            endures: median_of_censored(fell, stood),
            places: places
                .iter()
                .enumerate()
                .filter_map(|(place, results)| {
                    let score = Score::of(results.sample())?;
                    let interval = score.interval();
                    let first = 1 << place;
                    let [share, low, high] =
                        [score.share, interval.low, interval.high].map(to_four_digits);
                    let last = (2 * first - 1).min(*longest);
                    let games = results.games();
                    Some(PlaceScore {
                        first,
                        last,
                        games,
                        share,
                        low,
                        high,
                    })
                })
                .collect(),
        }
    }
}

/// Returns a share as precise as it can be, since pages have many of them.
fn to_four_digits(share: f64) -> f64 {
    (1e4 * share).round() / 1e4
}
