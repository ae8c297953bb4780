//! Looks for the pair of games with which a sequential test decides, also while its series is being
//! played.

use std::collections::BTreeMap;

use super::event::GameOver;

use crate::record::GameLine;
use league::statistics::sprt::{Decision, Sprt};
use league::statistics::{Outcome, Pentanomial};

/// A sequential test of the pairs of a match, which looks after each pair that is complete in
/// order.
#[derive(Debug)]
pub(super) struct PairTest {
    sprt: Sprt,
    /// The pairs of all series that have been accepted.
    pairs: Pentanomial,
    /// The number of the next series, from 0.
    next: usize,
    /// Results of the first player in the series that are being played, by the number of the series
    /// from that one on. Lanes run ahead by a few series each, so this stays small.
    running: BTreeMap<usize, Vec<Option<Outcome>>>,
    /// The pairs with those of the next series that have been looked at.
    ahead: Pentanomial,
    /// The number of games of the next series that have been looked at.
    looked: usize,
}

impl PairTest {
    /// Returns a test that has seen no pair.
    pub(super) fn new(sprt: Sprt) -> PairTest {
        PairTest {
            sprt,
            pairs: Pentanomial::default(),
            next: 0,
            running: BTreeMap::new(),
            ahead: Pentanomial::default(),
            looked: 0,
        }
    }

    /// Returns whether no other game is needed: whether the test decides with a game of the next
    /// series in order. A lane may play on before that is known to it, so the decision itself is
    /// that of [`PairTest::accept`].
    pub(super) fn on_game(&mut self, game: &GameOver) -> bool {
        self.running
            .entry(game.series)
            .or_default()
            .push(game.outcome);
        self.look_ahead()
    }

    /// Returns with how many of the games of `series` the test decides, and for what; `None` if it
    /// does not, or if this is not the next one in order: after an interrupt some before it are
    /// missing.
    pub(super) fn decision(&self, series: usize, games: &[GameLine]) -> Option<(usize, Decision)> {
        if series != self.next {
            return None;
        }
        let mut pairs = self.pairs;
        let outcome = |game: &GameLine| game.outcomes().map(|outcomes| outcomes.one);
        (1..).zip(games.chunks_exact(2)).find_map(|(number, pair)| {
            let decision = self.add(&mut pairs, [outcome(&pair[0]), outcome(&pair[1])]);
            (decision != Decision::Continue).then_some((2 * number, decision))
        })
    }

    /// Continues behind `series`, if it is the next one in order, after which there are these
    /// pairs. Returns whether no other game is needed, as [`PairTest::on_game`] does.
    pub(super) fn accept(&mut self, series: usize, pairs: Pentanomial) -> bool {
        if series != self.next {
            return false;
        }
        (self.pairs, self.ahead, self.looked) = (pairs, pairs, 0);
        self.next += 1;
        self.running = self.running.split_off(&self.next);
        self.look_ahead()
    }

    fn look_ahead(&mut self) -> bool {
        let Some(games) = self.running.get(&self.next) else {
            return false;
        };
        let mut ahead = self.ahead;
        let mut looked = self.looked;
        let mut decides = false;
        for pair in games[looked..].chunks_exact(2) {
            looked += 2;
            decides |= self.add(&mut ahead, [pair[0], pair[1]]) != Decision::Continue;
        }
        (self.ahead, self.looked) = (ahead, looked);
        decides
    }

    /// Adds a pair, if both of its games count.
    fn add(&self, pairs: &mut Pentanomial, games: [Option<Outcome>; 2]) -> Decision {
        let [Some(one), Some(two)] = games else {
            return Decision::Continue;
        };
        pairs.add([one, two]);
        self.sprt.decide(pairs)
    }
}

#[cfg(test)]
mod tests {
    use league::statistics::sprt::Model;
    use serde_json::json;

    use super::*;
    use crate::tests::line_of;

    #[test]
    fn a_series_behind_a_missing_one_decides_nothing() {
        let sprt = Sprt::new(0.0, 300.0, 0.05, 0.05, Model::Normalized).unwrap();
        let mut test = PairTest::new(sprt);
        let won = || line_of(&json!({ "winner": "awful" }));
        let games: Vec<GameLine> = std::iter::repeat_with(won).take(40).collect();
        let decided = test.decision(0, &games);
        assert_eq!(
            decided.map(|(_, decision)| decision),
            Some(Decision::AcceptH1)
        );
        assert_eq!(test.decision(1, &games), None);
        let mut pairs = Pentanomial::default();
        pairs.add([Outcome::Win, Outcome::Win]);
        test.accept(1, pairs);
        assert_eq!(test.decision(0, &games), decided);
        test.accept(0, pairs);
        assert_eq!(test.decision(0, &games), None);
    }
}
