//! Tests of ratings: published examples, symmetries, and encounters that make no sense.

use super::*;

/// Returns the points of each player against each other one, as encounters.
fn encounters<const N: usize>(points: &[[f64; N]; N]) -> Vec<Encounter> {
    let pairs = (0..N).flat_map(|one| (0..one).map(move |two| [one, two]));
    pairs
        .map(|[one, two]| Encounter::independent([one, two], [points[one][two], points[two][one]]))
        .collect()
}

/// Ratings over that of a player.
fn fit_over(players: usize, games: &[Encounter], player: usize, rating: f64) -> Ratings {
    fit(players, games, Anchor::Player { player, rating }).unwrap()
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

/// The American League of 1987 (A. Agresti, "Categorical Data Analysis", 2nd edition, section 10.6): row beats
/// column; Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
const BASEBALL: [[f64; 7]; 7] = [
    [0.0, 7.0, 9.0, 7.0, 7.0, 9.0, 11.0],
    [6.0, 0.0, 7.0, 5.0, 11.0, 9.0, 9.0],
    [4.0, 6.0, 0.0, 7.0, 7.0, 8.0, 12.0],
    [6.0, 8.0, 6.0, 0.0, 6.0, 7.0, 10.0],
    [6.0, 2.0, 6.0, 7.0, 0.0, 7.0, 12.0],
    [4.0, 4.0, 5.0, 6.0, 6.0, 0.0, 6.0],
    [2.0, 4.0, 1.0, 3.0, 1.0, 7.0, 0.0],
];

/// The fit of the R package `BradleyTerry2` (H. Turner and D. Firth, Journal of Statistical Software 48 (2012)),
/// from its `tests/baseball.Rout.save`: logarithms of strengths over Baltimore's, and their standard errors.
#[test]
fn baseball_teams_are_as_strong_as_published() {
    let ratings = fit_over(7, &encounters(&BASEBALL), 6, 0.0);
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
            interval,
        } = rating(&ratings, player);
        is_near(rating / elo::PER_LOG_ODDS, strength, 0.000_051);
        is_near(standard_error / elo::PER_LOG_ODDS, error, 0.000_051);
        is_near(interval.low, rating - 1.96 * standard_error, 0.01);
    }
}

#[test]
fn anchored_ratings_differ_by_the_same() {
    let anchored = fit_over(7, &encounters(&BASEBALL), 2, 1500.0);
    let centred = fit(7, &encounters(&BASEBALL), Anchor::Mean).unwrap();
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
    assert_eq!(
        rating(&anchored, 2).interval,
        Interval {
            low: 1500.0,
            high: 1500.0
        }
    );
}

/// With two players all is known without a search: odds 3 to 1, and the information n·p·(1 - p).
#[test]
fn two_players_have_the_ratings_of_their_score() {
    let games = [Encounter::independent([0, 1], [7.5, 2.5])];
    let ratings = fit_over(2, &games, 0, 0.0);
    let second = rating(&ratings, 1);
    is_near(second.rating, elo::difference(0.25), 1e-9);
    is_near(
        second.standard_error,
        elo::PER_LOG_ODDS / (10.0_f64 * 0.75 * 0.25).sqrt(),
        1e-9,
    );
    // Around the mean each player has half of the difference.
    let ratings = fit(2, &games, Anchor::Mean).unwrap();
    is_near(
        rating(&ratings, 1).standard_error,
        second.standard_error / 2.0,
        1e-9,
    );
}

/// Half the variance in the points of every pairing is half the variance of every rating.
#[test]
fn errors_follow_the_dispersion_of_the_pairs() {
    let mut games = encounters(&BASEBALL);
    let independent = fit(7, &games, Anchor::Mean).unwrap();
    for game in &mut games {
        game.dispersion = 0.25;
    }
    let steady = fit(7, &games, Anchor::Mean).unwrap();
    for player in 0..7 {
        let [one, other] = [&independent, &steady].map(|ratings| rating(ratings, player));
        is_near(one.rating, other.rating, 1e-9);
        is_near(one.standard_error, 2.0 * other.standard_error, 1e-9);
    }
    let pairs = Pentanomial::new([5, 0, 90, 0, 5]);
    let even = Encounter::of_pairs([0, 1], &pairs, &Wdl::default()).unwrap();
    is_near(even.points[0] - even.points[1], 0.0, 1e-12);
    assert!(even.dispersion < 0.25, "{even:?}");
    assert_eq!(
        Encounter::of_pairs([0, 1], &Pentanomial::default(), &Wdl::default()),
        None
    );
}

#[test]
fn a_clean_sweep_has_a_finite_rating() {
    let games = [Encounter::independent([0, 1], [10.0, 0.0])];
    let ratings = fit_over(2, &games, 1, 0.0);
    assert!(ratings.regularized && ratings.connected);
    is_near(
        rating(&ratings, 0).rating,
        elo::difference(10.5 / 11.0),
        1e-9,
    );
}

#[test]
fn encounters_add_up_in_either_order() {
    let apart = [
        Encounter::independent([0, 1], [3.0, 1.0]),
        Encounter::independent([1, 0], [1.0, 2.5]),
    ];
    let together = [Encounter::independent([0, 1], [5.5, 2.0])];
    let fit = |games| fit(2, games, Anchor::Mean).unwrap();
    assert_eq!(fit(&apart), fit(&together));
}

#[test]
fn groups_that_never_met_are_rated_apart() {
    let games = [
        Encounter::independent([0, 3], [3.0, 1.0]),
        Encounter::independent([1, 4], [1.0, 1.0]),
        Encounter::independent([2, 4], [0.0, 0.0]),
    ];
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
fn no_players_and_no_games_are_fine() {
    for players in [0, 1, 3] {
        let ratings = fit(players, &[], Anchor::Mean).unwrap();
        assert_eq!(ratings.players, vec![None; players]);
        assert!(ratings.connected && !ratings.regularized);
    }
}

/// Each player beats the next always, so that the ends are hundreds of logarithms apart.
#[test]
fn a_hundred_players_in_a_row_get_numbers() {
    let games: Vec<Encounter> = (1..100)
        .map(|player| Encounter::independent([player - 1, player], [1000.0, 0.0]))
        .collect();
    let ratings = fit(100, &games, Anchor::Mean).unwrap();
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
    let games: Vec<Encounter> = (0..100)
        .flat_map(|one| (0..one).map(move |two| [one, two]))
        .map(|[one, two]| Encounter::independent([one, two], [points(one, two), points(two, one)]))
        .collect();
    let ratings = fit(100, &games, Anchor::Mean).unwrap();
    assert!(!ratings.regularized);
    let mut excess = vec![0.0; 100];
    for Encounter {
        players: [one, two],
        points,
        ..
    } in games
    {
        let lead = rating(&ratings, one).rating - rating(&ratings, two).rating;
        let surplus = points[0] - (points[0] + points[1]) * elo::expected_score(lead);
        excess[one] += surplus;
        excess[two] -= surplus;
    }
    assert!(
        excess.iter().all(|excess| excess.abs() < 1e-6),
        "{excess:?}"
    );
}

/// A cycle of one upset against thousands: the likelihood is all but flat in some directions.
#[test]
fn lone_upsets_do_not_throw_the_search_off() {
    let mut games: Vec<Encounter> = (1..30)
        .map(|player| Encounter::independent([player - 1, player], [100_000.0, 0.0]))
        .collect();
    games.push(Encounter::independent([29, 0], [0.5, 0.0]));
    let ratings = fit(30, &games, Anchor::Mean).unwrap();
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

#[test]
fn impossible_encounters_are_refused() {
    let anchor = |player, rating| Anchor::Player { player, rating };
    for (players, points, anchor, expected) in [
        (
            [0, 2],
            [1.0, 0.0],
            Anchor::Mean,
            "there is no player 2 among 2",
        ),
        (
            [1, 1],
            [1.0, 0.0],
            Anchor::Mean,
            "player 1 cannot meet itself",
        ),
        (
            [0, 1],
            [1.0, -1.0],
            Anchor::Mean,
            "-1 points are impossible",
        ),
        (
            [0, 1],
            [f64::NAN, 0.0],
            Anchor::Mean,
            "NaN points are impossible",
        ),
        (
            [0, 1],
            [1.0, 0.0],
            anchor(2, 0.0),
            "there is no player 2 among 2",
        ),
        (
            [0, 1],
            [1.0, 0.0],
            anchor(0, f64::INFINITY),
            "the rating inf of the anchor is not finite",
        ),
    ] {
        let error = fit(2, &[Encounter::independent(players, points)], anchor).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}
