//! Tests of knockouts: brackets of all sizes, ties, and disqualified players.

use std::collections::HashSet;

use super::super::Format;
use super::super::tests::{Played, SIZES, contest, pairs, plan, play, play_with, replay, round_of};
use super::*;

/// The usual brackets, seeds from 1; printed ones differ in which half of the bracket is on top,
/// not in who meets whom.
#[test]
fn the_brackets_are_the_usual_ones() {
    let seeds = |players| {
        bracket(players)
            .into_iter()
            .map(|seed| seed + 1)
            .collect::<Vec<_>>()
    };
    assert_eq!(seeds(8), [1, 8, 4, 5, 2, 7, 3, 6]);
    assert_eq!(
        seeds(16),
        [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]
    );
}

#[test]
fn the_best_seeds_have_the_byes() {
    let meeting = |players| pairs(&round_of(plan(Format::Knockout, players, 2, 2), &|_| false));
    assert_eq!(meeting(8), [[0, 7], [3, 4], [1, 6], [2, 5]]);
    assert_eq!(meeting(6), [[3, 4], [2, 5]]);
    assert_eq!(meeting(3), [[1, 2]]);
}

#[test]
fn each_player_but_one_loses_one_tie() {
    for players in 2..=17 {
        for (seed, (games, series)) in (0..).zip(SIZES) {
            let Played {
                schedule,
                table,
                rounds,
            } = play(plan(Format::Knockout, players, games, series), seed, &[]);
            let met: HashSet<_> = rounds
                .iter()
                .flatten()
                .map(|series| series.players)
                .collect();
            assert_eq!(met.len(), players - 1);
            let all = rounds.iter().flatten();
            assert!(
                all.clone()
                    .zip(0..)
                    .all(|(series, number)| series.number == number)
            );
            assert!(
                all.clone()
                    .all(|series| series.first_game % 2 == 0 && series.games % 2 == 0)
            );
            let given: u64 = all.map(|series| u64::from(series.games)).sum();
            assert_eq!(schedule.total_games_at_least(), given);

            let standings = schedule.standings(&table, &|_| false);
            assert_eq!(
                (standings[0].place, standings[0].note.as_str()),
                (1, "winner")
            );
            assert_eq!(
                (standings[1].place, standings[1].note.as_str()),
                (2, "lost the final")
            );
            assert!(
                standings[2..]
                    .iter()
                    .all(|place| place.place >= 3 && place.note.starts_with("lost"))
            );
        }
    }
}

#[test]
fn better_seeds_win_in_their_order() {
    for players in 2..=17 {
        let better_wins = &mut |series: &super::super::Series| 2 * series.games;
        let Played {
            schedule,
            table,
            rounds,
        } = play_with(plan(Format::Knockout, players, 4, 2), &[], better_wins);
        assert_eq!(pairs(rounds.last().unwrap()), [[0, 1]]);
        assert!(
            rounds[..rounds.len() - 1]
                .iter()
                .flatten()
                .all(|series| series.players != [0, 1])
        );
        let mut order: Vec<_> = schedule
            .standings(&table, &|_| false)
            .iter()
            .map(|one| one.player)
            .collect();
        order[..4.min(players)].sort_unstable();
        assert!(
            order[..4.min(players)]
                .iter()
                .copied()
                .eq(0..4.min(players))
        );
    }
}

#[test]
fn the_best_seeds_meet_in_the_final() {
    for players in 3..=17 {
        for seed in 0..20 {
            let Played { rounds, .. } = play(plan(Format::Knockout, players, 2, 2), seed, &[]);
            let first = rounds
                .iter()
                .position(|round| pairs(round).contains(&[0, 1]));
            assert!(
                first.is_none_or(|first| rounds[first..]
                    .iter()
                    .all(|round| pairs(round) == [[0, 1]]))
            );
        }
    }
}

#[test]
fn equal_points_bring_more_pairs_of_games() {
    let equal = &mut |series: &super::super::Series| series.games;
    let Played {
        schedule,
        table,
        rounds,
    } = play_with(plan(Format::Knockout, 4, 6, 4), &[], equal);
    assert_eq!(rounds.len(), 2 * 11);
    let first: Vec<_> = rounds[..11].iter().map(|round| pairs(round)).collect();
    assert_eq!(first, vec![vec![[0, 3], [1, 2]]; 11]);
    let of_one: Vec<_> = rounds[..3]
        .iter()
        .flatten()
        .filter(|one| one.players == [0, 3])
        .collect();
    let games: Vec<_> = of_one
        .iter()
        .map(|one| (one.round, one.first_game, one.games))
        .collect();
    assert_eq!(games, [(0, 0, 4), (0, 4, 2), (1, 6, 2), (2, 8, 2)]);
    let order: Vec<_> = schedule
        .standings(&table, &|_| false)
        .iter()
        .map(|one| (one.player, one.place))
        .collect();
    assert_eq!(order, [(0, 1), (1, 2), (2, 3), (3, 3)]);
}

#[test]
fn only_undecided_ties_get_more_games() {
    let mut first_is_equal = |series: &super::super::Series| match (series.players, series.round) {
        ([0, 3], 0 | 1) => series.games,
        _ => 0,
    };
    let Played { rounds, .. } =
        play_with(plan(Format::Knockout, 4, 2, 2), &[], &mut first_is_equal);
    let all: Vec<_> = rounds.iter().map(|round| pairs(round)).collect();
    assert_eq!(
        all,
        [
            vec![[0, 3], [1, 2]],
            vec![[0, 3]],
            vec![[0, 3]],
            vec![[2, 3]]
        ]
    );
}

#[test]
fn the_same_results_give_the_same_series_again() {
    for players in 2..=17 {
        replay(plan(Format::Knockout, players, 6, 4), &[]);
        replay(plan(Format::Knockout, players, 6, 4), &[(1, 1), (2, 2)]);
    }
}

#[test]
fn a_disqualified_player_loses_its_tie() {
    for players in 3..=17 {
        for from in 0..4 {
            let plan = plan(Format::Knockout, players, 2, 2);
            let Played {
                schedule,
                table,
                rounds,
            } = play(plan, 3, &[(0, from), (1, from)]);
            let out = |player| player < 2;
            let standings = schedule.standings(&table, &out);
            assert!(
                standings[players - 2..]
                    .iter()
                    .all(|place| place.note == "disqualified")
            );
            // Else the last round was the final, and one who played it was disqualified only then.
            if from < rounds.len() {
                assert_eq!(
                    (standings[0].place, standings[0].note.as_str()),
                    (1, "winner")
                );
            }
        }
    }
}

#[test]
fn two_disqualified_players_both_lose_their_tie() {
    let outs = [(0, 1), (3, 1)];
    let Played {
        schedule,
        table,
        rounds,
    } = play(plan(Format::Knockout, 4, 2, 2), 1, &outs);
    assert_eq!(rounds.len(), 1);
    assert_eq!(schedule.total_games_at_least(), 4);
    let standings = schedule.standings(&table, &|player| player == 0 || player == 3);
    let notes: Vec<_> = standings
        .iter()
        .map(|one| (one.place, one.note.as_str()))
        .collect();
    assert_eq!(
        notes,
        [
            (1, "winner"),
            (2, "lost a semifinal"),
            (3, "disqualified"),
            (3, "disqualified")
        ]
    );
}

#[test]
fn players_still_in_are_above_losers() {
    let (mut schedule, mut table) = contest(plan(Format::Knockout, 4, 2, 2));
    assert_eq!(schedule.total_games_at_least(), 6);
    schedule.next_round(&table, &|_| false).unwrap();
    assert_eq!(schedule.total_games_at_least(), 6);
    table.add(3, 0, 4, 2);
    table.add(1, 2, 2, 2);
    assert_eq!(
        pairs(
            &schedule
                .next_round(&table, &|_| false)
                .unwrap()
                .collect::<Vec<_>>()
        ),
        [[1, 2]]
    );
    assert_eq!(schedule.total_games_at_least(), 8);
    let standings = schedule.standings(&table, &|_| false);
    let order: Vec<_> = standings
        .iter()
        .map(|one| (one.player, one.place, one.note.as_str()))
        .collect();
    assert_eq!(
        order,
        [
            (1, 1, "still in"),
            (2, 1, "still in"),
            (3, 1, "still in"),
            (0, 4, "lost a semifinal")
        ]
    );
}

/// Bots without chance draw every pair of games.
#[test]
fn a_place_says_that_seeding_decided() {
    let first_wins_once = &mut |series: &super::super::Series| match series.players {
        [0, 3] => 2 * series.games,
        _ => series.games,
    };
    let Played {
        schedule, table, ..
    } = play_with(plan(Format::Knockout, 4, 2, 2), &[], first_wins_once);
    let standings = schedule.standings(&table, &|_| false);
    let notes: Vec<_> = standings.iter().map(|one| one.note.as_str()).collect();
    assert_eq!(
        notes,
        [
            "winner",
            "lost the final by seeding",
            "lost a semifinal by seeding",
            "lost a semifinal"
        ]
    );
}
