//! Series: runs of consecutive games between the same two players.

/// Consecutive games between the same two players: the unit of work, of the record and of resuming.
///
/// Games come in pairs (0 and 1, 2 and 3, ...) with the same seeds and the movers swapped. No pair is divided between
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
    /// How many games there are: even, at least 2.
    pub games: u32,
}

/// What two players have to play in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encounter {
    /// The lower entry first.
    pub(super) players: [usize; 2],
    pub(super) first_game: u32,
    pub(super) games: u32,
}

impl Encounter {
    pub(super) fn new(a: usize, b: usize, first_game: u32, games: u32) -> Encounter {
        Encounter { players: [a.min(b), a.max(b)], first_game, games }
    }
}

/// Cuts the encounters of a round into series: the first of each encounter, then the second of each, and so on.
///
/// With this order a round robin of more games begins with the series of one of fewer.
pub(super) fn cut(
    encounters: &[Encounter],
    games: u32,
    round: usize,
    first_number: usize,
) -> Vec<Series> {
    let longest = encounters.iter().map(|encounter| encounter.games).max().unwrap_or(0);
    let n_series = |encounter: &Encounter| encounter.games.div_ceil(games) as usize;
    let mut all = Vec::with_capacity(encounters.iter().map(n_series).sum());
    let mut done = 0;
    while done < longest {
        for encounter in encounters.iter().filter(|encounter| encounter.games > done) {
            all.push(Series {
                number: first_number + all.len(),
                round,
                players: encounter.players,
                first_game: encounter.first_game + done,
                games: games.min(encounter.games - done),
            });
        }
        done += games;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_series_of_an_encounter_is_as_short_as_it_has_to_be() {
        let encounters = [Encounter::new(1, 0, 8, 6), Encounter::new(2, 3, 0, 2)];
        let series = cut(&encounters, 4, 3, 10);
        let one = |number, players, first_game, games| Series {
            number,
            round: 3,
            players,
            first_game,
            games,
        };
        assert_eq!(series, [one(10, [0, 1], 8, 4), one(11, [2, 3], 0, 2), one(12, [0, 1], 12, 2)]);
    }
}
