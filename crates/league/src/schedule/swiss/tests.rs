//! Tests of Swiss tournaments: byes, rematches, scores and disqualified players.

use std::collections::HashSet;

use super::super::tests::{
    Played, SIZES, contest, most_pairs, pairs, plan, play, play_with, replay,
};
use super::super::{Format, Schedule, Series, default_swiss_rounds};
use super::*;

fn swiss(players: usize, rounds: usize) -> super::super::Plan {
    plan(Format::Swiss { rounds }, players, 4, 2)
}

fn order_of(schedule: &Schedule, table: &Crosstable) -> Vec<(usize, usize)> {
    schedule
        .standings(table, &|_| false)
        .iter()
        .map(|one| (one.player, one.place))
        .collect()
}

#[test]
fn no_player_has_two_byes() {
    for players in 2..=17 {
        for (seed, (games, series)) in (0..).zip(SIZES) {
            let rounds = default_swiss_rounds(players);
            let Played {
                schedule,
                rounds: played,
                ..
            } = play(
                plan(Format::Swiss { rounds }, players, games, series),
                seed,
                &[],
            );
            assert_eq!(played.len(), rounds);
            let mut byes = HashSet::new();
            for (index, round) in played.iter().enumerate() {
                let pairs = pairs(round);
                let seen: HashSet<usize> = pairs.iter().flatten().copied().collect();
                assert_eq!((pairs.len(), seen.len()), (players / 2, players / 2 * 2));
                assert!(
                    (0..players)
                        .filter(|player| !seen.contains(player))
                        .all(|player| byes.insert(player))
                );
                assert!(
                    round
                        .iter()
                        .all(|one| one.round == index && one.games >= 2 && one.games % 2 == 0)
                );
                assert_eq!(
                    round.iter().map(|one| one.games).sum::<u32>() as usize,
                    pairs.len() * games as usize
                );
            }
            assert!(
                played
                    .iter()
                    .flatten()
                    .zip(0..)
                    .all(|(one, number)| one.number == number)
            );
            let given: u64 = played
                .iter()
                .flatten()
                .map(|one| u64::from(one.games))
                .sum();
            assert_eq!(schedule.total_games_at_least(), given);
        }
    }
}

/// Checked against all pairings, and all byes of those who had the fewest, by trial.
#[test]
fn rematches_are_as_few_as_possible() {
    for players in 2..=12 {
        for seed in 0..10 {
            let Played { rounds, .. } = play(swiss(players, players - 1), seed, &[]);
            let mut met: HashSet<[usize; 2]> = HashSet::new();
            let mut byes = vec![0; players];
            for round in rounds.iter().map(|round| pairs(round)) {
                let fresh = |a: usize, b: usize| !met.contains(&[a.min(b), a.max(b)]);
                let most_without = |bye: Option<usize>| {
                    most_pairs(players, &|a, b| {
                        fresh(a, b) && bye != Some(a) && bye != Some(b)
                    })
                };
                let most = if players % 2 == 0 {
                    most_without(None)
                } else {
                    let fewest = byes.iter().min();
                    let may_rest = (0..players).filter(|&player| Some(&byes[player]) == fewest);
                    may_rest
                        .map(|player| most_without(Some(player)))
                        .max()
                        .unwrap()
                };
                assert_eq!(round.iter().filter(|&&[a, b]| fresh(a, b)).count(), most);
                let rests = (0..players)
                    .filter(|player| !round.iter().flatten().any(|other| other == player));
                rests.for_each(|player| byes[player] += 1);
                met.extend(round);
            }
        }
    }
}

#[test]
fn those_who_did_equally_well_meet() {
    let better_wins = &mut |series: &Series| 2 * series.games;
    let Played {
        schedule,
        table,
        rounds,
    } = play_with(swiss(8, 3), &[], better_wins);
    let all: Vec<_> = rounds.iter().map(|round| pairs(round)).collect();
    assert_eq!(all[0], [[0, 1], [2, 3], [4, 5], [6, 7]]);
    assert_eq!(all[1], [[0, 2], [4, 6], [1, 3], [5, 7]]);
    assert_eq!(all[2], [[0, 4], [1, 2], [5, 6], [3, 7]]);
    assert_eq!(
        schedule.standings(&table, &|_| false)[0].note,
        "100.0 % in games, Buchholz 5"
    );
    assert_eq!(order_of(&schedule, &table)[0], (0, 1));
}

#[test]
fn a_bye_goes_to_the_lowest_without() {
    let (mut schedule, mut table) = contest(swiss(3, 2));
    assert_eq!(
        pairs(
            &schedule
                .next_round(&table, &|_| false)
                .unwrap()
                .collect::<Vec<_>>()
        ),
        [[0, 1]]
    );
    table.add(0, 1, 8, 4);
    // Player 1 is the lowest now, and 2 has rested.
    assert_eq!(
        pairs(
            &schedule
                .next_round(&table, &|_| false)
                .unwrap()
                .collect::<Vec<_>>()
        ),
        [[0, 2]]
    );
    table.add(0, 2, 4, 4);
    assert_eq!(schedule.next_round(&table, &|_| false), None);
    let standings = schedule.standings(&table, &|_| false);
    let points: Vec<_> = standings
        .iter()
        .map(|one| (one.player, one.place, one.points))
        .collect();
    assert_eq!(points, [(0, 1, 1.5), (2, 2, 1.5), (1, 3, 1.0)]);
}

#[test]
fn a_rematch_continues_the_encounter() {
    let (mut schedule, mut table) = contest(swiss(4, 3));
    let only_two = |player| player >= 2;
    schedule.next_round(&table, &|_| false).unwrap();
    table.add(0, 1, 8, 4);
    let rematch = schedule
        .next_round(&table, &only_two)
        .unwrap()
        .collect::<Vec<_>>();
    let games: Vec<_> = rematch
        .iter()
        .map(|one| (one.number, one.players, one.first_game, one.games))
        .collect();
    assert_eq!(games, [(4, [0, 1], 4, 2), (5, [0, 1], 6, 2)]);
    // Only the games of this round count for it: player 1 wins the rematch, though not both
    // encounters together.
    table.add(0, 1, 2, 4);
    assert_eq!(
        schedule
            .next_round(&table, &only_two)
            .unwrap()
            .next()
            .unwrap()
            .first_game,
        8
    );
    let points: Vec<_> = schedule
        .standings(&table, &only_two)
        .iter()
        .map(|one| one.points)
        .collect();
    assert_eq!(points[..2], [1.0, 1.0]);
}

#[test]
fn the_same_results_give_the_same_series_again() {
    for players in 2..=17 {
        replay(swiss(players, default_swiss_rounds(players)), &[]);
        replay(swiss(players, players - 1), &[(1, 1), (2, 2)]);
    }
}

#[test]
fn a_disqualified_player_is_not_paired_again() {
    let (mut schedule, mut table) = contest(swiss(4, 2));
    schedule.next_round(&table, &|_| false).unwrap();
    assert_eq!(schedule.total_games_at_least(), 16);
    table.add(0, 1, 8, 4);
    table.add(2, 3, 8, 4);
    let round = schedule
        .next_round(&table, &|player| player == 0)
        .unwrap()
        .collect::<Vec<_>>();
    // Of three players, one rests: of 2 and 1, who won, and 3, the last.
    assert_eq!(pairs(&round), [[1, 2]]);
    assert_eq!(schedule.total_games_at_least(), 12);
    table.add(1, 2, 8, 4);
    assert_eq!(schedule.next_round(&table, &|player| player == 0), None);
    let standings = schedule.standings(&table, &|player| player == 0);
    let order: Vec<_> = standings
        .iter()
        .map(|one| (one.player, one.place, one.points))
        .collect();
    assert_eq!(order, [(1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0), (0, 4, 0.0)]);
}

#[test]
fn with_one_player_left_the_contest_is_over() {
    for players in 2..=17 {
        let outs: Vec<_> = (1..players).map(|player| (player, 1)).collect();
        let Played {
            schedule, rounds, ..
        } = play(swiss(players, players - 1), 1, &outs);
        assert_eq!(rounds.len(), 1);
        assert_eq!(schedule.total_games_at_least(), 4 * (players / 2) as u64);
    }
}

#[test]
fn a_thousand_players_are_paired() {
    let Played { rounds, .. } = play(swiss(1_000, default_swiss_rounds(1_000)), 1, &[]);
    let met: HashSet<_> = rounds.iter().flat_map(|round| pairs(round)).collect();
    assert_eq!(met.len(), rounds.len() * 500);
}
