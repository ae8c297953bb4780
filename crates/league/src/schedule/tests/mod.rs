//! Contests with made-up results.

use std::collections::HashMap;

use wire::seeds::SeededRng;

use super::{Format, Plan, Schedule, Series};
use crate::crosstable::Crosstable;

/// Games of an encounter and of a series.
pub(super) const SIZES: [(u32, u32); 5] = [(2, 2), (2, 20), (20, 20), (50, 20), (12, 4)];

pub(super) fn plan(format: Format, players: usize, games: u32, series: u32) -> Plan {
    Plan {
        format,
        players,
        games,
        series,
    }
}

/// Returns the contest of a plan before the first game.
pub(super) fn contest(plan: Plan) -> (Schedule, Crosstable) {
    (Schedule::new(plan).unwrap(), Crosstable::new(plan.players))
}

/// Returns the first round.
pub(super) fn round_of(plan: Plan, out: &dyn Fn(usize) -> bool) -> Vec<Series> {
    let (mut schedule, table) = contest(plan);
    schedule.next_round(&table, out).unwrap().collect()
}

/// The disqualified players, and from which round on.
pub(super) type Outs<'a> = &'a [(usize, usize)];

/// A contest that was played to its end.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) schedule: Schedule,
    pub(super) table: Crosstable,
    pub(super) rounds: Vec<Vec<Series>>,
}

/// Plays a contest with random results, which often are equal.
pub(super) fn play(plan: Plan, seed: u64, outs: Outs<'_>) -> Played {
    let mut rng = SeededRng::new(seed);
    play_with(plan, outs, &mut |series| {
        let half_points = [
            0,
            series.games / 2,
            series.games,
            series.games,
            2 * series.games,
        ];
        rng.choose(&half_points).unwrap()
    })
}

/// Plays a contest whose results, in half points of the first player, are `result`'s.
pub(super) fn play_with(
    plan: Plan,
    outs: Outs<'_>,
    result: &mut dyn FnMut(&Series) -> u32,
) -> Played {
    let (mut schedule, mut table) = contest(plan);
    let mut rounds: Vec<Vec<Series>> = Vec::new();
    loop {
        let now = rounds.len();
        let out = move |player| outs.iter().any(|&(who, from)| who == player && from <= now);
        let Some(round) = schedule.next_round(&table, &out) else {
            return Played {
                schedule,
                table,
                rounds,
            };
        };
        let round: Vec<Series> = round.collect();
        for series in &round {
            assert!(
                !series.players.into_iter().any(out),
                "a disqualified player plays: {series:?}"
            );
            let [a, b] = series.players;
            table.add(a, b, result(series).into(), series.games.into());
        }
        rounds.push(round);
    }
}

/// Plays a contest, and plays it again with the results that it had.
pub(super) fn replay(plan: Plan, outs: Outs<'_>) {
    let mut rng = SeededRng::new(1);
    let mut results = HashMap::new();
    let first = play_with(plan, outs, &mut |series| {
        let half_points = u32::try_from(rng.below(3)).unwrap() * series.games;
        results.insert(*series, half_points);
        half_points
    });
    let again = play_with(plan, outs, &mut |series| results[series]);
    assert_eq!((first.rounds, first.table), (again.rounds, again.table));
}

/// Returns the pairs of players of a round, each once, in the order of the series.
pub(super) fn pairs(round: &[Series]) -> Vec<[usize; 2]> {
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for series in round {
        if !pairs.contains(&series.players) {
            pairs.push(series.players);
        }
    }
    pairs
}

/// Returns the most pairs there can be of players who may meet, by trying all.
pub(super) fn most_pairs(players: usize, may_meet: &dyn Fn(usize, usize) -> bool) -> usize {
    // For every set of players, as bits, the most pairs among them.
    let mut most = vec![0; 1 << players];
    for set in 1_usize..1 << players {
        let first = set.trailing_zeros() as usize;
        let others = set & (set - 1);
        let with = |other: usize| 1 + most[others & !(1 << other)];
        let possible = (first + 1..players)
            .filter(|&other| others >> other & 1 == 1 && may_meet(first, other));
        most[set] = possible.map(with).chain([most[others]]).max().unwrap_or(0);
    }
    most[(1 << players) - 1]
}
