//! The summary of a contest, as JSON and for the reports.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::order::{RankKey, places};
use super::player::{PlaceSummary, PlayerSummary};
use super::ratings::{RatingsNote, rate};
use super::score::{Score, scores};
use super::worst::WorstGame;
use super::{ContestResult, Finish, PairingTally};
use crate::explain::replay_command;
use crate::game::EndedBy;
use crate::record::{ContestHeader, VERSION};
use league::schedule::Format;
use league::statistics::bradley_terry::Anchor;
use league::statistics::sprt::{Decision, Sprt};
use league::statistics::{self, EloEstimate, Interval, NormalizedElo, Wdl};
use wire::game::Game;

/// The name of the format in a summary.
pub(super) const SUMMARY_FORMAT: &str = "battleship-summary";

/// The results of a contest as numbers. Everything is computed from its games.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// `battleship-summary`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of the referee.
    pub referee: String,
    /// The id of the contest, as in its record.
    pub contest: String,
    /// The pairings.
    #[serde(serialize_with = "name_of_schedule")]
    pub schedule: Format,
    /// The seed of the contest.
    pub seed: u64,
    /// The number of games that were played.
    pub games: u64,
    /// The number of series that were played to their end.
    pub series: u64,
    /// The reason why it is over.
    pub finish: FinishName,
    /// The players, in the contest's order.
    pub players: Vec<PlayerSummary>,
    /// Those who have met, in that order.
    pub pairings: Vec<PairingSummary>,
    /// Notes on the players' ratings, if they are rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<RatingsNote>,
    /// The sequential test, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn name_of_schedule<S: Serializer>(schedule: &Format, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(schedule.name())
}

/// The reason why a contest is over for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishName {
    /// Everything has been played.
    Complete,
    /// The sequential test has decided.
    Decided,
    /// The user stopped it.
    Interrupted,
}

/// The results between two players, as the first of them sees them.
#[derive(Clone, Debug, Serialize)]
pub struct PairingSummary {
    /// The players, as places in the list of players, from 0.
    pub players: [usize; 2],
    /// Whether they count in the standings: not if one of the two is out.
    pub counts: bool,
    /// The points that the games that count brought the first.
    pub results: Wdl,
    /// Games without a winner, by reason.
    pub without_winner: BTreeMap<EndedBy, u64>,
    /// The first one's share of points.
    pub score: Option<Score>,
    /// Figures from pairs of games: the better ones, since neither player gains by the first move
    /// in them.
    pub pairs: Option<PairsSummary>,
}

/// Figures from pairs of games with swapped movers, of the first player.
#[derive(Clone, Debug, Serialize)]
pub struct PairsSummary {
    /// The number of pairs that brought it 0, 1/2, 1, 3/2 and 2 points.
    pub counts: [u64; 5],
    /// Its share of points in them.
    pub score: f64,
    /// The standard error of that.
    pub standard_error: f64,
    /// The 95% interval of it.
    pub interval: Interval,
    /// The Elo difference.
    pub elo: EloEstimate,
    /// The normalized Elo difference.
    pub normalized_elo: NormalizedElo,
    /// The likelihood of superiority.
    pub los: f64,
}

/// The state of a sequential test.
#[derive(Clone, Debug, Serialize)]
pub struct SprtSummary {
    /// The test itself.
    #[serde(skip)]
    pub of: Sprt,
    /// The test, as it is typed.
    pub test: String,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this the first player is no better than elo0 says.
    pub lower: f64,
    /// At or above this it is as good as elo1 says.
    pub upper: f64,
    /// Its decision.
    pub decision: Decision,
    /// Whether the contest began without these bounds, so that the error rates do not hold.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen_late: bool,
}

impl Summary {
    /// Returns the summary of a contest.
    #[must_use]
    pub fn new(
        header: &ContestHeader,
        game: &dyn Game,
        played: &ContestResult,
        sprt: Option<&Sprt>,
    ) -> Summary {
        let tally = &played.counted;
        let finish = match played.finish {
            Finish::Complete => FinishName::Complete,
            Finish::Decided(_) => FinishName::Decided,
            Finish::Interrupted => FinishName::Interrupted,
        };
        let scores = scores(tally);
        let players = (0..tally.players.len()).map(|player| {
            let entrant = &header.config.players[player];
            let tally = &tally.players[player];
            let worst_game = tally.worst.as_ref().map(|worst| WorstGame {
                series: worst.series,
                game: worst.game,
                why: worst.why.clone(),
                repeat: replay_command(&header.config, game, &worst.played),
            });
            let cannot_play = played.unfit[player].clone();
            let disqualified = played.out[player] && cannot_play.is_none();
            let summary = PlayerSummary::new(entrant, scores[player], tally);
            PlayerSummary {
                disqualified,
                cannot_play,
                worst_game,
                ..summary
            }
        });
        let pairings = played
            .tally
            .pairings
            .iter()
            .map(|(players, tally)| PairingSummary {
                counts: players.iter().all(|player| !played.out[*player]),
                ..PairingSummary::new(*players, tally)
            });
        // Of all counted pairs, which is what the test itself saw last: series after its decision
        // are dropped.
        let sprt = sprt.map(|sprt| SprtSummary::new(sprt, header, tally.pairings.get(&[0, 1])));
        Summary {
            format: SUMMARY_FORMAT.to_owned(),
            version: VERSION,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            contest: header.id.clone(),
            schedule: header.config.schedule,
            seed: header.config.seed,
            games: played.tally.games,
            series: played.tally.series,
            finish,
            players: players.collect(),
            pairings: pairings.collect(),
            ratings: None,
            sprt,
        }
    }

    /// Returns the same with the places and ratings of a tournament.
    #[must_use]
    pub fn with_places(mut self, played: &ContestResult, anchor: Anchor) -> Summary {
        let names: Vec<String> = self
            .players
            .iter()
            .map(|player| player.name.clone())
            .collect();
        let ratings = rate(&played.counted, &names, anchor);
        // Places are listed best first; players keep the order in which they were entered.
        for place in &played.places {
            self.players[place.player].place = Some(PlaceSummary {
                place: place.place,
                points: place.points,
                note: place.note.clone(),
            });
        }
        // If all may meet all, the order is the one of a ranking by these games.
        if self.schedule.is_fixed() {
            let merits = ratings.players.iter().zip(&self.players).zip(&played.out);
            let merits = merits.map(|((rating, player), is_out)| {
                RankKey::new(*rating, &player.tally.results, *is_out)
            });
            let numbers = places(&merits.collect::<Vec<_>>());
            for (player, place) in self.players.iter_mut().zip(numbers) {
                let points = player.tally.results.points();
                let note = player
                    .place
                    .take()
                    .map(|place| place.note)
                    .unwrap_or_default();
                player.place = Some(PlaceSummary {
                    place,
                    points,
                    note,
                });
            }
        }
        for (player, rating) in self.players.iter_mut().zip(ratings.players) {
            player.rating = rating;
        }
        self.ratings = Some(ratings.note);
        self
    }
}

impl PairingSummary {
    pub(super) fn new(players: [usize; 2], tally: &PairingTally) -> PairingSummary {
        let pairs = &tally.pairs;
        // `None` without whole pairs, as after a single game: a variance needs independent
        // observations.
        let figures = pairs.sample().map(|sample| PairsSummary {
            counts: pairs.counts(),
            score: sample.score,
            standard_error: sample.standard_error(),
            interval: sample.interval(),
            elo: sample.elo(),
            normalized_elo: sample.normalized_elo(),
            los: sample.los(),
        });
        PairingSummary {
            players,
            counts: true,
            results: tally.results,
            without_winner: tally.without_winner.clone(),
            score: statistics::Score::of(
                pairs.sample().into_iter().chain(tally.singles().sample()),
            )
            .map(Score::from),
            pairs: figures,
        }
    }
}

impl SprtSummary {
    fn new(sprt: &Sprt, header: &ContestHeader, pairing: Option<&PairingTally>) -> SprtSummary {
        let pairs = pairing.map(|pairing| pairing.pairs).unwrap_or_default();
        let bounds = sprt.bounds();
        SprtSummary {
            of: *sprt,
            chosen_late: header.sprt.as_deref() != Some(&*sprt.to_string()),
            test: sprt.to_string(),
            llr: sprt.llr(&pairs),
            lower: bounds.lower,
            upper: bounds.upper,
            decision: sprt.decide(&pairs),
        }
    }
}
