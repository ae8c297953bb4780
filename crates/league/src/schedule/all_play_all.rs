//! Round robins and gauntlets: all pairings are known from the start.

use std::collections::VecDeque;

use super::place::{Place, percent};
use super::series::Pairing;
use crate::crosstable::Crosstable;

/// A contest whose pairings are known from the start: all of them are one round, or one for each
/// time that players were added.
#[derive(Clone, Debug)]
pub(super) struct AllPlayAll {
    players: usize,
    /// The rounds that were not given out yet.
    to_come: VecDeque<Vec<Pairing>>,
}

impl AllPlayAll {
    /// Returns the contest of `players`, of whom there were only as many as each of `stages`
    /// before. `pairs` returns the pairs of a number of players.
    pub(super) fn new(
        players: usize,
        games: u32,
        stages: &[usize],
        pairs: fn(usize) -> Vec<[usize; 2]>,
    ) -> AllPlayAll {
        let mut before = 0;
        let mut to_come = VecDeque::new();
        for stage in stages.iter().copied().chain([players]) {
            let mut pairs = pairs(stage);
            pairs.retain(|[a, b]| *a.max(b) >= before);
            to_come.push_back(
                pairs
                    .into_iter()
                    .map(|[a, b]| Pairing::new(a, b, 0, games))
                    .collect(),
            );
            before = stage;
        }
        AllPlayAll { players, to_come }
    }

    pub(super) fn next_round(&mut self) -> Option<Vec<Pairing>> {
        self.to_come.pop_front()
    }

    pub(super) fn places(&self, table: &Crosstable) -> Vec<Place> {
        (0..self.players)
            .map(|player| {
                let share = table.share(player);
                let games = table.total_games(player);
                let note = match share {
                    Some(_) => format!("{} of {games} games", percent(share)),
                    None => percent(share),
                };
                // A player without games comes after all that have played.
                let keys = [share.unwrap_or(-1.0), 0.0, 0.0];
                Place::new(player, table.total_points(player), note, keys)
            })
            .collect()
    }

    pub(super) fn games_to_come(&self) -> u64 {
        let pairings = self.to_come.iter().flatten();
        pairings.map(|pairing| u64::from(pairing.games)).sum()
    }
}

/// Returns the pairs of a round robin by the circle method: the last of an even number of players
/// stays in its seat, the others move on by one after each turn. So no player is in two pairs of a
/// turn, and all have about as many games.
pub(super) fn circle(players: usize) -> Vec<[usize; 2]> {
    // An odd number of players gets an empty seat, which is the one that stays.
    let moving = players - 1 + players % 2;
    let mut pairs = Vec::with_capacity(players * (players - 1) / 2);
    for turn in 0..moving {
        if moving < players {
            pairs.push([turn, moving]);
        }
        pairs.extend((1..=moving / 2).map(|k| [(turn + k) % moving, (turn + moving - k) % moving]));
    }
    pairs
}

/// Returns the pairs of a gauntlet: the first player meets each of the others.
pub(super) fn from_first(players: usize) -> Vec<[usize; 2]> {
    (1..players).map(|other| [0, other]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap, HashSet};

    use super::super::tests::{SIZES, contest, pairs, plan, round_of};
    use super::super::{Format, Plan, PlanError, Schedule, Series};
    use super::*;

    const FORMATS: [Format; 2] = [Format::RoundRobin, Format::Gauntlet];

    fn all(plan: Plan) -> Vec<Series> {
        round_of(plan, &|_| false)
    }

    #[test]
    fn every_two_players_meet_for_all_games() {
        for players in 2..=17 {
            for (games, size) in SIZES {
                let all = all(plan(Format::RoundRobin, players, games, size));
                let mut given = HashMap::new();
                for (number, series) in all.iter().enumerate() {
                    assert!(series.number == number && series.round == 0);
                    assert!(series.players[0] < series.players[1]);
                    assert!(series.games >= 2 && series.games % 2 == 0);
                    let given = given.entry(series.players).or_insert(0);
                    assert_eq!(series.first_game, *given);
                    *given += series.games;
                }
                assert_eq!(given.len(), players * (players - 1) / 2);
                assert!(given.values().all(|given| *given == games));
            }
        }
    }

    #[test]
    fn a_grown_contest_begins_as_before() {
        for format in FORMATS {
            let grow = |players, stages: &[usize]| {
                let mut schedule = Schedule::grown(plan(format, players, 6, 4), stages)?;
                let table = Crosstable::new(players);
                let rounds = std::iter::from_fn(|| schedule.next_round(&table, &|_| false));
                Ok(rounds.flatten().collect::<Vec<Series>>())
            };
            let [before, grown, whole] = [(4, &[][..]), (7, &[4, 6]), (7, &[])]
                .map(|(all, stages)| grow(all, stages).unwrap());
            assert_eq!(grown[..before.len()], before);
            assert!(grown.iter().map(|series| series.number).eq(0..whole.len()));
            let [grown, whole] = [grown, whole].map(|all| -> BTreeSet<_> {
                all.iter()
                    .map(|one| (one.players, one.first_game, one.games))
                    .collect()
            });
            assert_eq!(grown, whole);
            for stages in [&[8][..], &[7], &[4, 4], &[5, 4], &[1], &[0]] {
                let grown = grow(7, stages);
                assert!(matches!(grown, Err(PlanError::Stages { .. })), "{stages:?}");
            }
        }
    }

    #[test]
    fn an_empty_stage_ends_no_contest() {
        let plan = plan(Format::RoundRobin, 4, 2, 2);
        let mut schedule = Schedule::grown(plan, &[2, 3]).unwrap();
        let round = schedule.next_round(&Crosstable::new(4), &|player| player < 2);
        let series: Vec<Series> = round.unwrap().collect();
        // Those before keep their numbers.
        assert!((3..6).contains(&series[0].number));
        assert_eq!(
            (series[0].players, series[0].round, series.len()),
            ([2, 3], 2, 1)
        );
    }

    #[test]
    fn the_first_meets_all_in_a_gauntlet() {
        let series = all(plan(Format::Gauntlet, 4, 6, 4));
        let all: Vec<_> = series
            .iter()
            .map(|one| (one.players[1], one.first_game))
            .collect();
        assert_eq!(all, [(1, 0), (2, 0), (3, 0), (1, 4), (2, 4), (3, 4)]);
        assert!(series.iter().all(|one| one.players[0] == 0));
    }

    #[test]
    fn more_games_begin_with_the_same_series() {
        for players in 2..=17 {
            for format in FORMATS {
                for games in [[2, 4], [20, 60], [30, 50], [30, 34]] {
                    let [fewer, more] = games.map(|games| all(plan(format, players, games, 20)));
                    let pairings = pairs(&more).len();
                    for (short, long) in fewer.iter().zip(&more) {
                        // The last series of a pairing may be longer in the bigger contest.
                        let is_last = short.number + pairings >= fewer.len();
                        assert!(short.games == long.games || short.games < long.games && is_last);
                        let games = long.games;
                        assert_eq!(Series { games, ..*short }, *long);
                    }
                    assert!(fewer.len() <= more.len());
                }
            }
        }
    }

    #[test]
    fn no_player_meets_two_at_once() {
        for players in 2..=17 {
            for turn in circle(players).chunks(players / 2) {
                let seen: HashSet<_> = turn.iter().flatten().collect();
                assert_eq!(seen.len(), 2 * turn.len(), "{players} players: {turn:?}");
            }
        }
    }

    /// The classic picture of the method: 8 players, of whom the last stays.
    #[test]
    fn eight_players_meet_as_in_the_circle() {
        assert_eq!(
            circle(8)[..8],
            [
                [0, 7],
                [1, 6],
                [2, 5],
                [3, 4],
                [1, 7],
                [2, 0],
                [3, 6],
                [4, 5]
            ]
        );
    }

    #[test]
    fn series_keep_their_numbers_after_a_disqualification() {
        let plan = plan(Format::RoundRobin, 5, 8, 4);
        let mut expected = all(plan);
        expected.retain(|series| !series.players.contains(&2));
        assert_eq!(round_of(plan, &|player| player == 2), expected);
    }

    #[test]
    fn the_share_of_points_decides_the_order() {
        let (schedule, mut table) = contest(plan(Format::RoundRobin, 4, 8, 4));
        table.add(0, 1, 6, 4);
        table.add(2, 1, 3, 2);
        let standings = schedule.standings(&table, &|_| false);
        let order: Vec<_> = standings
            .iter()
            .map(|one| (one.player, one.place, one.note.as_str()))
            .collect();
        assert_eq!(
            order,
            [
                (0, 1, "75.0 % of 4 games"),
                (2, 1, "75.0 % of 2 games"),
                (1, 3, "25.0 % of 6 games"),
                (3, 4, "no games")
            ]
        );
    }

    #[test]
    fn a_large_round_robin_is_one_round() {
        let (mut schedule, table) = contest(plan(Format::RoundRobin, 1_000, 2, 2));
        assert_eq!(schedule.total_games_at_least(), 999_000);
        assert_eq!(
            schedule.next_round(&table, &|_| false).unwrap().count(),
            499_500
        );
        assert_eq!(schedule.total_games_at_least(), 999_000);
        assert_eq!(schedule.next_round(&table, &|_| false), None);
    }
}
