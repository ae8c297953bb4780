//! Tests of what is learned about opponents that place in a way of their own.

use battleship::Game;
use battleship::seeded::SeededRng;

use super::super::sample::tests::only;
use super::super::sample::{Habit, Model, Sample, Spacing};
use super::*;

const FIXED: [u8; 5] = [3, 40, 70, 100, 130];

/// Learns from some games against fleets drawn by `model`; returns the likeliest idea in words, and
/// its share.
fn learned(beliefs: &mut Beliefs, model: Model, games: u64) -> (String, f64) {
    let game = Game::standard();
    let (yard, opponent) = (Yard::new(&game), only(model));
    for seed in 0..games {
        let mut rng = SeededRng::new(seed);
        let fleet = Sample::draw(&yard, &opponent, 1, &mut rng, || false);
        let mut attacks: Vec<Point> = game.points().collect();
        rng.shuffle(&mut attacks);
        beliefs.learn(&fleet, &attacks[..45]);
    }
    let parts = &beliefs.mixture().parts;
    let most = parts
        .iter()
        .max_by(|one, other| one.share.total_cmp(&other.share))
        .unwrap();
    let all: f64 = parts.iter().map(|part| part.share).sum();
    (Beliefs::words(most.idea), most.share / all)
}

#[test]
fn a_habit_is_known_after_a_few_games() {
    let game = Game::standard();
    let yard = Yard::new(&game);
    let habit = |spacing, preference| {
        Model::Habit(Habit::new(
            &yard,
            spacing,
            preference,
            &mut SeededRng::new(1),
        ))
    };
    let edge = |weight: f64| {
        let mut cells = [0.0; SIZE * SIZE];
        for at in game.points() {
            if at.row % 9 == 0 || at.col % 9 == 0 {
                cells[index(at)] = weight;
            }
        }
        let table = with_mean_one(tables::by_cells(&yard, &cells));
        habit(Spacing::Any, Some(Arc::new(table)))
    };
    for (model, words) in [
        (habit(Spacing::Any, None), "anywhere"),
        (habit(Spacing::Sides, None), "anywhere, not side by side"),
        (habit(Spacing::Corners, None), "anywhere, not touching"),
        (edge(0.7), "on the edge"),
        (edge(-2.0), "away from the edge"),
        (
            Model::Repeating(vec![FIXED.to_vec()]),
            "a fleet that it had before",
        ),
    ] {
        let (idea, share) = learned(&mut Beliefs::of_stranger(&game), model, 10);
        assert_eq!(idea, words);
        assert!(share > 0.6, "{words}: {share}");
    }
}

#[test]
fn a_stranger_is_believed_to_place_anywhere() {
    let beliefs = &mut Beliefs::of_stranger(&Game::standard());
    let (idea, share) = learned(beliefs, Model::Habit(Habit::uniform()), 0);
    assert_eq!(idea, "anywhere");
    assert!(share > 0.5, "{share}");
    let credits: f64 = super::ideas::all().iter().map(|(_, credit)| credit).sum();
    assert!((credits - 1.0).abs() < 1e-9);
}

#[test]
fn an_opponent_that_changes_its_ways_is_noticed() {
    let beliefs = &mut Beliefs::of_stranger(&Game::standard());
    let fixed = || Model::Repeating(vec![FIXED.to_vec()]);
    for (model, games, words) in [
        (fixed(), 20, "a fleet that it had before"),
        (Model::Habit(Habit::uniform()), 3, "anywhere"),
        (fixed(), 3, "a fleet that it had before"),
    ] {
        assert_eq!(learned(beliefs, model, games).0, words);
    }
}
