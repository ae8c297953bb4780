//! Tests of merging records.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use super::index::{Index, Indexed};
use super::order::{Order, order};
use crate::record::{ContestConfig, ContestHeader, RecordedPlayer};
use league::schedule::{Format, Series};

/// A contest with four games an encounter and two a series.
fn header(schedule: Format, players: usize) -> ContestHeader {
    let player = |number: usize| {
        let name = format!("player {number}");
        RecordedPlayer::called(name.clone(), name)
    };
    let config = ContestConfig {
        schedule,
        series: 2,
        max_faults: Some(0.5),
        players: (0..players).map(player).collect(),
        ..crate::tests::config()
    };
    ContestHeader::new(config, 4, None)
}

/// A series that the first of two players has won.
fn won(number: usize, round: usize, players: [usize; 2], first_game: u32) -> Indexed {
    Indexed {
        file: 0,
        start: 0,
        behind: 0,
        line: 1,
        series: Series {
            number,
            round,
            players,
            first_game,
            games: 2,
        },
        counted: 2,
        half_points: 4,
        faults: [0, 0],
    }
}

fn index(header: ContestHeader, all: impl IntoIterator<Item = Indexed>) -> Index {
    let mut index = Index::new(header);
    // The last one of each number, in the order of numbers.
    let all: BTreeMap<_, _> = all
        .into_iter()
        .map(|one| (one.series.number, one))
        .collect();
    index.series.extend(all.into_values());
    index
}

fn ordered(index: &Index) -> Order {
    order(index, &paths()).unwrap()
}

/// Returns ranges of series, each as its first and the one behind its last.
fn ranges<const N: usize>(ends: [[usize; 2]; N]) -> Vec<Range<usize>> {
    ends.into_iter()
        .map(|[first, behind]| first..behind)
        .collect()
}

fn paths() -> [PathBuf; 1] {
    [PathBuf::from("a.jsonl")]
}

/// A match of 12 games in 6 series; the second player spoils all games.
fn spoilt(numbers: impl IntoIterator<Item = usize>) -> Index {
    let mut header = header(Format::RoundRobin, 2);
    header.games = 16;
    let all = numbers.into_iter().map(|number| {
        let first_game = 2 * u32::try_from(number).unwrap();
        Indexed {
            faults: [0, 2],
            ..won(number, 0, [0, 1], first_game)
        }
    });
    index(header, all)
}

#[test]
fn a_series_in_no_file_is_missing() {
    let found = ordered(&index(
        header(Format::Gauntlet, 3),
        [
            won(0, 0, [0, 1], 0),
            won(1, 0, [0, 2], 0),
            won(3, 0, [0, 2], 2),
        ],
    ));
    assert_eq!(
        found,
        Order {
            takes: ranges([[0, 2], [3, 4]]),
            missing: vec![2],
            ..Order::default()
        }
    );
}

#[test]
fn series_no_run_would_play_are_left_out() {
    // After ten games, that is five series, it is disqualified. The shard that has series 6 did not know.
    let found = ordered(&spoilt([0, 1, 2, 3, 4, 6]));
    assert_eq!(
        found,
        Order {
            takes: ranges([[0, 5]]),
            left_out: 1,
            ..Order::default()
        }
    );
}

#[test]
fn series_a_run_would_play_are_missing() {
    // One spoiled series is in another file than the others, and so is the good news.
    let spoilt = spoilt([3, 4, 5, 7]);
    let good =
        [0, 1, 2].map(|number: usize| won(number, 0, [0, 1], 2 * u32::try_from(number).unwrap()));
    let all: Vec<Indexed> = good
        .into_iter()
        .chain(spoilt.series.iter().copied())
        .collect();
    let found = ordered(&index(spoilt.header, all));
    assert_eq!(found.missing, [6]);
}

#[test]
fn behind_a_gap_nothing_is_left_out() {
    let found = ordered(&spoilt([0, 1, 2, 3, 5, 6]));
    // Without 4 and 7 as well: after series 5 the player is out, as far as is known.
    assert_eq!(
        found,
        Order {
            takes: ranges([[0, 4], [5, 7]]),
            missing: vec![4],
            ..Order::default()
        }
    );
}

#[test]
fn series_of_who_cannot_play_are_not_missing() {
    let mut header = header(Format::Gauntlet, 3);
    header.config.players[2].cannot_play = true;
    let played = [won(0, 0, [0, 1], 0), won(2, 0, [0, 1], 2)];
    let found = ordered(&index(header, played));
    let expected = Order {
        takes: ranges([[0, 1], [2, 3]]),
        ..Order::default()
    };
    assert_eq!(found, expected);
}

#[test]
fn rounds_are_followed_by_their_results() {
    let first = [
        won(0, 0, [0, 3], 0),
        won(1, 0, [1, 2], 0),
        won(2, 0, [0, 3], 2),
        won(3, 0, [1, 2], 2),
    ];
    let last = [won(4, 1, [0, 1], 0), won(5, 1, [0, 1], 2)];
    let found = ordered(&index(
        header(Format::Knockout, 4),
        first.into_iter().chain(last),
    ));
    assert_eq!(
        found,
        Order {
            takes: ranges([[0, 6]]),
            ..Order::default()
        }
    );

    let gap = first[..3].iter().copied().chain(last);
    let found = ordered(&index(header(Format::Knockout, 4), gap));
    let expected = Order {
        takes: ranges([[0, 3]]),
        missing: vec![3],
        is_open: true,
        left_out: 2,
    };
    assert_eq!(found, expected);
}

#[test]
fn a_foreign_series_is_an_error() {
    for foreign in [
        won(1, 0, [0, 1], 4),
        won(1, 0, [1, 0], 2),
        won(2, 0, [0, 1], 4),
        won(9, 3, [5, 7], 0),
    ] {
        let index = index(
            header(Format::RoundRobin, 2),
            [won(0, 0, [0, 1], 0), won(1, 0, [0, 1], 2), foreign],
        );
        let error = order(&index, &paths()).unwrap_err().to_string();
        let number = foreign.series.number + 1;
        assert_eq!(
            error,
            format!(
                "a.jsonl, line 1: series {number} of this contest has other players or games than these"
            )
        );
    }
}

#[test]
fn a_header_of_no_contest_is_an_error() {
    let index = index(header(Format::Knockout, 1), []);
    let what = "a.jsonl: a contest needs at least 2 players, got 1: name another";
    assert_eq!(order(&index, &paths()).unwrap_err().to_string(), what);
}
