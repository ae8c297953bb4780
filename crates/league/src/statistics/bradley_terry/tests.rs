//! Tests of ratings: published examples, symmetries and extremes.

use super::*;

/// Returns the result of independent games that brought the players these points.
fn result(players: [usize; 2], points: [f64; 2]) -> HeadToHead {
    let games = points[0] + points[1];
    HeadToHead {
        players,
        score: Score {
            share: points[0] / games,
            games,
            effective_games: games,
        },
    }
}

/// Returns the results of each two players, by the points of the one against the other.
fn results(players: usize, points: impl Fn(usize, usize) -> f64) -> Vec<HeadToHead> {
    let mut results = Vec::new();
    for one in 0..players {
        for two in 0..one {
            results.push(result([one, two], [points(one, two), points(two, one)]));
        }
    }
    results
}

fn baseball() -> Vec<HeadToHead> {
    results(7, |one, two| BASEBALL[one][two])
}

/// Returns the ratings over that of a player.
fn fit_over(players: usize, games: &[HeadToHead], player: usize, rating: f64) -> Ratings {
    fit(players, games, Anchor::Player { player, rating })
}

fn rating(ratings: &Ratings, player: usize) -> Rating {
    ratings.players[player].unwrap()
}

fn is_near(actual: f64, expected: f64, allowed: f64) {
    assert!(
        (actual - expected).abs() < allowed,
        "{actual}, not {expected}"
    );
}

/// The American League of 1987 (A. Agresti, "Categorical Data Analysis", 2nd edition, section
/// 10.6): row beats column; Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
const BASEBALL: [[f64; 7]; 7] = [
    [0.0, 7.0, 9.0, 7.0, 7.0, 9.0, 11.0],
    [6.0, 0.0, 7.0, 5.0, 11.0, 9.0, 9.0],
    [4.0, 6.0, 0.0, 7.0, 7.0, 8.0, 12.0],
    [6.0, 8.0, 6.0, 0.0, 6.0, 7.0, 10.0],
    [6.0, 2.0, 6.0, 7.0, 0.0, 7.0, 12.0],
    [4.0, 4.0, 5.0, 6.0, 6.0, 0.0, 6.0],
    [2.0, 4.0, 1.0, 3.0, 1.0, 7.0, 0.0],
];

/// The fit of the R package `BradleyTerry2` (H. Turner and D. Firth, Journal of Statistical
/// Software 48 (2012)), from its `tests/baseball.Rout.save`: logarithms of strengths over
/// Baltimore's, and their standard errors.
#[test]
fn baseball_teams_are_as_strong_as_published() {
    let ratings = fit_over(7, &baseball(), 6, 0.0);
    assert!(ratings.connected && !ratings.regularized);
    let published = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
        (0.0, 0.0),
    ];
    for (player, (strength, error)) in published.into_iter().enumerate() {
        let Rating {
            rating,
            standard_error,
            low,
            ..
        } = rating(&ratings, player);
        is_near(rating / elo::PER_LOG_ODDS, strength, 0.000_051);
        is_near(standard_error / elo::PER_LOG_ODDS, error, 0.000_051);
        is_near(low, rating - 1.96 * standard_error, 0.01);
    }
}

#[test]
fn anchored_ratings_differ_by_the_same() {
    let anchored = fit_over(7, &baseball(), 2, 1500.0);
    let centred = fit(7, &baseball(), Anchor::Mean);
    is_near(
        (0..7).map(|player| rating(&centred, player).rating).sum(),
        0.0,
        1e-9,
    );
    for player in 0..7 {
        let lead = rating(&centred, player).rating - rating(&centred, 2).rating;
        is_near(rating(&anchored, player).rating, 1500.0 + lead, 1e-6);
        assert!(rating(&centred, player).standard_error > 0.0);
    }
    let Rating { low, high, .. } = rating(&anchored, 2);
    assert_eq!([low, high].map(|end| end.to_string()), ["1500", "1500"]);
}

/// With two players all is known without a search: odds 3 to 1, and the information n·p·(1 - p).
#[test]
fn two_players_have_the_ratings_of_their_score() {
    let games = [result([0, 1], [7.5, 2.5])];
    let ratings = fit_over(2, &games, 0, 0.0);
    let second = rating(&ratings, 1);
    is_near(second.rating, elo::difference(0.25), 1e-9);
    is_near(
        second.standard_error,
        elo::PER_LOG_ODDS / (10.0_f64 * 0.75 * 0.25).sqrt(),
        1e-9,
    );
    // Around the mean each player has half of the difference.
    let ratings = fit(2, &games, Anchor::Mean);
    is_near(
        rating(&ratings, 1).standard_error,
        second.standard_error / 2.0,
        1e-9,
    );
}

/// A quarter of the variance of the points of every pairing makes a quarter of that of every
/// rating.
#[test]
fn errors_follow_the_dispersion_of_the_pairs() {
    let mut games = baseball();
    let independent = fit(7, &games, Anchor::Mean);
    for game in &mut games {
        game.score.effective_games *= 4.0;
    }
    let steady = fit(7, &games, Anchor::Mean);
    for player in 0..7 {
        let [one, other] = [&independent, &steady].map(|ratings| rating(ratings, player));
        is_near(one.rating, other.rating, 1e-9);
        is_near(one.standard_error, 2.0 * other.standard_error, 1e-9);
    }
}

#[test]
fn a_clean_sweep_has_a_finite_rating() {
    let games = [result([0, 1], [10.0, 0.0])];
    let ratings = fit_over(2, &games, 1, 0.0);
    assert!(ratings.regularized && ratings.connected);
    is_near(
        rating(&ratings, 0).rating,
        elo::difference(10.5 / 11.0),
        1e-9,
    );
}

#[test]
fn results_add_up_in_either_order() {
    let apart = [result([0, 1], [3.0, 1.0]), result([1, 0], [1.0, 2.5])];
    let together = [result([0, 1], [5.5, 2.0])];
    let [apart, together] = [&apart[..], &together].map(|games| fit(2, games, Anchor::Mean));
    assert_eq!(apart, together);
}

#[test]
fn groups_that_never_met_are_rated_apart() {
    let games = [result([0, 3], [3.0, 1.0]), result([1, 4], [1.0, 1.0])];
    let ratings = fit_over(5, &games, 0, 100.0);
    assert!(!ratings.connected && !ratings.regularized);
    assert_eq!(ratings.players[2], None);
    is_near(rating(&ratings, 0).rating, 100.0, 1e-9);
    is_near(
        rating(&ratings, 3).rating,
        100.0 + elo::difference(0.25),
        1e-9,
    );
    is_near(rating(&ratings, 1).rating, 100.0, 1e-9);
    assert!(rating(&ratings, 1).standard_error > 0.0);
}

#[test]
#[should_panic(expected = "no player meets itself")]
fn a_player_does_not_meet_itself() {
    let _ = fit(2, &[result([1, 1], [1.0, 0.0])], Anchor::Mean);
}

#[test]
fn no_players_and_no_games_are_fine() {
    for players in [0, 1, 3] {
        let ratings = fit(players, &[], Anchor::Mean);
        assert_eq!(ratings.players, vec![None; players]);
        assert!(ratings.connected && !ratings.regularized);
    }
}

/// Each player beats the next always, so that the ends are hundreds of logarithms apart.
#[test]
fn a_hundred_players_in_a_row_get_numbers() {
    let games: Vec<HeadToHead> = (1..100)
        .map(|player| result([player - 1, player], [1000.0, 0.0]))
        .collect();
    let ratings = fit(100, &games, Anchor::Mean);
    let step = elo::difference(1000.5 / 1001.0);
    for player in 1..100 {
        let [before, this] = [player - 1, player].map(|player| rating(&ratings, player));
        is_near(before.rating - this.rating, step, 1e-3);
        assert!(this.standard_error.is_finite());
    }
}

/// If all players meet, ratings are right when each player's expected points are its points.
#[test]
fn a_hundred_players_expect_their_own_points() {
    let points =
        |one: usize, two: usize| f64::from(u32::try_from(1 + (7 * one + 3 * two) % 19).unwrap());
    let games = results(100, points);
    let ratings = fit(100, &games, Anchor::Mean);
    assert!(!ratings.regularized);
    let mut excess = vec![0.0; 100];
    for one in 0..100 {
        for two in 0..one {
            let lead = rating(&ratings, one).rating - rating(&ratings, two).rating;
            let games = points(one, two) + points(two, one);
            let surplus = points(one, two) - games * elo::expected_score(lead);
            excess[one] += surplus;
            excess[two] -= surplus;
        }
    }
    assert!(
        excess.iter().all(|excess| excess.abs() < 1e-6),
        "{excess:?}"
    );
}

/// A cycle of one upset against thousands: the likelihood is all but flat in some directions.
#[test]
fn lone_upsets_do_not_throw_the_search_off() {
    let mut games: Vec<HeadToHead> = (1..30)
        .map(|player| result([player - 1, player], [100_000.0, 0.0]))
        .collect();
    games.push(result([29, 0], [0.5, 0.0]));
    let ratings = fit(30, &games, Anchor::Mean);
    assert!(!ratings.regularized && ratings.connected);
    for player in 0..30 {
        let Rating {
            rating,
            standard_error,
            ..
        } = rating(&ratings, player);
        assert!(rating.is_finite() && standard_error.is_finite(), "{player}");
    }
}
