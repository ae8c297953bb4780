//! Tests of the series of a class.

use super::super::BotKey;
use super::*;

fn series(bots: [i64; 2], number: u32, wins: u64) -> PlayedSeries {
    let singles = Wdl {
        wins,
        ..Wdl::default()
    };
    PlayedSeries {
        bots,
        terms: "t".to_owned(),
        number,
        played: Timestamp::from_second(i64::from(number)).unwrap(),
        took: Duration::from_millis(1500),
        file: "games/a".to_owned(),
        behind: 100 * u64::from(number + 1),
        results: Results {
            games: wins,
            pairs: Pentanomial::new([0, 1, 2, 3, 4]),
            singles,
        },
        odd: [
            Odd {
                attacks: 7,
                ..Odd::default()
            },
            Odd::default(),
        ],
    }
}

/// Puts the bots of these students into the index; returns their numbers, the lowest first.
fn bots<const N: usize>(store: &Store, students: [&str; N]) -> [i64; N] {
    let put = |student| {
        store
            .put_bot(&BotKey::of_student(student, ""), "x")
            .unwrap()
    };
    let mut numbers = students.map(put);
    numbers.sort_unstable();
    numbers
}

#[test]
fn a_series_counts_once_and_pairings_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("class.db")).unwrap();
    let [one, two, three] = bots(&store, ["ada", "bob", "eve"]);
    assert_eq!(store.next_number([one, two], "t").unwrap(), 0);
    for (number, wins) in [(0, 3), (1, 4)] {
        assert!(
            store
                .add_series(&series([one, two], number, wins), &[])
                .unwrap()
        );
    }
    // The same one again, as from another machine.
    assert!(!store.add_series(&series([one, two], 1, 9), &[]).unwrap());
    assert!(store.add_series(&series([one, three], 0, 1), &[]).unwrap());
    let next = |bots, terms| store.next_number(bots, terms).unwrap();
    assert_eq!(
        (
            next([one, two], "t"),
            next([one, three], "t"),
            next([one, two], "other")
        ),
        (2, 1, 0)
    );
    assert_eq!(
        (store.end_of("games/a").unwrap(), store.end_of("b").unwrap()),
        (200, 0)
    );
    let pairings = store.pairings("t").unwrap();
    assert_eq!(pairings.len(), 2);
    assert_eq!(
        (pairings[0].series, pairings[0].took),
        (2, Duration::from_secs(3))
    );
    assert_eq!(pairings[0].results.singles.wins, 7);
    assert_eq!(pairings[0].results.pairs.counts(), [0, 2, 4, 6, 8]);
    assert_eq!(
        pairings[0].results.reversed().pairs.counts(),
        [8, 6, 4, 2, 0]
    );
    assert_eq!(
        store.series([one, two], "t", 1).unwrap(),
        Some(series([one, two], 1, 4))
    );
    let sums = store.sums("t").unwrap();
    assert_eq!(sums.all_of(one).results.games, 8);
    let [(other, sum)] = sums.of(two).collect::<Vec<_>>()[..] else {
        panic!()
    };
    assert_eq!(
        (other, sum.odd.attacks, sums.all_of(one).odd.attacks),
        (one, 0, 21)
    );
}

#[test]
fn what_was_said_in_a_forfeit_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("class.db")).unwrap();
    let [one, two] = bots(&store, ["ada", "bob"]);
    let forfeit = |game| Forfeit {
        bots: [one, two],
        game,
        bot: two,
        reason: "it crashed".to_owned(),
        said: "bob !! error".to_owned(),
    };
    store
        .add_series(&series([one, two], 0, 3), &[forfeit(2), forfeit(7)])
        .unwrap();
    assert_eq!(store.forfeits_of(two, "t", 1).unwrap(), [forfeit(7)]);
    assert_eq!(store.forfeits_of(two, "t", 10).unwrap().len(), 2);
    assert!(store.forfeits_of(one, "t", 10).unwrap().is_empty());
}

#[test]
fn games_are_counted_from_pairs() {
    let results = Results {
        games: 13,
        pairs: Pentanomial::new([1, 1, 2, 0, 2]),
        singles: Wdl {
            wins: 1,
            draws: 0,
            losses: 0,
        },
    };
    let sum = Sum {
        results,
        odd: Odd::default(),
    };
    assert_eq!(sum.games(), [7, 1, 5]);
    let reversed = Sum {
        results: results.reversed(),
        odd: Odd::default(),
    };
    assert_eq!(reversed.games(), [5, 1, 7]);
}
