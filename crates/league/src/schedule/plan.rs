//! The plan of a contest before it starts, and the errors of a plan.

use thiserror::Error;

/// The most players of a contest.
pub const MOST_PLAYERS: usize = 1_000;

/// The most games of a pairing: games are counted in 32 bits, and in a Swiss tournament two players
/// may have to meet again.
pub const MOST_GAMES: u32 = 1_000_000_000;

/// The most games of a series: a contest that is stopped loses the series that are not over.
pub const MOST_GAMES_PER_SERIES: u32 = 10_000;

/// The format of a contest, which decides who meets whom. A match is the round robin of two
/// players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Each player meets each other one.
    RoundRobin,
    /// The first player meets each of the others.
    Gauntlet,
    /// In each round, players with about the same score meet, and no two meet twice.
    Swiss {
        /// The number of rounds.
        rounds: usize,
    },
    /// The loser of a tie is out. The order of the players is that of their seeds, the best first.
    Knockout,
}

impl Format {
    /// Returns the name of the format: `round-robin`, `gauntlet`, `swiss` or `knockout`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss { .. } => "swiss",
            Format::Knockout => "knockout",
        }
    }

    /// Returns whether who meets whom is known from the beginning and no game depends on the
    /// results of others.
    #[must_use]
    pub const fn is_fixed(self) -> bool {
        match self {
            Format::RoundRobin | Format::Gauntlet => true,
            Format::Swiss { .. } | Format::Knockout => false,
        }
    }

    /// Returns the format of that name; a Swiss tournament needs its number of `rounds`. `None` for
    /// any other name.
    #[must_use]
    pub fn from_name(name: &str, rounds: Option<usize>) -> Option<Format> {
        let swiss = rounds.map(|rounds| Format::Swiss { rounds });
        [
            Some(Format::RoundRobin),
            Some(Format::Gauntlet),
            swiss,
            Some(Format::Knockout),
        ]
        .into_iter()
        .flatten()
        .find(|format| format.name() == name)
    }
}

/// A contest before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// The format, which decides who meets whom.
    pub format: Format,
    /// The number of players.
    pub players: usize,
    /// The games of each pairing, an even number.
    pub games: u32,
    /// The games of each series, an even number. A pairing's last series has the remaining games.
    pub series: u32,
}

/// A fault of a plan, whose message says how to correct the plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// Fewer than two players.
    #[error("a contest needs at least 2 players, got {0}: name another")]
    TooFewPlayers(usize),
    /// More than [`MOST_PLAYERS`].
    #[error(
        "a contest has at most {MOST_PLAYERS} players, got {0}: divide them into several contests"
    )]
    TooManyPlayers(usize),
    /// Half a pair of games, none, or more than [`MOST_GAMES`].
    #[error(
        "games come in pairs: two players meet for an even number from 2 to {MOST_GAMES}, got {0}"
    )]
    Games(u32),
    /// Half a pair of games, none, or more than [`MOST_GAMES_PER_SERIES`].
    #[error(
        "games come in pairs: a series has an even number from 2 to {MOST_GAMES_PER_SERIES}, got {0}"
    )]
    Series(u32),
    /// No round, or more rounds than opponents.
    #[error(
        "in a swiss tournament there are fewer rounds than players: give from 1 to {most}, got {rounds}"
    )]
    Rounds {
        /// The number of rounds asked for.
        rounds: usize,
        /// The largest possible number of rounds.
        most: usize,
    },
    /// Impossible numbers of players before others were added.
    #[error(
        "players can be added to at least 2 in a round robin or gauntlet: got {stages:?} before {players}"
    )]
    Stages {
        /// The numbers of players, one for each time that others were added.
        stages: Vec<usize>,
        /// The number of players in the end.
        players: usize,
    },
    /// More series than a `usize` counts, which no round of a machine of 64 bits has.
    #[error("a round has at most {most} series, got {0}: give each of them more games", most = usize::MAX)]
    TooManySeries(u64),
}

impl Plan {
    /// Checks that the plan can be played.
    ///
    /// # Errors
    /// The first fault of the plan.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.players < 2 {
            return Err(PlanError::TooFewPlayers(self.players));
        }
        if self.players > MOST_PLAYERS {
            return Err(PlanError::TooManyPlayers(self.players));
        }
        if !is_whole_pairs(self.games, MOST_GAMES) {
            return Err(PlanError::Games(self.games));
        }
        if !is_whole_pairs(self.series, MOST_GAMES_PER_SERIES) {
            return Err(PlanError::Series(self.series));
        }
        let others = self.players - 1;
        let encounters = match self.format {
            Format::Swiss { rounds } if !(1..=others).contains(&rounds) => {
                return Err(PlanError::Rounds {
                    rounds,
                    most: others,
                });
            }
            Format::RoundRobin => self.players * others / 2,
            Format::Gauntlet => others,
            Format::Swiss { .. } | Format::Knockout => self.players / 2,
        };
        let series = encounters as u64 * u64::from(self.games.div_ceil(self.series));
        if usize::try_from(series).is_err() {
            return Err(PlanError::TooManySeries(series));
        }
        Ok(())
    }
}

fn is_whole_pairs(games: u32, most: u32) -> bool {
    games.is_multiple_of(2) && (2..=most).contains(&games)
}

/// Returns the number of rounds after which only one player of a Swiss tournament can have won them
/// all, and one more to settle the places behind; fewer among few players, who would have to meet
/// twice.
#[must_use]
pub fn default_swiss_rounds(players: usize) -> usize {
    let mut rounds = 1;
    while 1 << (rounds - 1) < players {
        rounds += 1;
    }
    rounds.min(players.saturating_sub(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: Plan = Plan {
        format: Format::RoundRobin,
        players: 4,
        games: 100,
        series: 20,
    };

    #[test]
    fn an_impossible_plan_is_refused() {
        let plan = |format, players, games, series| Plan {
            format,
            players,
            games,
            series,
        };
        let swiss = |rounds| Format::Swiss { rounds };
        for (plan, what) in [
            (FINE, ""),
            (plan(FINE.format, 1_000, MOST_GAMES, 2), ""),
            (plan(swiss(1), 2, 100, 20), ""),
            (
                plan(FINE.format, 1, 100, 20),
                "a contest needs at least 2 players, got 1: name another",
            ),
            (
                plan(FINE.format, 1_001, 100, 20),
                "a contest has at most 1000 players, got 1001: divide them into several contests",
            ),
            (
                plan(FINE.format, 4, 7, 20),
                "games come in pairs: two players meet for an even number from 2 to 1000000000, got 7",
            ),
            (
                plan(FINE.format, 4, MOST_GAMES + 2, 20),
                "games come in pairs: two players meet for an even number from 2 to 1000000000, got 1000000002",
            ),
            (
                plan(FINE.format, 4, 100, 0),
                "games come in pairs: a series has an even number from 2 to 10000, got 0",
            ),
            (
                plan(FINE.format, 4, 100, MOST_GAMES_PER_SERIES + 2),
                "games come in pairs: a series has an even number from 2 to 10000, got 10002",
            ),
            (
                plan(swiss(4), 4, 100, 20),
                "in a swiss tournament there are fewer rounds than players: give from 1 to 3, got 4",
            ),
        ] {
            let error = plan.check().err().map(|error| error.to_string());
            assert_eq!(error.unwrap_or_default(), what, "{plan:?}");
        }
    }

    #[test]
    fn default_swiss_rounds_can_be_played() {
        assert_eq!(
            [2, 3, 4, 5, 8, 9, 16, 17].map(default_swiss_rounds),
            [1, 2, 3, 4, 4, 5, 5, 6]
        );
        assert!((2..=MOST_PLAYERS).all(|players| default_swiss_rounds(players) < players));
    }

    #[test]
    fn a_format_is_known_by_its_name() {
        for format in [
            Format::RoundRobin,
            Format::Gauntlet,
            Format::Swiss { rounds: 5 },
            Format::Knockout,
        ] {
            assert_eq!(Format::from_name(format.name(), Some(5)), Some(format));
        }
        assert_eq!(Format::from_name("swiss", None), None);
        assert_eq!(Format::from_name("league", Some(5)), None);
    }
}
