//! Series: runs of consecutive games between the same two players.

/// Consecutive games between the same two players: the unit of work, of the record and of resuming.
///
/// Games come in pairs (0 and 1, 2 and 3, ...) with the movers swapped. No pair is divided between
/// two series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Series {
    /// Counts all series of the contest, from 0.
    pub number: usize,
    /// Counts the rounds of the contest, from 0. In a knockout, extra games of undecided ties are a round as well.
    pub round: usize,
    /// The two players by their entry, the lower first.
    pub players: [usize; 2],
    /// The index of the first game among all games of these two players in the contest, from 0; always even.
    pub first_game: u32,
    /// The number of games: even, at least 2.
    pub games: u32,
}

/// The games of two players in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encounter {
    /// The lower entry first.
    pub(super) players: [usize; 2],
    pub(super) first_game: u32,
    pub(super) games: u32,
}

impl Encounter {
    pub(super) fn new(a: usize, b: usize, first_game: u32, games: u32) -> Encounter {
        Encounter {
            players: [a.min(b), a.max(b)],
            first_game,
            games,
        }
    }
}

/// The series of a round, one after the other: the first of each encounter, then the second of each, and so on. With this
/// order a round robin of more games begins with the series of one of fewer.
///
/// They are made when they are asked for, so that the memory does not depend on the number of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// All encounters, and whether one of the players was out before the round. Their series are numbered but left out.
    encounters: Vec<(Encounter, bool)>,
    /// Games of a series.
    games: u32,
    /// The number of the round in the contest, from 0.
    place: usize,
    /// The number of the next series.
    number: usize,
    /// Games of each encounter before those of the next series.
    done: u32,
    /// The place of the next encounter.
    next: usize,
    /// Games of the longest encounter.
    longest: u32,
}

impl Round {
    /// Returns the round of the contest in this `place`, whose first series has the number `number`. Encounters of players who
    /// are `out` are left out.
    pub(super) fn new(
        encounters: Vec<Encounter>,
        games: u32,
        [place, number]: [usize; 2],
        out: &dyn Fn(usize) -> bool,
    ) -> Round {
        let with_out = |encounter: Encounter| (encounter, encounter.players.into_iter().any(out));
        let longest = encounters
            .iter()
            .map(|encounter| encounter.games)
            .max()
            .unwrap_or(0);
        let encounters = encounters.into_iter().map(with_out).collect();
        Round {
            encounters,
            games,
            place,
            number,
            done: 0,
            next: 0,
            longest,
        }
    }

    /// Returns how many numbers the series of the whole round take, with those that are left out.
    pub(super) fn numbers(&self) -> usize {
        self.encounters
            .iter()
            .map(|(encounter, _)| encounter.games.div_ceil(self.games) as usize)
            .sum()
    }

    /// Returns the number of games of the whole round, without those that are left out.
    pub(super) fn total_games(&self) -> u64 {
        let played = self.encounters.iter().filter(|(_, out)| !out);
        played
            .map(|(encounter, _)| u64::from(encounter.games))
            .sum()
    }
}

impl Iterator for Round {
    type Item = Series;

    fn next(&mut self) -> Option<Series> {
        while self.done < self.longest {
            let Some((encounter, out)) = self.encounters.get(self.next) else {
                // Beyond every encounter where that is not a number any more.
                (self.next, self.done) = (0, self.done.saturating_add(self.games));
                continue;
            };
            self.next += 1;
            if encounter.games <= self.done {
                continue;
            }
            self.number += 1;
            if !out {
                return Some(Series {
                    number: self.number - 1,
                    round: self.place,
                    players: encounter.players,
                    first_game: encounter.first_game + self.done,
                    games: self.games.min(encounter.games - self.done),
                });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round of half a billion series would take 24 GB.
    #[test]
    fn a_round_takes_no_memory_for_its_series() {
        let encounters = vec![Encounter::new(0, 1, 0, 1_000_000_000)];
        let round = Round::new(encounters, 2, [0, 0], &|_| false);
        assert_eq!(
            (round.numbers(), round.total_games()),
            (500_000_000, 1_000_000_000)
        );
        let games: Vec<_> = round
            .take(3)
            .map(|series| (series.number, series.first_game))
            .collect();
        assert_eq!(games, [(0, 0), (1, 2), (2, 4)]);
    }

    #[test]
    fn the_last_series_may_be_shorter() {
        let encounters = [Encounter::new(1, 0, 8, 6), Encounter::new(2, 3, 0, 2)];
        let series: Vec<Series> = Round::new(encounters.to_vec(), 4, [3, 10], &|_| false).collect();
        let one = |number, players, first_game, games| Series {
            number,
            round: 3,
            players,
            first_game,
            games,
        };
        assert_eq!(
            series,
            [
                one(10, [0, 1], 8, 4),
                one(11, [2, 3], 0, 2),
                one(12, [0, 1], 12, 2)
            ]
        );
    }
}
