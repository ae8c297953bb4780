//! Intervals of ratings by resampling: what the ratings would be in other contests like this one.
//!
//! B. Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7 (1979). The errors of
//! [`bradley_terry`](super::bradley_terry) take every game for independent of the others; here the pairs are drawn
//! whole, so that what the games of a pair have in common is taken into account.

use serde::Serialize;

use super::bradley_terry::{Anchor, Encounter, Fit, RatingError, Table};
use super::{Interval, Pentanomial, Wdl, real};

/// All games of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pairing {
    /// The two players.
    pub players: [usize; 2],
    /// How their pairs ended, as the first of them sees it.
    pub pairs: Pentanomial,
    /// How their games ended that are in no pair; each of them is drawn by itself.
    pub singles: Wdl,
}

/// The same games without their being in pairs.
impl From<&Pairing> for Encounter {
    fn from(pairing: &Pairing) -> Encounter {
        let all = real(2 * pairing.pairs.pairs() + pairing.singles.games());
        let points = pairing.pairs.points() + pairing.singles.points();
        Encounter { players: pairing.players, points: [points, all - points] }
    }
}

/// Returns the 95% interval of each player's rating, from `resamples` contests in each of which every pairing has as
/// many pairs and single games as in the real one, drawn from them with replacement. `next_u64` is the source of
/// chance: it returns uniform random 64-bit numbers. The same numbers give the same intervals.
///
/// The ends are percentiles by nearest rank: of 1000 ratings in order the 25th from below and the 25th from above.
/// `None` for a player without games, and for all players without resamples.
///
/// # Errors
/// As for [`fit`](super::bradley_terry::fit).
pub fn intervals(
    players: usize,
    pairings: &[Pairing],
    anchor: Anchor,
    resamples: usize,
    mut next_u64: impl FnMut() -> u64,
) -> Result<Vec<Option<Interval>>, RatingError> {
    anchor.check(players)?;
    let table_of = |pairings: &[Pairing]| {
        let encounters: Vec<Encounter> = pairings.iter().map(Encounter::from).collect();
        Table::of(players, &encounters)
    };
    // A drawn contest is like the real one, so Newton's method starts at the real strengths and takes two or
    // three steps.
    let real_fit = Fit::of(&table_of(pairings)?, &vec![0.0; players]);
    let mut ratings: Vec<Vec<f64>> = vec![Vec::with_capacity(resamples); players];
    for _ in 0..resamples {
        // Within each pairing, and not from all games at once: how often two players met was the schedule's
        // decision, not chance. In a drawn contest a player may win everything; it is then softened as a real
        // one would be.
        let drawn: Vec<Pairing> =
            pairings.iter().map(|pairing| drawn_from(pairing, &mut next_u64)).collect();
        let fit = Fit::of(&table_of(&drawn)?, &real_fit.strengths);
        for (ratings, rating) in ratings.iter_mut().zip(fit.ratings(anchor)) {
            ratings.extend(rating);
        }
    }
    Ok(ratings.into_iter().map(percentiles).collect())
}

/// Returns as many pairs and single games as there are, drawn from them with replacement.
fn drawn_from(pairing: &Pairing, next_u64: &mut impl FnMut() -> u64) -> Pairing {
    let pairs = Pentanomial::new(resample(pairing.pairs.counts(), next_u64));
    let [losses, draws, wins] = resample(pairing.singles.counts(), next_u64);
    Pairing { pairs, singles: Wdl { wins, draws, losses }, ..*pairing }
}

/// Returns as many as these `counts` are together, drawn from them with replacement.
fn resample<const KINDS: usize>(
    counts: [u64; KINDS],
    next_u64: &mut impl FnMut() -> u64,
) -> [u64; KINDS] {
    let total = counts.iter().sum();
    // All of one kind, or none at all: nothing to draw, and no numbers are used up. That is part of the
    // stream of numbers that a seed stands for, so it cannot be changed without changing published intervals.
    if counts.contains(&total) {
        return counts;
    }
    // Of all values that the stream may give, those up to the first limit draw the first kind, and so on:
    // to each kind its share, to one value in 2^64.
    let mut below = 0;
    let limits = counts.map(|count| {
        below += u128::from(count);
        (below << 64) / u128::from(total)
    });
    let mut drawn = [0; KINDS];
    for _ in 0..total {
        let value = u128::from(next_u64());
        let kind = limits.iter().filter(|limit| value >= **limit).count();
        drawn[kind] += 1;
    }
    drawn
}

/// Returns the middle 95% of `values`; `None` without values.
fn percentiles(mut values: Vec<f64>) -> Option<Interval> {
    // Ranks and no interpolation, so that an end is the rating of a contest that was drawn.
    values.sort_by(f64::total_cmp);
    let rank = (values.len() * 25).div_ceil(1000);
    let low = *values.get(rank.checked_sub(1)?)?;
    let high = *values.get(values.len() - rank)?;
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use battleship::seeded::SeededRng;

    use super::super::bradley_terry::fit;
    use super::super::elo;
    use super::*;

    fn stream(seed: u64) -> impl FnMut() -> u64 {
        let mut rng = SeededRng::in_domain(seed, u64::from_be_bytes(*b"resample"));
        move || rng.next_u64()
    }

    fn pairing(players: [usize; 2], counts: [u64; 5]) -> Pairing {
        Pairing { players, pairs: Pentanomial::new(counts), singles: Wdl::default() }
    }

    #[test]
    fn the_same_seed_gives_the_same_intervals_and_another_does_not() {
        let pairings = [pairing([0, 1], [5, 1, 9, 2, 8]), pairing([1, 2], [2, 0, 6, 0, 9])];
        let with = |seed| intervals(3, &pairings, Anchor::Mean, 50, stream(seed)).unwrap();
        assert_eq!(with(1), with(1));
        assert_ne!(with(1), with(2));
    }

    /// Golden values: an interval that a report gave can be had again years later.
    #[test]
    fn what_is_drawn_is_the_same_in_every_release() {
        assert_eq!(resample([10, 20, 30, 20, 20], &mut stream(1)), [11, 16, 37, 17, 19]);
    }

    #[test]
    fn kinds_of_pairs_are_drawn_by_their_shares() {
        let pairs = [10_000, 0, 30_000, 0, 20_000];
        let drawn = resample(pairs, &mut stream(7));
        assert_eq!(drawn.iter().sum::<u64>(), 60_000);
        for (count, expected) in drawn.into_iter().zip(pairs) {
            // Six standard deviations are at most 735 (n = 60,000, p = 1/2).
            assert!(count.abs_diff(expected) < 735, "{drawn:?}");
        }
        assert_eq!((drawn[1], drawn[3]), (0, 0));
    }

    #[test]
    fn games_in_no_pair_are_drawn_one_by_one() {
        let singles = Wdl { wins: 900, draws: 0, losses: 300 };
        let pairings = [Pairing { singles, ..pairing([0, 1], [0; 5]) }];
        let anchor = Anchor::Player { player: 1, rating: 0.0 };
        let drawn = intervals(2, &pairings, anchor, 1000, stream(1)).unwrap()[0].unwrap();
        let formula = fit(2, &[Encounter::from(&pairings[0])], anchor).unwrap();
        let formula = formula.players[0].unwrap().interval;
        assert!((drawn.low - formula.low).abs() < 3.0, "{drawn:?} {formula:?}");
        assert!((drawn.high - formula.high).abs() < 3.0, "{drawn:?} {formula:?}");
    }

    /// Where the games of a pair are independent of each other, both ways to an interval lead to the same one.
    #[test]
    fn intervals_agree_with_the_formula_where_pairs_mean_nothing() {
        // A quarter of losses, squared; twice loss times win; wins squared: as independent games have it.
        let pairings = [pairing([0, 1], [100, 0, 600, 0, 900])];
        let anchor = Anchor::Player { player: 1, rating: 0.0 };
        let drawn = intervals(2, &pairings, anchor, 2000, stream(1)).unwrap();
        let formula = fit(2, &[Encounter::from(&pairings[0])], anchor).unwrap();
        let (drawn, formula) = (drawn[0].unwrap(), formula.players[0].unwrap().interval);
        assert!((drawn.low - formula.low).abs() < 2.0, "{drawn:?} {formula:?}");
        assert!((drawn.high - formula.high).abs() < 2.0, "{drawn:?} {formula:?}");
    }

    #[test]
    fn pairs_of_which_each_player_wins_one_narrow_the_interval() {
        let width = |counts| {
            let pairings = [pairing([0, 1], counts)];
            let interval =
                intervals(2, &pairings, Anchor::Mean, 200, stream(1)).unwrap()[0].unwrap();
            interval.high - interval.low
        };
        assert!(width([5, 0, 90, 0, 5]) < width([25, 0, 50, 0, 25]) / 1.5);
    }

    #[test]
    fn the_anchored_player_has_no_width_and_one_without_games_no_interval() {
        let pairings = [pairing([0, 2], [3, 0, 4, 0, 5])];
        let anchor = Anchor::Player { player: 0, rating: 1000.0 };
        let intervals = intervals(3, &pairings, anchor, 40, stream(1)).unwrap();
        assert_eq!(intervals[0], Some(Interval { low: 1000.0, high: 1000.0 }));
        assert_eq!(intervals[1], None);
        assert!(intervals[2].unwrap().low < intervals[2].unwrap().high);
    }

    #[test]
    fn a_clean_sweep_stays_where_the_softened_fit_has_it() {
        let pairings = [pairing([0, 1], [0, 0, 0, 0, 5])];
        let anchor = Anchor::Player { player: 1, rating: 0.0 };
        let interval = intervals(2, &pairings, anchor, 10, stream(1)).unwrap()[0].unwrap();
        assert!((interval.low - elo::difference(10.5 / 11.0)).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - interval.low).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn percentiles_are_those_by_nearest_rank() {
        let values = |count: u32| (1..=count).rev().map(f64::from).collect();
        assert_eq!(percentiles(values(1000)), Some(Interval { low: 25.0, high: 976.0 }));
        assert_eq!(percentiles(values(10)), Some(Interval { low: 1.0, high: 10.0 }));
        assert_eq!(percentiles(values(1)), Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!(percentiles(Vec::new()), None);
    }
}
