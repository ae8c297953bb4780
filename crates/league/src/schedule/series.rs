//! Series: runs of consecutive games between the same two players.

/// Consecutive games between the same two players: the unit of work, of the record and of resuming.
///
/// Games come in pairs (0 and 1, 2 and 3, ...) with the movers swapped. No pair is divided between
/// two series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Series {
    /// The number of the series in the contest, from 0.
    pub number: usize,
    /// The number of the round in the contest, from 0. In a knockout, extra games of undecided ties
    /// are a round as well.
    pub round: usize,
    /// The two players by their entry, the lower first.
    pub players: [usize; 2],
    /// The index of the first game among all games of these two players in the contest, from 0;
    /// always even.
    pub first_game: u32,
    /// The number of games: even, at least 2.
    pub games: u32,
}

/// Two players who meet in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pairing {
    /// The two players by their entry, the lower first.
    pub(super) players: [usize; 2],
    pub(super) first_game: u32,
    /// The number of games, the same for all pairings of a round.
    pub(super) games: u32,
}

impl Pairing {
    pub(super) fn new(a: usize, b: usize, first_game: u32, games: u32) -> Pairing {
        Pairing {
            players: [a.min(b), a.max(b)],
            first_game,
            games,
        }
    }
}

/// The series of a round, one after the other: the first of each pairing, then the second of each,
/// and so on. With this order a round robin of more games begins with the series of one of fewer.
///
/// Series are made on request, so that the memory does not depend on the number of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// All pairings, and whether one of the players was disqualified before the round: their series
    /// are numbered but left out.
    pairings: Vec<(Pairing, bool)>,
    /// The number of games of a series.
    series: u32,
    /// The number of the round in the contest, from 0.
    number: usize,
    /// The number of its first series in the contest.
    first_series: usize,
    /// The number of series that are numbered already.
    numbered: usize,
}

impl Round {
    /// Returns the round of this number in the contest, whose first series has the number
    /// `first_series`. A series has `series` games.
    pub(super) fn new(
        pairings: Vec<Pairing>,
        series: u32,
        [number, first_series]: [usize; 2],
        is_disqualified: &dyn Fn(usize) -> bool,
    ) -> Round {
        let pairings = pairings
            .into_iter()
            .map(|pairing| (pairing, pairing.players.into_iter().any(is_disqualified)))
            .collect();
        Round {
            pairings,
            series,
            number,
            first_series,
            numbered: 0,
        }
    }

    /// Returns the number of series of the whole round, with those that are left out.
    pub(super) fn numbers(&self) -> usize {
        self.pairings.len()
            * self.pairings.first().map_or(0, |(pairing, _)| {
                pairing.games.div_ceil(self.series) as usize
            })
    }

    /// Returns the number of games of the whole round, without those that are left out.
    pub(super) fn total_games(&self) -> u64 {
        let played = self.pairings.iter().filter(|(_, is_left_out)| !is_left_out);
        played.map(|(pairing, _)| u64::from(pairing.games)).sum()
    }
}

impl Iterator for Round {
    type Item = Series;

    fn next(&mut self) -> Option<Series> {
        while self.numbered < self.numbers() {
            let place = self.numbered;
            self.numbered += 1;
            let (pairing, is_left_out) = self.pairings[place % self.pairings.len()];
            if is_left_out {
                continue;
            }
            let before = u32::try_from(place / self.pairings.len())
                .expect("a pairing has fewer series than games")
                * self.series;
            return Some(Series {
                number: self.first_series + place,
                round: self.number,
                players: pairing.players,
                first_game: pairing.first_game + before,
                games: self.series.min(pairing.games - before),
            });
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
        let pairings = vec![Pairing::new(0, 1, 0, 1_000_000_000)];
        let round = Round::new(pairings, 2, [0, 0], &|_| false);
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
        let pairings = vec![Pairing::new(1, 0, 8, 6), Pairing::new(2, 3, 0, 6)];
        let series: Vec<Series> = Round::new(pairings, 4, [3, 10], &|_| false).collect();
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
                one(11, [2, 3], 0, 4),
                one(12, [0, 1], 12, 2),
                one(13, [2, 3], 4, 2)
            ]
        );
    }
}
