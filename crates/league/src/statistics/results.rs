//! Results of games: of single ones, and of pairs.

use serde::{Deserialize, Serialize};

use super::sample::Sample;
use super::to_f64;

/// The result of a game for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl Outcome {
    /// Returns the worth of the game in half points, so that it is whole: 0, 1 or 2.
    #[must_use]
    pub const fn half_points(self) -> usize {
        self as usize
    }
}

/// Games that were not played in pairs, counted by their results for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    /// The games that the first player won.
    pub wins: u64,
    /// The games without a winner.
    pub draws: u64,
    /// The games that the first player lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts one more game.
    pub fn add(&mut self, game: Outcome) {
        match game {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// Returns the same games as the second player sees them.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        Wdl {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// Returns these games without those of `some`, which are among them.
    #[must_use]
    pub const fn minus(self, some: Wdl) -> Wdl {
        Wdl {
            wins: self.wins - some.wins,
            draws: self.draws - some.draws,
            losses: self.losses - some.losses,
        }
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the half points of the first player.
    #[must_use]
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Returns the points of the first player.
    #[must_use]
    pub fn points(&self) -> f64 {
        to_f64(self.half_points()) / 2.0
    }

    /// Returns the games as a sample; `None` without games.
    #[must_use]
    pub fn sample(&self) -> Option<Sample> {
        Sample::of([self.losses, self.draws, self.wins], 1.0)
    }
}

impl std::ops::AddAssign for Wdl {
    fn add_assign(&mut self, more: Wdl) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

/// Pairs of games, counted by the points of the first player in them: 0, 1/2, 1, 3/2 or 2.
///
/// The two games of a pair have something in common, such as the same fleets with the first move
/// swapped, so they are not independent evidence; pairs are.
///
/// If all pairs ended alike their variance is 0, and so is the standard error. That says nothing
/// about how sure the score is; its [interval](super::Score::interval) does.
///
/// ```
/// use league::statistics::{Outcome, Pentanomial};
///
/// let mut pairs = Pentanomial::default();
/// pairs.add([Outcome::Win, Outcome::Loss]);
/// pairs.add([Outcome::Win, Outcome::Win]);
/// assert_eq!(pairs.counts(), [0, 0, 1, 0, 1]);
/// assert_eq!(pairs.sample().map(|sample| sample.score), Some(0.75));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial {
    counts: [u64; 5],
}

impl Pentanomial {
    /// Returns pairs that were counted before, by the first player's half points.
    #[must_use]
    pub const fn new(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts }
    }

    /// Returns the numbers of pairs that brought the first player 0, 1, 2, 3 and 4 half points.
    #[must_use]
    pub const fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// Counts one more pair, by the results of both games for the first player.
    pub fn add(&mut self, games: [Outcome; 2]) {
        // A win and a loss count as two draws do: only the points of a pair matter to its mean and
        // variance.
        self.counts[games[0].half_points() + games[1].half_points()] += 1;
    }

    /// Returns the same pairs as the second player sees them.
    #[must_use]
    pub fn reversed(mut self) -> Pentanomial {
        // Every pair is worth two points, which the players divide.
        self.counts.reverse();
        self
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the points of the first player, out of two for each pair.
    #[must_use]
    pub fn points(&self) -> f64 {
        // In whole numbers up to the last step, so that points are exact however many games there
        // are.
        let [_, one, two, three, four] = self.counts;
        to_f64(one + 2 * two + 3 * three + 4 * four) / 2.0
    }

    /// Returns the pairs as a sample; `None` without pairs.
    #[must_use]
    pub fn sample(&self) -> Option<Sample> {
        // The score of a game, from 0 to 1, is half the points of a pair; the pairs are the
        // independent observations.
        Sample::of(self.counts, 2.0)
    }
}

impl std::ops::AddAssign for Pentanomial {
    fn add_assign(&mut self, more: Pentanomial) {
        self.counts = std::array::from_fn(|worth| self.counts[worth] + more.counts[worth]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Interval, NormalizedElo, elo};
    use super::*;

    /// Cases "`EloPentanomial` 1" to 3 of fastchess, `app/tests/elo_test.cpp`, whose counts are LL,
    /// LD, WL, DD, WD, WW. Each case: counts, Elo, the error of it that the standard error makes,
    /// normalized Elo, LOS in percent, all rounded to the second digit. The intervals of ours are
    /// others.
    #[test]
    fn the_pentanomial_cases_of_fastchess_come_out() {
        for (counts, figures) in [
            ([34, 54, 31 + 32, 64, 75], [55.58, 27.65, 57.94, 100.0]),
            ([332, 433, 457 + 41, 333, 334], [-8.64, 10.33, -9.17, 5.05]),
            (
                [7895, 8757, 5485 + 200, 568, 9999],
                [-21.04, 2.95, -19.01, 0.0],
            ),
        ] {
            let sample = sample(counts);
            let ends = Interval::around(sample.score, sample.standard_error());
            let error = (elo::difference(ends.high) - elo::difference(ends.low)) / 2.0;
            let elo = sample.elo().elo;
            let normalized = sample.normalized_elo().elo;
            let actual = [elo, error, normalized, 100.0 * sample.los()];
            for (actual, expected) in actual.into_iter().zip(figures) {
                assert!(
                    (actual - expected).abs() < 0.0051,
                    "{counts:?}: {actual}, not {expected}"
                );
            }
        }
    }

    /// Cases "`EloWDL` 1" to 3 of fastchess, `app/tests/elo_test.cpp`, whose counts are wins,
    /// losses, draws. Each case: counts, then what it gives of Elo, normalized Elo, LOS in percent,
    /// all rounded to the second digit.
    #[test]
    fn the_wdl_cases_of_fastchess_come_out() {
        let first = [76, 89, 123];
        let second = [136, 96, 111];
        let third = [34, 356, 0];
        for ([wins, losses, draws], figures) in [
            (first, [None, Some(-20.76), Some(15.53)]),
            (second, [40.70, 49.77, 99.60].map(Some)),
            (third, [None, Some(-508.44), None]),
        ] {
            let sample = Wdl {
                wins,
                draws,
                losses,
            }
            .sample()
            .unwrap();
            let actual = [
                sample.elo().elo,
                sample.normalized_elo().elo,
                100.0 * sample.los(),
            ];
            for (actual, expected) in actual.into_iter().zip(figures) {
                let Some(expected) = expected else { continue };
                assert!(
                    (actual - expected).abs() < 0.0051,
                    "{sample:?}: {actual}, not {expected}"
                );
            }
        }
    }

    fn sample(counts: [u64; 5]) -> Sample {
        Pentanomial::new(counts).sample().unwrap()
    }

    #[test]
    fn results_are_counted_by_hand() {
        let mut games = Wdl::default();
        for outcome in [Outcome::Win, Outcome::Draw, Outcome::Win, Outcome::Loss] {
            games.add(outcome);
        }
        assert_eq!((games.games(), games.half_points()), (4, 5));
        games += games.reversed();
        assert_eq!(games.points().to_string(), "4");

        let mut pairs = Pentanomial::default();
        pairs.add([Outcome::Loss, Outcome::Loss]);
        pairs.add([Outcome::Draw, Outcome::Win]);
        assert_eq!(serde_json::to_string(&pairs).unwrap(), "[1,0,0,1,0]");
        pairs += pairs.reversed();
        assert_eq!((pairs.pairs(), &*pairs.points().to_string()), (4, "4"));

        let sample = sample([1, 0, 2, 0, 1]);
        assert_eq!(
            [sample.score, sample.variance].map(|it| it.to_string()),
            ["0.5", "0.125"]
        );
        assert!((sample.standard_error() - 0.031_25_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_second_player_has_the_opposite_figures() {
        let pairs = Pentanomial::new([3, 1, 20, 4, 9]);
        let [one, two] = [pairs, pairs.reversed()].map(|pairs| pairs.sample().unwrap());
        assert!((one.elo().elo + two.elo().elo).abs() < 1e-9);
        assert!((one.elo().low + two.elo().high).abs() < 1e-9);
        assert!((one.los() + two.los() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn pairs_all_alike_do_not_tell_their_deviation() {
        for (counts, json, los) in [
            ([0, 0, 7, 0, 0], "0.0", 0.5),
            ([0, 0, 0, 0, 7], "null", 1.0),
            ([7, 0, 0, 0, 0], "null", 0.0),
        ] {
            let sample = sample(counts);
            let normalized = serde_json::to_string(&sample.normalized_elo()).unwrap();
            assert_eq!(
                normalized,
                format!(r#"{{"elo":{json},"low":null,"high":null}}"#)
            );
            assert!((sample.los() - los).abs() < 1e-12);
            // The score is known all the same, within bounds.
            assert!((sample.elo().low > 0.0) == (los > 0.5));
            assert!((sample.elo().high < 0.0) == (los < 0.5));
        }
    }

    #[test]
    fn three_pairs_tell_a_deviation() {
        let normalized = |other| sample([0, 0, other, 0, 40]).normalized_elo();
        assert_eq!(normalized(2).low, None);
        let NormalizedElo { elo, low, high } = normalized(3);
        assert!(low.unwrap() < elo && elo < high.unwrap());
    }

    #[test]
    fn no_figure_of_few_results_is_nan() {
        for code in 0..3_u64.pow(5) {
            let counts = [0, 1, 2, 3, 4].map(|place| code / 3_u64.pow(place) % 3);
            let games = Wdl {
                wins: counts[0],
                draws: counts[1],
                losses: counts[2],
            };
            let samples = [Pentanomial::new(counts).sample(), games.sample()];
            assert_eq!(samples[0].is_none(), code == 0);
            for sample in samples.into_iter().flatten() {
                let elo = sample.elo();
                let normalized = sample.normalized_elo();
                let figures = [elo.elo, elo.low, elo.high, sample.los(), normalized.elo];
                let ends = normalized.low.into_iter().chain(normalized.high);
                let mut figures = figures.into_iter().chain(ends);
                assert!(figures.all(|figure| !figure.is_nan()), "{sample:?}");
                let Interval { low, high } = sample.interval();
                assert!(low < high && low <= sample.score && sample.score <= high);
            }
        }
    }
}
