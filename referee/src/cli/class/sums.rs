//! What the index has of all series of each bot, by opponents.

use std::collections::BTreeMap;

use class::{Results, Store, StoreError};

use super::pool::Odd;

/// What a bot did against one other.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    pub(super) results: Results,
    pub(super) odd: Odd,
}

impl Sum {
    fn add(&mut self, results: &Results, odd: &Odd) {
        self.results.add(results);
        for (why, count) in &odd.faults {
            *self.odd.faults.entry(why.clone()).or_default() += count;
        }
        self.odd.resigned += odd.resigned;
        self.odd.attacks += odd.attacks;
        self.odd.wasted += odd.wasted;
        self.odd.uncounted += odd.uncounted;
    }

    /// Returns the games that it won, drew and lost.
    pub(super) fn games(&self) -> [u64; 3] {
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

/// The sums of all bots.
#[derive(Debug, Default)]
pub(super) struct Sums(BTreeMap<i64, BTreeMap<i64, Sum>>);

impl Sums {
    /// Reads them: one pass through all series.
    pub(super) fn read(store: &Store, terms: &str) -> Result<Sums, StoreError> {
        let mut sums = Sums::default();
        store.each_series(terms, |series| {
            let [one, two] = series.bots;
            for (own, other, results, text) in [
                (one, two, series.results, &series.odd[0]),
                (two, one, series.results.reversed(), &series.odd[1]),
            ] {
                let odd: Odd = serde_json::from_str(text).unwrap_or_default();
                sums.0.entry(own).or_default().entry(other).or_default().add(&results, &odd);
            }
        })?;
        Ok(sums)
    }

    /// Returns the bots that have played.
    pub(super) fn bots(&self) -> impl Iterator<Item = i64> {
        self.0.keys().copied()
    }

    /// Returns what a bot did against each other.
    pub(super) fn of(&self, bot: i64) -> impl Iterator<Item = (i64, &Sum)> {
        self.0.get(&bot).into_iter().flatten().map(|(other, sum)| (*other, sum))
    }

    /// Returns all that it did.
    pub(super) fn all_of(&self, bot: i64) -> Sum {
        let mut all = Sum::default();
        for (_, sum) in self.of(bot) {
            all.add(&sum.results, &sum.odd);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use league::statistics::{Pentanomial, Wdl};

    use super::*;

    #[test]
    fn games_are_counted_from_pairs() {
        let results = Results {
            games: 13,
            pairs: Pentanomial::new([1, 1, 2, 0, 2]),
            singles: Wdl { wins: 1, draws: 0, losses: 0 },
        };
        let sum = Sum { results, odd: Odd::default() };
        assert_eq!(sum.games(), [7, 1, 5]);
        let reversed = Sum { results: results.reversed(), odd: Odd::default() };
        assert_eq!(reversed.games(), [5, 1, 7]);
    }
}
