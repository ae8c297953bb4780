//! The share of the intervals of 95% that contain what they estimate, summed up over all results that a match can have.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use league::statistics::{Interval, Pentanomial, elo, to_f64};

/// All results of this many pairs of independent games that the first player wins with this chance, each with its
/// probability.
fn results(pairs: u64, chance: f64) -> Vec<(Pentanomial, f64)> {
    let chances = [
        (1.0 - chance).powi(2),
        2.0 * chance * (1.0 - chance),
        chance * chance,
    ];
    let factorial = |number: u64| (1..=number).map(|factor| to_f64(factor).ln()).sum::<f64>();
    let mut results = Vec::new();
    for lost in 0..=pairs {
        for even in 0..=pairs - lost {
            let counts = [lost, even, pairs - lost - even];
            let ways = factorial(pairs) - counts.map(factorial).iter().sum::<f64>();
            let logs = counts
                .iter()
                .zip(chances)
                .map(|(count, chance)| to_f64(*count) * chance.ln());
            let probability = (ways + logs.sum::<f64>()).exp();
            results.push((Pentanomial::new([lost, 0, even, 0, counts[2]]), probability));
        }
    }
    results
}

/// Returns the probability that an interval is there, and that it holds if it is.
fn coverage(
    results: &[(Pentanomial, f64)],
    truth: f64,
    interval: impl Fn(&Pentanomial) -> Option<Interval>,
) -> [f64; 2] {
    let there = || {
        results
            .iter()
            .filter_map(|(pairs, chance)| interval(pairs).map(|found| (found, *chance)))
    };
    let printed: f64 = there().map(|(_, chance)| chance).sum();
    let holds = there().filter(|(Interval { low, high }, _)| *low <= truth && truth <= *high);
    [
        printed,
        holds.map(|(_, chance)| chance).sum::<f64>() / printed,
    ]
}

#[test]
fn scores_hold_in_95_percent() {
    for pairs in [10, 50] {
        for chance in [0.5, 0.6, 0.75, 0.85, 0.9, 0.96, 0.99] {
            let of = |pairs: &Pentanomial| Some(pairs.sample().unwrap().interval());
            let [printed, holds] = coverage(&results(pairs, chance), chance, of);
            assert!((printed - 1.0).abs() < 1e-9, "{printed}");
            assert!(
                (0.93..=0.985).contains(&holds),
                "{pairs} pairs, {chance}: {holds}"
            );
        }
    }
}

/// It held in 18% at a score of 96% in 50 pairs, which was the example of the documentation.
#[test]
fn normalized_elo_holds_in_95_percent() {
    for (pairs, chance, often) in [
        (10, 0.6_f64, 0.9),
        (10, 0.5, 0.9),
        (10, 0.75, 0.8),
        (10, 0.96, 0.0),
        (50, 0.5, 1.0),
        (50, 0.75, 1.0),
        (50, 0.9, 0.99),
        (50, 0.96, 0.7),
        (50, 0.99, 0.0),
    ] {
        // The deviation of a game is the root of p (1 - p), and pairs of independent games do not change it.
        let deviation = (chance * (1.0 - chance)).sqrt();
        let truth = 2.0 * elo::PER_LOG_ODDS * (chance - 0.5) / deviation;
        let of = |pairs: &Pentanomial| {
            let found = pairs.sample().unwrap().normalized_elo();
            found
                .low
                .zip(found.high)
                .map(|(low, high)| Interval { low, high })
        };
        let [printed, holds] = coverage(&results(pairs, chance), truth, of);
        assert!(
            printed >= often - 1e-9,
            "{pairs} pairs, {chance}: {printed}"
        );
        if often > 0.0 {
            assert!(
                (0.93..=0.99).contains(&holds),
                "{pairs} pairs, {chance}: {holds}"
            );
        } else {
            assert!(printed < 0.1, "{pairs} pairs, {chance}: {printed}");
        }
    }
}
