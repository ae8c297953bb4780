//! Results of single games: wins, draws and losses.

use serde::{Deserialize, Serialize};

use super::sample::Sample;
use super::{Outcome, real};

/// Single games, counted by what they brought the first player.
// For games that were not played in pairs: see `Pentanomial` for those that were, and for what the figures mean. Formulas as
// in fastchess, `app/src/matchmaking/elo/elo_wdl.cpp`.
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

    /// Returns the half points of the first player.
    #[must_use]
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points of the first player.
    #[must_use]
    pub fn points(&self) -> f64 {
        real(self.wins) + real(self.draws) / 2.0
    }

    /// Returns the games as a sample; `None` without games.
    #[must_use]
    pub fn sample(&self) -> Option<Sample> {
        Sample::of(self.counts(), 1.0)
    }

    /// Returns the games by what they brought: 0, 1 or 2 half points.
    pub(super) const fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl std::ops::AddAssign for Wdl {
    fn add_assign(&mut self, more: Wdl) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases "`EloWDL` 1" to 3 of fastchess, `app/tests/elo_test.cpp`, whose counts are wins, losses, draws. Each
    /// case: counts, then what it gives of Elo, normalized Elo, LOS in percent, all rounded to the second digit.
    #[test]
    fn the_wdl_cases_of_fastchess_come_out() {
        let (first, second, third) = ([76, 89, 123], [136, 96, 111], [34, 356, 0]);
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

    #[test]
    fn games_add_up() {
        let mut games = Wdl::default();
        games.add(Outcome::Win);
        games.add(Outcome::Draw);
        games.add(Outcome::Loss);
        assert_eq!(
            games,
            Wdl {
                wins: 1,
                draws: 1,
                losses: 1
            }
        );
        assert_eq!(games.games(), 3);
        assert_eq!(games.points().to_string(), "1.5");
        assert_eq!(games.reversed(), games);
    }

    #[test]
    fn no_figure_of_few_games_is_nan() {
        assert!(Wdl::default().sample().is_none());
        for code in 1..27 {
            let games = Wdl {
                wins: code % 3,
                draws: code / 3 % 3,
                losses: code / 9,
            };
            let (elo, normalized) = (
                games.sample().unwrap().elo(),
                games.sample().unwrap().normalized_elo(),
            );
            let figures = [elo.low, elo.high, elo.error(), normalized.elo];
            assert!(figures.iter().all(|figure| !figure.is_nan()), "{games:?}");
            assert!(
                (0.0..=1.0).contains(&games.sample().unwrap().los()),
                "{games:?}"
            );
        }
    }
}
