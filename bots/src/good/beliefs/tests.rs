//! Tests of what is learned about opponents that place in a way of their own.

use battleship::Game;
use battleship::seeded::SeededRng;

use super::super::sample::{Habit, Mixture, Model, Part, Sample, Spacing};
use super::*;

/// The shares of the ideas after some games against fleets drawn by `model`, in words, the likeliest first.
fn learned(model: Model, games: u64) -> Vec<(String, f64)> {
    let game = Game::standard();
    let yard = Yard::new(&game);
    let mut opponent = Mixture::default();
    opponent.parts.push(Part {
        model,
        share: 1.0,
        idea: 0,
    });
    let mut beliefs = Beliefs::of_stranger(&game);
    for seed in 0..games {
        let mut rng = SeededRng::new(seed);
        let fleet = Sample::draw(&yard, &opponent, 1, &mut rng, || false);
        let mut attacks: Vec<Point> = game.points().collect();
        rng.shuffle(&mut attacks);
        beliefs.learn(&fleet, &attacks[..45]);
    }
    let mixture = beliefs.mixture();
    let all: f64 = mixture.parts.iter().map(|part| part.share).sum();
    let words = |part: &Part| (Beliefs::words(part.idea), part.share / all);
    let mut ideas: Vec<(String, f64)> = mixture.parts.iter().map(words).collect();
    ideas.sort_by(|one, other| other.1.total_cmp(&one.1));
    ideas
}

#[test]
fn a_habit_is_known_after_a_few_games() {
    let game = Game::standard();
    let yard = Yard::new(&game);
    let spaced = |spacing| Model::Habit(Habit::new(&yard, spacing, None, &mut SeededRng::new(1)));
    let edge = |weight: f64| {
        let mut cells = [0.0; SIZE * SIZE];
        for point in game
            .points()
            .filter(|at| at.row % 9 == 0 || at.col % 9 == 0)
        {
            cells[index(point)] = weight;
        }
        let table = Some(Arc::new(with_mean_one(tables::by_cells(&yard, &cells))));
        Model::Habit(Habit::new(
            &yard,
            Spacing::Any,
            table,
            &mut SeededRng::new(1),
        ))
    };
    for (model, words) in [
        (spaced(Spacing::Any), "anywhere"),
        (spaced(Spacing::Sides), "anywhere, not side by side"),
        (spaced(Spacing::Corners), "anywhere, not touching"),
        (edge(0.7), "on the edge"),
        (edge(-2.0), "away from the edge"),
        (
            Model::Repeating(vec![vec![3, 40, 70, 100, 130]]),
            "a fleet that it had before",
        ),
    ] {
        let ideas = learned(model, 10);
        assert_eq!(ideas[0].0, words, "{ideas:?}");
        assert!(ideas[0].1 > 0.6, "{ideas:?}");
    }
}

#[test]
fn a_stranger_is_taken_for_one_who_places_anywhere_until_it_shows_otherwise() {
    let ideas = learned(Model::Habit(Habit::uniform()), 0);
    assert_eq!(ideas[0].0, "anywhere");
    assert!(ideas[0].1 > 0.5, "{ideas:?}");
    let credits: f64 = super::ideas::all().iter().map(|(_, credit)| credit).sum();
    assert!((credits - 1.0).abs() < 1e-9);
}

#[test]
fn an_opponent_that_changes_its_ways_is_noticed() {
    let game = Game::standard();
    let yard = Yard::new(&game);
    let (mut beliefs, mut rng) = (Beliefs::of_stranger(&game), SeededRng::new(3));
    let mut play = |model: Model, games: usize| {
        let mut opponent = Mixture::default();
        opponent.parts.push(Part {
            model,
            share: 1.0,
            idea: 0,
        });
        for _ in 0..games {
            beliefs.learn(&Sample::draw(&yard, &opponent, 1, &mut rng, || false), &[]);
        }
        let parts = &beliefs.mixture().parts;
        let most = parts
            .iter()
            .max_by(|one, other| one.share.total_cmp(&other.share));
        Beliefs::words(most.unwrap().idea)
    };
    let fixed = || Model::Repeating(vec![vec![3, 40, 70, 100, 130]]);
    assert_eq!(play(fixed(), 20), "a fleet that it had before");
    assert_eq!(play(Model::Habit(Habit::uniform()), 3), "anywhere");
    assert_eq!(play(fixed(), 3), "a fleet that it had before");
}
