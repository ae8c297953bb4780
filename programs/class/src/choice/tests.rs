use std::time::Duration;

use jiff::Timestamp;
use league::statistics::{Pentanomial, Wdl};

use super::*;

fn candidate(bot: i64) -> Candidate {
    // 1 is the staff's.
    Candidate {
        bot,
        is_staff: bot == 1,
    }
}

fn pairing(bots: [i64; 2], pairs: [u64; 5]) -> Pairing {
    let pairs = Pentanomial::new(pairs);
    let results = Results {
        games: 2 * pairs.pairs(),
        pairs,
        singles: Wdl::default(),
    };
    let took = Duration::from_secs(1);
    let last = Timestamp::UNIX_EPOCH;
    Pairing {
        bots,
        series: 1,
        took,
        last,
        file: String::new(),
        results,
    }
}

fn choice(bots: &[i64], pairings: &[Pairing]) -> SeriesChoice {
    let candidates = bots.iter().map(|bot| candidate(*bot)).collect();
    SeriesChoice::new(
        Play::default(),
        candidates,
        pairings,
        Some((1, 0.0)),
        Vec::new(),
    )
}

fn rating(bots: [i64; 2]) -> Match {
    Match {
        bots,
        purpose: Purpose::Rating,
    }
}

fn take(choice: &mut SeriesChoice, count: usize) -> Vec<[i64; 2]> {
    (0..count)
        .filter_map(|_| choice.next(&HashSet::new()))
        .map(|chosen| chosen.bots)
        .collect()
}

#[test]
fn everyone_meets_the_staff_first_and_new_bots_before_others() {
    let mut choice = choice(&[1, 2, 3], &[pairing([1, 2], [0, 0, 5, 0, 0])]);
    // 3 has none, then both have one series each; 20 games are two series.
    assert_eq!(take(&mut choice, 3), [[1, 3], [1, 2], [1, 3]]);
}

#[test]
fn a_requirement_has_its_series_whatever_their_results() {
    let met = |bots| pairing(bots, [0, 0, 10, 0, 0]);
    let mut choice = choice(&[1, 2, 3], &[met([1, 2]), met([1, 3])]);
    choice.outstanding = [(2, 2), (3, 1)]
        .map(|(bot, series)| Outstanding {
            bots: [1, bot],
            series,
        })
        .into();
    let left = choice.left();
    let mut taken: Vec<Match> = std::iter::from_fn(|| choice.next(&HashSet::new())).collect();
    assert_eq!(taken.len() as u64, left);
    // The remaining ones are of the two students.
    assert!(taken[3..].iter().all(|chosen| *chosen == rating([2, 3])));
    taken.truncate(3);
    let required = |bot| Match {
        bots: [1, bot],
        purpose: Purpose::Requirement,
    };
    assert_eq!(taken, [required(2), required(2), required(3)]);
    choice.give_back(required(2));
    let busy = HashSet::from([required(2)]);
    assert_eq!(choice.next(&busy), None);
    assert_eq!(choice.next(&HashSet::new()), Some(required(2)));
}

#[test]
fn the_least_known_meets_one_of_its_strength() {
    let sure = |bots| pairing(bots, [100, 100, 200, 100, 100]);
    let strong = pairing([1, 3], [500, 60, 40, 2, 1]);
    // 2 is as strong as 1 and 5, 3 is much stronger; 4 has played the least.
    let few = pairing([1, 4], [4, 2, 5, 2, 20]);
    let all = [sure([1, 2]), strong, sure([1, 5]), few];
    let mut choice = choice(&[1, 2, 3, 4, 5], &all);
    let [one, two] = choice.next(&HashSet::new()).unwrap().bots;
    assert!(
        [one, two].contains(&4) && ![one, two].contains(&3),
        "{one} {two}"
    );
    // Not the pair that another one plays.
    let other = choice.next(&HashSet::from([rating([one, two])])).unwrap();
    assert_ne!(other.bots, [one, two]);
}

#[test]
fn at_last_nothing_is_left() {
    let mut choice = choice(&[1, 2, 3, 4], &[]);
    let left = choice.left();
    assert!((30..500).contains(&left), "{left}");
    assert_eq!(take(&mut choice, 1000).len() as u64, left);
    choice.give_back(rating([1, 2]));
    assert!(choice.left() <= 2);
}

#[test]
fn a_student_alone_meets_no_one() {
    assert_eq!(choice(&[2], &[]).next(&HashSet::new()), None);
    assert_eq!(choice(&[], &[]).left(), 0);
}

/// Plays a first night of three bots of the staff and students of these strengths, in Elo.
/// Returns the series that it took, and the ratings.
fn night(students: &[f64]) -> (usize, Vec<f64>) {
    let staff = [-400.0, 0.0, 500.0];
    let strengths: Vec<f64> = staff.into_iter().chain(students.iter().copied()).collect();
    let candidate = |(place, _): (usize, &f64)| Candidate {
        bot: i64::try_from(place).unwrap(),
        is_staff: place < staff.len(),
    };
    let candidates = strengths.iter().enumerate().map(candidate).collect();
    let anchor = Some((1, 0.0));
    let mut choice = SeriesChoice::new(Play::default(), candidates, &[], anchor, Vec::new());
    let mut rng = battleship::seeded::SeededRng::keyed([7; 4]);
    let mut played: HashMap<[i64; 2], Results> = HashMap::new();
    let mut series = 0;
    while let Some(chosen) = choice.next(&HashSet::new()) {
        let bots = chosen.bots;
        let [one, two] = bots.map(|bot| strengths[usize::try_from(bot).unwrap()]);
        let share = elo::expected_score(one - two);
        let mut counts = [0; 5];
        for _ in 0..5 {
            let wins = (0..2)
                .filter(|_| league::statistics::to_f64(rng.below(10_000) as u64) < 10_000.0 * share)
                .count();
            counts[2 * wins] += 1;
        }
        let pairs = Pentanomial::new(counts);
        let results = Results {
            games: 10,
            pairs,
            singles: Wdl::default(),
        };
        choice.count(bots, &results, 10);
        played.entry(bots).or_default().add(&results);
        series += 1;
        if series % 10 == 0 {
            let all: Vec<Pairing> = played
                .iter()
                .map(|(bots, results)| Pairing {
                    results: *results,
                    ..pairing(*bots, [0; 5])
                })
                .collect();
            choice.rate(&all, anchor);
        }
        assert!(series < 20_000);
    }
    (
        series,
        choice
            .strengths
            .iter()
            .map(|strength| strength.rating)
            .collect(),
    )
}

/// The most series of each are a third of those that were played while every rating had to be
/// known as well as those in the middle: 775 for the first class and 18,663 for the second.
#[test]
fn a_first_night_plays_what_decides() {
    let near = [
        -500.0, -300.0, -250.0, -100.0, -20.0, 30.0, 80.0, 150.0, 300.0, 340.0, 420.0,
    ];
    let far = [
        -900.0, -450.0, -300.0, -100.0, -20.0, 30.0, 80.0, 300.0, 340.0, 700.0, 1200.0,
    ];
    for (students, most) in [(near, 290), (far, 290)] {
        let (series, ratings) = night(&students);
        assert!((150..most).contains(&series), "{series} series");
        let rated: Vec<(f64, f64)> = students
            .into_iter()
            .zip(ratings[3..].iter().copied())
            .collect();
        for (strength, rating) in &rated {
            let weaker = rated.iter().filter(|(other, _)| strength - other > 100.0);
            assert!(
                weaker.into_iter().all(|(_, other)| rating > other),
                "{rated:?}"
            );
        }
    }
}
