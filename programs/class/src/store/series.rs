//! The pool: series that have been played, in the index.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use arena::game::EndedBy;
use jiff::Timestamp;
use league::statistics::{Pentanomial, Wdl};
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use super::{Store, StoreError, time};

/// The points that some games brought the first of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Results {
    /// All games, whether they count or not.
    pub games: u64,
    /// Pairs of games, by its half points.
    pub pairs: Pentanomial,
    /// Games in no pair.
    pub singles: Wdl,
}

impl Results {
    /// Returns the same as the second player sees them.
    pub(crate) fn reversed(self) -> Results {
        let Results {
            games,
            pairs,
            singles,
        } = self;
        Results {
            games,
            pairs: pairs.reversed(),
            singles: singles.reversed(),
        }
    }

    /// Adds the games of `other`.
    pub(crate) fn add(&mut self, other: &Results) {
        let mine = self.pairs.counts();
        let others = other.pairs.counts();
        self.games += other.games;
        self.pairs = Pentanomial::new(std::array::from_fn(|worth| mine[worth] + others[worth]));
        self.singles += other.singles;
    }
}

/// A series that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayedSeries {
    /// The numbers of the bots, the lower one first.
    pub bots: [i64; 2],
    /// The digest of what its games depend on.
    pub terms: String,
    /// Its number among the series of these two, from 0.
    pub number: u32,
    /// The time when it ended.
    pub played: Timestamp,
    /// The time that it took.
    pub took: Duration,
    /// The file of its record, below the folder of the class.
    pub file: String,
    /// The first byte of the file behind its record.
    pub behind: u64,
    /// The points that it brought the first of them.
    pub results: Results,
    /// The oddities of each.
    pub odd: [Odd; 2],
}

/// The oddities of a bot in some games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Odd {
    /// The games that it lost by its own fault, by what that was.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<EndedBy, u64>,
    /// Its attacks.
    pub attacks: u64,
    /// Those of them that could not count.
    #[serde(skip_serializing_if = "is_none")]
    pub wasted: u64,
}

impl Odd {
    /// Returns the number of games that it lost by its own fault.
    pub(crate) fn n_faults(&self) -> u64 {
        self.faults.values().sum()
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The sum of all games of a bot against one other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// The points that they brought it.
    pub results: Results,
    /// Its oddities.
    pub odd: Odd,
}

impl Sum {
    pub(crate) fn add(&mut self, results: &Results, odd: &Odd) {
        self.results.add(results);
        for (why, count) in &odd.faults {
            *self.odd.faults.entry(*why).or_default() += count;
        }
        self.odd.attacks += odd.attacks;
        self.odd.wasted += odd.wasted;
    }

    /// Returns the games that it won, drew and lost.
    pub(crate) fn games(&self) -> [u64; 3] {
        // Of pairs only the points are known: two draws are taken for a win and a loss.
        let [lost, half, even, more, won] = self.results.pairs.counts();
        let singles = self.results.singles;
        [
            2 * won + more + even + singles.wins,
            half + more + singles.draws,
            2 * lost + half + even + singles.losses,
        ]
    }
}

/// The knowledge of each bot against each other, by their numbers.
#[derive(Debug)]
pub(crate) struct ByOpponent<T>(BTreeMap<i64, BTreeMap<i64, T>>);

/// The sums of all bots, by their opponents.
pub(crate) type Sums = ByOpponent<Sum>;

impl<T> Default for ByOpponent<T> {
    fn default() -> ByOpponent<T> {
        ByOpponent(BTreeMap::new())
    }
}

impl<T: Default> ByOpponent<T> {
    /// Returns what is known of a bot against each other.
    pub(crate) fn of(&self, bot: i64) -> impl Iterator<Item = (i64, &T)> {
        self.0
            .get(&bot)
            .into_iter()
            .flatten()
            .map(|(other, known)| (*other, known))
    }

    /// Returns what is known of a bot against one other, which may be nothing yet.
    pub(crate) fn entry(&mut self, bot: i64, other: i64) -> &mut T {
        self.0.entry(bot).or_default().entry(other).or_default()
    }
}

impl Sums {
    /// Returns those among `bots`: what the pages show, from which versions disappear that play no
    /// more.
    pub(crate) fn among(&self, bots: &[i64]) -> Sums {
        let mut among = Sums::default();
        for one in bots {
            for (other, sum) in self.of(*one).filter(|(other, _)| bots.contains(other)) {
                *among.entry(*one, other) = sum.clone();
            }
        }
        among
    }

    /// Returns all that it did.
    pub(crate) fn all_of(&self, bot: i64) -> Sum {
        let mut all = Sum::default();
        for (_, sum) in self.of(bot) {
            all.add(&sum.results, &sum.odd);
        }
        all
    }
}

/// A game that a bot lost by its own fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forfeit {
    /// The numbers of the two bots, the lower one first.
    pub bots: [i64; 2],
    /// The number of the game among those of these two, from 1.
    pub game: u32,
    /// The loser of the two.
    pub bot: i64,
    /// The reason, as in the record.
    pub reason: String,
    /// The last lines that were said to it and by it, as a transcript has them.
    pub said: String,
}

/// All series of two bots together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pairing {
    /// The numbers of the bots, the lower one first.
    pub bots: [i64; 2],
    /// The number of series that they have played.
    pub series: u32,
    /// The time that these took.
    pub took: Duration,
    /// The time when the last of them ended.
    pub last: Timestamp,
    /// The file of their record, below the folder of the class.
    pub file: String,
    /// The points that they brought the first of them.
    pub results: Results,
}

/// The sums that make a [`Pairing`].
const PAIRINGS: &str = "SELECT one, two, count(*) AS series, sum(took) AS took, max(played) AS last, max(file) AS file,
    sum(games) AS games, sum(pairs0) AS pairs0, sum(pairs1) AS pairs1, sum(pairs2) AS pairs2, sum(pairs3) AS pairs3,
    sum(pairs4) AS pairs4, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses FROM series";

impl Store {
    /// Adds a series and what was said in its `forfeits`. Returns whether it is new: the same one
    /// that was played elsewhere too does not count twice.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn add_series(
        &mut self,
        series: &PlayedSeries,
        forfeits: &[Forfeit],
    ) -> Result<bool, StoreError> {
        let Results {
            games,
            pairs,
            singles,
        } = series.results;
        let pairs = pairs.counts();
        let took = u64::try_from(series.took.as_millis()).unwrap_or(u64::MAX);
        let mut is_new = false;
        self.change(|transaction| {
            let added = transaction
                .prepare_cached(
                    "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                     ON CONFLICT DO NOTHING",
                )?
                .execute(params![
                    series.bots[0],
                    series.bots[1],
                    series.terms,
                    series.number,
                    series.played.as_second(),
                    took,
                    series.file,
                    series.behind,
                    games,
                    pairs[0],
                    pairs[1],
                    pairs[2],
                    pairs[3],
                    pairs[4],
                    singles.wins,
                    singles.draws,
                    singles.losses,
                    as_text(&series.odd[0]),
                    as_text(&series.odd[1]),
                ])?;
            is_new = added == 1;
            let mut insert = transaction.prepare_cached(
                "INSERT INTO forfeit VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            )?;
            for Forfeit { bots: [one, two], game, bot, reason, said } in forfeits {
                let number = series.number;
                insert.execute(params![one, two, series.terms, number, game, bot, reason, said])?;
            }
            Ok(())
        })?;
        Ok(is_new)
    }

    /// Returns the games that a bot lost by its own fault, the last ones first, at most `most` of
    /// them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn forfeits_of(
        &self,
        bot: i64,
        terms: &str,
        most: usize,
    ) -> Result<Vec<Forfeit>, StoreError> {
        self.rows(
            "SELECT * FROM forfeit WHERE bot = ? AND terms = ? ORDER BY number DESC, game DESC LIMIT ?",
            params![bot, terms, most as u64],
            |row| {
                    Ok(Forfeit {
                        bots: [row.get("one")?, row.get("two")?],
                        game: row.get("game")?,
                        bot: row.get("bot")?,
                        reason: row.get("reason")?,
                        said: row.get("said")?,
                    })
            },
        )
    }

    /// Returns the number of the next series of two bots, the lower number first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn next_number(&self, [one, two]: [i64; 2], terms: &str) -> Result<u32, StoreError> {
        self.value(
            "SELECT coalesce(max(number) + 1, 0) FROM series WHERE one = ? AND two = ? AND terms = ?",
            params![one, two, terms],
        )
    }

    /// Returns how many bytes of a record are of series that are in the pool. What is behind them
    /// was not finished.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn end_of(&self, file: &str) -> Result<u64, StoreError> {
        self.value(
            "SELECT coalesce(max(behind), 0) FROM series WHERE file = ?",
            [file],
        )
    }

    /// Returns a series of two bots, the lower number first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn series(
        &self,
        [one, two]: [i64; 2],
        terms: &str,
        number: u32,
    ) -> Result<Option<PlayedSeries>, StoreError> {
        self.row(
            "SELECT * FROM series WHERE one = ? AND two = ? AND terms = ? AND number = ?",
            params![one, two, terms, number],
            series_of,
        )
    }

    /// Returns the sums of all series under these terms, by bots.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn sums(&self, terms: &str) -> Result<Sums, StoreError> {
        self.run(|connection| {
            let mut sums = Sums::default();
            let mut query = connection.prepare_cached("SELECT * FROM series WHERE terms = ?")?;
            for series in query.query_map([terms], series_of)? {
                let PlayedSeries {
                    bots: [one, two],
                    results,
                    odd,
                    ..
                } = series?;
                for (own, other, results, odd) in [
                    (one, two, results, &odd[0]),
                    (two, one, results.reversed(), &odd[1]),
                ] {
                    sums.entry(own, other).add(&results, odd);
                }
            }
            Ok(sums)
        })
    }

    /// Returns the first series, up to `most` of them, that programs have played under these terms
    /// against each bot of the staff, which is the first of the two: the number of that bot, the
    /// digest of the program, and what the series brought the program. A series that several
    /// identical programs have played is there once.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn series_of_programs(
        &self,
        terms: &str,
        most: u32,
    ) -> Result<Vec<(i64, String, Sum)>, StoreError> {
        let all = self.rows(
            "SELECT series.*, bot.digest AS digest FROM series JOIN bot ON bot.id = series.two
             WHERE terms = ? AND number < ? ORDER BY series.two",
            params![terms, most],
            |row| Ok((series_of(row)?, row.get::<_, String>("digest")?)),
        )?;
        let mut known = HashSet::new();
        let mut series = Vec::new();
        for (one, digest) in all {
            let PlayedSeries {
                bots: [staff, _],
                number,
                results,
                odd: [_, odd],
                ..
            } = one;
            if known.insert((staff, digest.clone(), number)) {
                let results = results.reversed();
                series.push((staff, digest, Sum { results, odd }));
            }
        }
        Ok(series)
    }

    /// Returns the number of the next series of a program, by its digest, against a bot of the staff.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn next_number_of_program(
        &self,
        staff: i64,
        digest: &str,
        terms: &str,
    ) -> Result<u32, StoreError> {
        self.value(
            "SELECT coalesce(max(number) + 1, 0) FROM series JOIN bot ON bot.id = series.two
             WHERE one = ? AND terms = ? AND bot.digest = ?",
            params![staff, terms, digest],
        )
    }

    /// Returns the sums of all pairings under these terms.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn pairings(&self, terms: &str) -> Result<Vec<Pairing>, StoreError> {
        let query = format!("{PAIRINGS} WHERE terms = ? GROUP BY one, two");
        self.rows(&query, [terms], pairing_of)
    }
}

fn pairing_of(row: &Row<'_>) -> rusqlite::Result<Pairing> {
    Ok(Pairing {
        bots: [row.get("one")?, row.get("two")?],
        series: row.get("series")?,
        took: Duration::from_millis(row.get("took")?),
        last: time(row.get("last")?),
        file: row.get("file")?,
        results: results_of(row)?,
    })
}

fn results_of(row: &Row<'_>) -> rusqlite::Result<Results> {
    let mut pairs = [0; 5];
    for (count, column) in pairs
        .iter_mut()
        .zip(["pairs0", "pairs1", "pairs2", "pairs3", "pairs4"])
    {
        *count = row.get(column)?;
    }
    let singles = Wdl {
        wins: row.get("wins")?,
        draws: row.get("draws")?,
        losses: row.get("losses")?,
    };
    Ok(Results {
        games: row.get("games")?,
        pairs: Pentanomial::new(pairs),
        singles,
    })
}

fn series_of(row: &Row<'_>) -> rusqlite::Result<PlayedSeries> {
    Ok(PlayedSeries {
        bots: [row.get("one")?, row.get("two")?],
        terms: row.get("terms")?,
        number: row.get("number")?,
        played: time(row.get("played")?),
        took: Duration::from_millis(row.get("took")?),
        file: row.get("file")?,
        behind: row.get("behind")?,
        results: results_of(row)?,
        odd: [
            odd_of(&row.get::<_, String>("odd1")?),
            odd_of(&row.get::<_, String>("odd2")?),
        ],
    })
}

fn as_text(odd: &Odd) -> String {
    serde_json::to_string(odd).expect("its keys are text")
}

/// Returns what a text of [`as_text`] says; nothing for another.
fn odd_of(text: &str) -> Odd {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests;
