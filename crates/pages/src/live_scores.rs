//! The scores of a contest while it runs, from games that end in any order.

use std::collections::BTreeMap;

use arena::contest::GameOver;
use arena::result::{Score, scores_of};
use league::statistics::{Outcome, Pentanomial, Wdl};

/// The scores of players in the games that are over. When all are, they are those of the summary.
#[derive(Clone, Debug)]
pub(crate) struct LiveScores {
    /// The players that are disqualified.
    out: Vec<bool>,
    pairings: BTreeMap<[usize; 2], Pairing>,
}

/// The games between two players, from the side of the one who was entered first.
#[derive(Clone, Debug, Default)]
struct Pairing {
    results: Wdl,
    pairs: Pentanomial,
    /// The results of the games of these pairs.
    paired: Wdl,
    /// The pairs with one finished game, by number, with its result.
    halves: BTreeMap<u32, Option<Outcome>>,
}

impl LiveScores {
    /// Returns the scores of this many players before the first game.
    #[must_use]
    pub(crate) fn new(players: usize) -> LiveScores {
        LiveScores {
            out: vec![false; players],
            pairings: BTreeMap::new(),
        }
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, over: &GameOver) {
        let [one, two] = over.players;
        let (key, outcome) = if one <= two {
            ([one, two], over.outcome)
        } else {
            ([two, one], over.outcome.map(reversed))
        };
        self.pairings
            .entry(key)
            .or_default()
            .add(over.game / 2, outcome);
    }

    /// Leaves out the games of a player who is disqualified.
    pub(crate) fn leave_out(&mut self, player: usize) {
        self.out[player] = true;
    }

    /// Returns whether the games of a player are left out.
    #[must_use]
    pub(crate) fn is_left_out(&self, player: usize) -> bool {
        self.out[player]
    }

    /// Returns the score of each player in all its games; `None` without games that count.
    #[must_use]
    pub(crate) fn scores(&self) -> Vec<Option<Score>> {
        let is_counted = |players: &[usize; 2]| players.iter().all(|player| !self.out[*player]);
        let pairings = self
            .pairings
            .iter()
            .filter(|(players, _)| is_counted(players));
        let pairings = pairings.map(|(players, pairing)| {
            (
                *players,
                pairing.pairs,
                pairing.results.minus(pairing.paired),
            )
        });
        scores_of(self.out.len(), pairings)
    }
}

impl Pairing {
    /// Counts a game of the pair of this number.
    fn add(&mut self, pair: u32, outcome: Option<Outcome>) {
        if let Some(outcome) = outcome {
            self.results.add(outcome);
        }
        // Lanes may play both at once, so either may be over first.
        match self.halves.remove(&pair) {
            None => drop(self.halves.insert(pair, outcome)),
            Some(before) => {
                // Half a pair says nothing about the luck of the fleets.
                if let (Some(before), Some(outcome)) = (before, outcome) {
                    self.pairs.add([before, outcome]);
                    self.paired.add(before);
                    self.paired.add(outcome);
                }
            }
        }
    }
}

/// Returns what the game brought the other player.
fn reversed(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Loss => Outcome::Win,
        Outcome::Draw => Outcome::Draw,
        Outcome::Win => Outcome::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::game::EndedBy;

    fn over(players: [usize; 2], game: u32, outcome: Option<Outcome>) -> GameOver {
        let ended_by = EndedBy::FleetSunk;
        GameOver {
            series: 0,
            game,
            players,
            winner: None,
            outcome,
            ended_by,
        }
    }

    #[test]
    fn games_count_the_same_in_any_order() {
        use Outcome::{Draw, Loss, Win};
        let mut games = Vec::new();
        for (number, outcome) in (0..).zip([
            Some(Win),
            Some(Loss),
            None,
            Some(Win),
            Some(Draw),
            Some(Win),
            Some(Win),
        ]) {
            games.push(over([0, 1], number, outcome));
            games.push(over([1, 2], number, outcome));
        }
        let scores = |games: &[GameOver]| {
            let mut scores = LiveScores::new(3);
            for game in games {
                scores.add(game);
            }
            scores.scores()
        };
        let in_order = scores(&games);
        games.reverse();
        assert_eq!(format!("{:?}", scores(&games)), format!("{in_order:?}"));
        // 4.5 points of 6 games that count.
        assert!(
            (in_order[0].unwrap().share - 0.75).abs() < 1e-12,
            "{in_order:?}"
        );
    }

    #[test]
    fn players_in_either_order_are_one_pairing() {
        let mut scores = LiveScores::new(2);
        scores.add(&over([0, 1], 0, Some(Outcome::Win)));
        scores.add(&over([1, 0], 1, Some(Outcome::Loss)));
        assert!(scores.scores()[1].unwrap().share.abs() < 1e-12);
        scores.leave_out(1);
        assert!(scores.scores()[0].is_none());
    }
}
