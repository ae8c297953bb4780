//! All that is counted of a player, and its summary in JSON. A new figure is counted in
//! [`PlayerTally`] and is a row of [`FIGURES`](super::FIGURES): JSON, text, CSV and the pages of
//! players follow.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::score::Score;
use super::worst::{Worst, WorstGame};
use crate::game::EndedBy;
use crate::record::{GameLine, ListedPlayer};
use bothost::Side;
use league::statistics::bradley_terry::Rating;
use league::statistics::distribution::Distribution;
use league::statistics::{Mean, Outcome, Wdl};

/// The sums of the games of one player.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerTally {
    /// All its games, whether they count or not.
    pub games: u64,
    /// Its results in the games that count.
    pub results: Wdl,
    /// Those of them in which it moved first.
    pub moving_first: Wdl,
    /// Those of them in which it moved second.
    pub moving_second: Wdl,
    /// The games that it spoiled when it moved first.
    pub faults_moving_first: u64,
    /// The number of attacks that it needed in the games in which it sank the opponent's fleet.
    #[serde(serialize_with = "as_attacks")]
    pub shots_to_win: Distribution,
    /// All its attacks.
    pub shots: u64,
    /// Those that could not count.
    pub wasted: u64,
    /// The time that its replies took, in microseconds.
    #[serde(rename = "reply_us", serialize_with = "as_times")]
    pub reply_times: Distribution,
    /// The processor time it has used, in milliseconds, as far as that is known.
    pub cpu_ms: Option<u64>,
    /// Its name for itself, if that is not its name.
    #[serde(rename = "calls_itself")]
    pub own_name: Option<String>,
    /// The games that it spoiled, by how.
    pub faults: BTreeMap<EndedBy, u64>,
    /// Its irregularities, a sentence each.
    pub warnings: Vec<String>,
    /// Its replies that were refused and asked for again.
    #[serde(skip_serializing_if = "is_zero")]
    pub retries: u64,
    /// The games in which the judge failed right after a reply of the player.
    #[serde(skip_serializing_if = "is_zero")]
    pub judge_failed: u64,
    /// The means of the numbers that a judge gave it, by name.
    #[serde(rename = "figures", skip_serializing_if = "GivenFigures::is_empty")]
    pub given: GivenFigures,
    /// Whether a judge knows the game.
    #[serde(skip)]
    pub is_judged: bool,
    /// The games in a row in which the judge failed after its replies.
    #[serde(skip)]
    pub(super) judge_failures: usize,
    /// Whether the judge failed so in too many games in a row.
    #[serde(skip)]
    pub stumps_judge: bool,
    /// The game that it should look at first.
    #[serde(skip)]
    pub worst: Option<Worst>,
}

/// The games in a row in which a judge fails, after which it is not asked again.
pub const JUDGE_FAILURES: usize = 3;

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The means of the numbers that a judge gave a player in its games, by name.
#[derive(Clone, Debug, Default)]
pub struct GivenFigures(BTreeMap<String, Mean>);

impl GivenFigures {
    /// Adds those of the player on `side` in a game.
    pub fn add(&mut self, game: &GameLine, side: Side) {
        let figures = game
            .figures
            .iter()
            .filter(|figure| game.is_judged() && usize::from(figure.player) == side.index());
        for figure in figures {
            // A number that a judge gave comes once a game.
            if let [(0, value)] = figure.values[..]
                && (self.0.len() < MOST_GIVEN || self.0.contains_key(&figure.name))
            {
                self.0.entry(figure.name.clone()).or_default().add(value);
            }
        }
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns each name with the mean over the games that have the number.
    pub fn means(&self) -> impl Iterator<Item = (&str, f64)> {
        let means = self.0.iter();
        means.filter_map(|(name, mean)| Some((&**name, mean.value()?)))
    }
}

impl Serialize for GivenFigures {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.means())
    }
}

/// The names of numbers that a judge gives a player at most, in all games together.
const MOST_GIVEN: usize = 16;

impl PlayerTally {
    /// Returns the games that it spoiled.
    #[must_use]
    pub fn n_faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Counts a game in which it had this seat, and what that brought it; `None` if it does not
    /// count.
    pub(super) fn add(&mut self, game: &GameLine, side: Side, outcome: Option<Outcome>) {
        self.games += 1;
        let player = &game.players[side];
        if self.own_name != player.calls_itself {
            self.own_name.clone_from(&player.calls_itself);
        }
        if let Some(outcome) = outcome {
            self.results.add(outcome);
            let moved = if game.first == side {
                &mut self.moving_first
            } else {
                &mut self.moving_second
            };
            moved.add(outcome);
        }
        // Counted also where the game itself does not count as a result.
        if game.by == Some(side) && game.ended_by.is_fault() {
            *self.faults.entry(game.ended_by).or_default() += 1;
            self.faults_moving_first += u64::from(game.first == side);
        }
        self.retries += u64::from(player.retries);
        if game.ended_by == EndedBy::JudgeFailed && game.by == Some(side) {
            self.judge_failed += 1;
            self.judge_failures += 1;
            self.stumps_judge |= self.judge_failures >= JUDGE_FAILURES;
        } else {
            self.judge_failures = 0;
        }
        self.is_judged = game.is_judged();
        self.given.add(game, side);
        let stats = &game.stats;
        for us in &stats.reply_us[side] {
            self.reply_times.add((*us).into());
        }
        self.wasted += u64::from(stats.wasted[side]);
        self.shots += u64::from(stats.turns[side]);
        // A win by forfeit takes few attacks, and would look like skill.
        if outcome == Some(Outcome::Win) && game.ended_by == EndedBy::FleetSunk {
            self.shots_to_win.add(stats.turns[side].into());
        }
        // The first of equally bad games stays, so that the choice does not change while the
        // contest continues.
        if let Some(worst) = Worst::of(game, side, outcome, self.worst.as_ref()) {
            self.worst = Some(worst);
        }
    }
}

/// The figures of some numbers of attacks, as JSON has them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AttacksSummary {
    pub count: u64,
    pub mean: f64,
    pub median: f64,
    pub min: u64,
    pub max: u64,
    /// As of a sample; `None` for a single number.
    pub standard_deviation: Option<f64>,
}

impl AttacksSummary {
    /// Returns the figures; `None` without numbers.
    #[must_use]
    pub fn of(attacks: &Distribution) -> Option<AttacksSummary> {
        Some(AttacksSummary {
            count: attacks.count(),
            mean: attacks.mean()?,
            median: attacks.median()?,
            min: attacks.min()?,
            max: attacks.max()?,
            standard_deviation: attacks.standard_deviation(),
        })
    }
}

/// The figures of some reply times in microseconds, as JSON has them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimesSummary {
    pub count: u64,
    pub mean: f64,
    /// Half of the replies took at most this long.
    pub p50: u64,
    /// 99% of them took at most this long.
    pub p99: u64,
    pub max: u64,
}

impl TimesSummary {
    /// Returns the figures; `None` without replies.
    #[must_use]
    pub fn of(times: &Distribution) -> Option<TimesSummary> {
        Some(TimesSummary {
            count: times.count(),
            mean: times.mean()?,
            p50: times.quantile(0.5)?,
            p99: times.quantile(0.99)?,
            max: times.max()?,
        })
    }
}

fn as_attacks<S: Serializer>(attacks: &Distribution, to: S) -> Result<S::Ok, S::Error> {
    AttacksSummary::of(attacks).serialize(to)
}

fn as_times<S: Serializer>(times: &Distribution, to: S) -> Result<S::Ok, S::Error> {
    TimesSummary::of(times).serialize(to)
}

/// The results of one player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// Its place; absent where there are no places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceSummary>,
    /// Its name.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// The counts of its games.
    #[serde(flatten)]
    pub tally: PlayerTally,
    /// Its share of the points of the games that count; `None` without such games.
    pub score: Option<Score>,
    /// Its rating; absent without games that count, or where players are not rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Whether it has been disqualified.
    pub disqualified: bool,
    /// The reason why it could not play at all, if so.
    pub cannot_play: Option<String>,
    /// The game that it should look at first; `None` in a ranking.
    pub worst_game: Option<WorstGame>,
}

/// A player's place in a contest.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceSummary {
    /// From 1; players who did equally well share it.
    pub place: usize,
    /// The score that it is based on: points, match points or rounds.
    pub points: f64,
    /// A remark.
    pub note: String,
}

impl PlayerSummary {
    /// Returns the results of a player, without what only a whole contest knows.
    pub(super) fn new(
        player: &ListedPlayer,
        score: Option<Score>,
        tally: &PlayerTally,
    ) -> PlayerSummary {
        PlayerSummary {
            name: player.name.clone(),
            command: player.command.clone(),
            place: None,
            rating: None,
            disqualified: false,
            cannot_play: None,
            score,
            tally: tally.clone(),
            worst_game: None,
        }
    }
}
