use serde::{Deserialize, Serialize};

use super::sample::Sample;
use super::{EloEstimate, Interval, Outcome, real};

/// Pairs of games, counted by what the first player got in them: nothing, half a point, one point, one and a half
/// or two.
///
/// The two games of a pair have something in common, such as the same fleets with the first move swapped, so they
/// are no independent evidence; pairs are. Formulas as in fastchess,
/// `app/src/matchmaking/elo/elo_pentanomial.cpp`.
///
/// If all pairs ended alike their variance is 0, and so are the standard error and the width of the interval.
/// That says nothing about how sure the score is; [`wilson::interval`](super::wilson::interval) does.
///
/// ```
/// use battleship_referee::contest::statistics::{Outcome, Pentanomial};
///
/// let mut pairs = Pentanomial::default();
/// pairs.add([Outcome::Win, Outcome::Loss]);
/// pairs.add([Outcome::Win, Outcome::Win]);
/// assert_eq!(pairs.counts(), [0, 0, 1, 0, 1]);
/// assert_eq!(pairs.score(), Some(0.75));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial {
    counts: [u64; 5],
}

impl Pentanomial {
    /// Pairs that were counted already, by the first player's half points.
    #[must_use]
    pub const fn new(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts }
    }

    /// How many pairs brought the first player 0, 1, 2, 3 and 4 half points.
    #[must_use]
    pub const fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// Counts one more pair, by what each of its games brought the first player.
    pub fn add(&mut self, games: [Outcome; 2]) {
        let [one, two] = games.map(Outcome::half_points);
        self.counts[one + two] += 1;
    }

    /// Counts the pairs of `other` too.
    pub fn merge(&mut self, other: &Pentanomial) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }

    /// The same pairs as the second player sees them.
    #[must_use]
    pub fn reversed(mut self) -> Pentanomial {
        self.counts.reverse();
        self
    }

    /// The number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The points of the first player, out of two for each pair.
    #[must_use]
    pub fn points(&self) -> f64 {
        let half_points: u64 = (0..).zip(self.counts).map(|(worth, count)| worth * count).sum();
        real(half_points) / 2.0
    }

    /// The share of all points that the first player got, 0 to 1; nothing without pairs, as with all that follow.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        Some(self.sample()?.score)
    }

    /// The variance of a pair's score, where a pair's score is 0 to 1.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        Some(self.sample()?.variance)
    }

    /// The standard error of [`score`](Self::score).
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        Some(self.sample()?.standard_error())
    }

    /// The 95% interval of [`score`](Self::score), by the normal approximation and within 0 to 1.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        Some(self.sample()?.interval())
    }

    /// The Elo difference with the ends of the score's interval as its interval; infinite wherever a score is 0
    /// or 1.
    #[must_use]
    pub fn elo(&self) -> Option<EloEstimate> {
        Some(self.sample()?.elo())
    }

    /// The normalized Elo difference: the lead in units of a game's standard deviation, so that it says how many
    /// games show a difference. M. Van den Bergh, "Comments on Normalized Elo" (2021).
    ///
    /// If all pairs ended alike it is infinite, or 0 if they were even.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<EloEstimate> {
        Some(self.sample()?.normalized_elo(2.0))
    }

    /// The likelihood of superiority: of the first player being the stronger one, 0 to 1.
    ///
    /// If all pairs ended alike it is 0 or 1, or 1/2 if they were even.
    #[must_use]
    pub fn los(&self) -> Option<f64> {
        Some(self.sample()?.los())
    }

    fn sample(&self) -> Option<Sample> {
        Sample::of(self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases "`EloPentanomial` 1" to 3 of fastchess, `app/tests/elo_test.cpp`, whose counts are LL, LD, WL, DD, WD,
    /// WW. Each case: counts, Elo and its error, normalized Elo and its error, LOS in percent, all rounded to the
    /// second digit.
    #[test]
    fn the_pentanomial_cases_of_fastchess_come_out() {
        for (counts, figures) in [
            ([34, 54, 31 + 32, 64, 75], [55.58, 27.65, 57.94, 28.28, 100.0]),
            ([332, 433, 457 + 41, 333, 334], [-8.64, 10.33, -9.17, 10.96, 5.05]),
            ([7895, 8757, 5485 + 200, 568, 9999], [-21.04, 2.95, -19.01, 2.65, 0.0]),
        ] {
            let pairs = Pentanomial::new(counts);
            let (elo, normalized) = (pairs.elo().unwrap(), pairs.normalized_elo().unwrap());
            let los = 100.0 * pairs.los().unwrap();
            let actual = [elo.elo, elo.error(), normalized.elo, normalized.error(), los];
            for (actual, expected) in actual.into_iter().zip(figures) {
                assert!((actual - expected).abs() < 0.0051, "{counts:?}: {actual}, not {expected}");
            }
        }
    }

    #[test]
    fn points_and_variance_are_those_counted_by_hand() {
        let pairs = Pentanomial::new([1, 0, 2, 0, 1]);
        assert_eq!(pairs.pairs(), 4);
        assert_eq!(pairs.points().to_string(), "4");
        assert_eq!(pairs.score(), Some(0.5));
        assert_eq!(pairs.variance(), Some(0.125));
        assert!((pairs.standard_error().unwrap() - (0.125_f64 / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_second_player_has_the_opposite_figures() {
        let pairs = Pentanomial::new([3, 1, 20, 4, 9]);
        let reversed = pairs.reversed();
        assert!((pairs.elo().unwrap().elo + reversed.elo().unwrap().elo).abs() < 1e-9);
        assert!((pairs.elo().unwrap().low + reversed.elo().unwrap().high).abs() < 1e-9);
        assert!((pairs.los().unwrap() + reversed.los().unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn pairs_add_up() {
        let mut pairs = Pentanomial::default();
        pairs.add([Outcome::Loss, Outcome::Loss]);
        pairs.add([Outcome::Draw, Outcome::Win]);
        pairs.merge(&Pentanomial::new([0, 1, 2, 3, 4]));
        assert_eq!(pairs, Pentanomial::new([1, 1, 2, 4, 4]));
        assert_eq!(serde_json::to_string(&pairs).unwrap(), "[1,1,2,4,4]");
    }

    #[test]
    fn without_pairs_there_are_no_figures() {
        let none = Pentanomial::default();
        assert_eq!(none.pairs(), 0);
        assert_eq!(none.points().to_string(), "0");
        assert_eq!((none.score(), none.variance(), none.standard_error()), (None, None, None));
        assert_eq!((none.interval(), none.elo(), none.normalized_elo()), (None, None, None));
        assert_eq!(none.los(), None);
    }

    #[test]
    fn pairs_that_all_ended_alike_have_figures_without_width() {
        let even = Pentanomial::new([0, 0, 7, 0, 0]);
        let nothing = EloEstimate { elo: 0.0, low: 0.0, high: 0.0 };
        assert_eq!(even.interval(), Some(Interval { low: 0.5, high: 0.5 }));
        assert_eq!((even.elo(), even.normalized_elo()), (Some(nothing), Some(nothing)));
        assert_eq!(even.los(), Some(0.5));

        let sweep = Pentanomial::new([0, 0, 0, 0, 7]);
        let infinite = EloEstimate { elo: f64::INFINITY, low: f64::INFINITY, high: f64::INFINITY };
        assert_eq!(sweep.interval(), Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!((sweep.elo(), sweep.normalized_elo()), (Some(infinite), Some(infinite)));
        assert_eq!((sweep.los(), sweep.reversed().los()), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn no_figure_of_any_few_pairs_is_ever_nan() {
        for code in 0..3_u64.pow(5) {
            let pairs = Pentanomial::new([0, 1, 2, 3, 4].map(|place| code / 3_u64.pow(place) % 3));
            let Some(elo) = pairs.elo() else { continue };
            let normalized = pairs.normalized_elo().unwrap();
            let figures = [elo.elo, elo.low, elo.high, elo.error(), pairs.los().unwrap()];
            let more = [normalized.elo, normalized.low, normalized.high, normalized.error()];
            assert!(figures.iter().chain(&more).all(|figure| !figure.is_nan()), "{pairs:?}");
        }
    }
}
