//! The sample against exact chances, and against plain enumeration on boards small enough for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use battleship::seeded::SeededRng;
use battleship::{Board, Game, Point};

use super::super::cells::{index, real};
use super::*;
use crate::fleet::game;
use crate::fleet::{all_placements, random_fleet};

/// A position or a game of which the chances are known; the head of each file tells how.
pub(crate) struct Known {
    pub(crate) game: Game,
    pub(crate) attacks: Vec<(Point, AttackResult)>,
    pub(crate) chances: Vec<f64>,
}

const POSITIONS: &str = include_str!("../../../tests/positions.txt");

pub(crate) fn known(text: &str) -> Vec<Known> {
    let attack = |word: &str| {
        let [row, col, result] = *word.as_bytes() else {
            panic!("{word}");
        };
        let at = Point::new(i32::from(row - b'0'), i32::from(col - b'0'));
        match result {
            b'-' => (at, AttackResult::Miss),
            b'x' => (at, AttackResult::Hit),
            ship => (at, AttackResult::Sunk(usize::from(ship - b'0'))),
        }
    };
    let line = |line: &str| {
        let mut parts = line.split(';').map(str::split_whitespace);
        let mut part = || parts.next().unwrap();
        let numbers: Vec<i32> = part().map(|word| word.parse().unwrap()).collect();
        Known {
            game: game(numbers[0], numbers[1], &numbers[2..]),
            attacks: part().map(attack).collect(),
            chances: part().map(|word| word.parse().unwrap()).collect(),
        }
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(line)
        .collect()
}

/// What is seen after the attacks. Of `sample` those fleets stay that agree with it, attack by
/// attack.
fn seen(
    game: &Game,
    attacks: impl IntoIterator<Item = (Point, AttackResult)>,
    sample: &mut Sample,
) -> Sight {
    let (yard, mut sight, mut at_once) = (Yard::new(game), Sight::new(game), sample.clone());
    for (at, result) in attacks {
        sight.record(at, result);
        sample.keep(&yard, index(at), result, sight.hits.bits());
    }
    at_once.keep_possible(&yard, &sight);
    assert_eq!(at_once.places, sample.places);
    sight
}

/// Random attacks on the board.
fn attacks(board: &Board<'_>, count: usize, rng: &mut SeededRng) -> Vec<(Point, AttackResult)> {
    let mut board = board.clone();
    let mut points: Vec<Point> = board.game().points().collect();
    rng.shuffle(&mut points);
    points[..count]
        .iter()
        .map(|at| (*at, board.attack(*at)))
        .collect()
}

/// The share of each fleet in a sample.
fn shares(sample: &Sample) -> BTreeMap<Vec<PlaceIndex>, f64> {
    let mut shares = BTreeMap::new();
    for fleet in 0..sample.len() {
        *shares.entry(sample.places(fleet).to_vec()).or_default() += 1.0 / real(sample.len());
    }
    shares
}

#[test]
fn sampled_chances_are_near_the_exact_ones() {
    let (mut rng, mixture) = (SeededRng::new(1), Mixture::uniform());
    for Known {
        game,
        attacks,
        chances,
    } in known(POSITIONS)
    {
        let yard = Yard::new(&game);
        let mut drawn = Sample::draw(&yard, &mixture, 60_000, &mut rng, || false);
        assert_eq!(drawn.len(), 60_000);
        let sight = seen(&game, attacks, &mut drawn);
        let options = Options::new(&yard, &sight);
        let mut redrawn = Sample::new(game.n_ships());
        redrawn.redraw(&yard, &mixture, &options, 5_000, &mut rng, || false);
        assert!(redrawn.len() > 2_500, "{} of {sight:?}", redrawn.len());
        // Fleets that were made by steps from others are alike.
        for (sample, alike) in [(drawn, 0.0), (redrawn, 0.015)] {
            let tally = sample.tally();
            for (at, exact) in game.points().zip(&chances) {
                let hit = f64::from(tally.get(index(at))) / real(sample.len());
                // Five standard deviations of a share of a half.
                let most = 2.5 / real(sample.len()).sqrt() + alike;
                assert!(
                    sight.hits.contains(at) || (hit - exact).abs() < most,
                    "{at}: {hit} of {}, not {exact}: {sight:?}",
                    sample.len()
                );
            }
        }
    }
}

/// All fleets of a small game: every ship at every place that the rules allow.
fn all_fleets(board: Board<'_>) -> Vec<Board<'_>> {
    let game = board.game();
    let Some(ship) = (0..game.n_ships()).find(|ship| board.placement(*ship).is_none()) else {
        return vec![board];
    };
    let mut fleets = Vec::new();
    for at in all_placements(game, game.ship_length(ship)) {
        let mut board = board.clone();
        if board.place_ship(at.top_or_left, ship, at.direction).is_ok() {
            fleets.extend(all_fleets(board));
        }
    }
    fleets
}

/// The places of the ships of a board, as a sample has them.
fn places(yard: &Yard, board: &Board<'_>) -> Vec<PlaceIndex> {
    (0..yard.ships.len())
        .map(|ship| {
            let at = board.placement(ship).unwrap();
            yard.kind_of(ship).place_at(at).unwrap()
        })
        .collect()
}

#[test]
fn all_fleets_are_listed_and_each_once() {
    let mut rng = SeededRng::new(2);
    for (rows, cols, lengths, count) in [
        (3, 4, &[2, 2, 3][..], 1),
        (4, 4, &[3, 2], 5),
        (5, 5, &[2, 2, 1], 8),
        (2, 2, &[1, 1], 0),
    ] {
        let game = game(rows, cols, lengths);
        let (yard, mixture) = (Yard::new(&game), Mixture::uniform());
        let fleets = all_fleets(Board::new(&game));
        for _ in 0..5 {
            let attacks = attacks(&fleets[rng.below(fleets.len())], count, &mut rng);
            let agrees = |board: &&Board<'_>| {
                let mut board = (*board).clone();
                attacks
                    .iter()
                    .all(|(at, result)| board.attack(*at) == *result)
            };
            let mut possible: Vec<_> = fleets
                .iter()
                .filter(agrees)
                .map(|board| places(&yard, board))
                .collect();
            // Ships of one cell lie the same both ways.
            possible.sort();
            possible.dedup();
            let sight = seen(&game, attacks, &mut Sample::new(lengths.len()));
            let options = Options::new(&yard, &sight);
            let list = |most| Sample::list(&yard, &mixture, &options, most);
            let listed = list(possible.len()).unwrap();
            assert_eq!(listed.len(), possible.len());
            assert!(shares(&listed).keys().eq(&possible));
            assert!(possible.len() < 2 || list(possible.len() - 1).is_none());
        }
    }
}

#[test]
fn a_search_finds_fleets_that_are_possible() {
    let (mut rng, mixture) = (SeededRng::new(9), Mixture::uniform());
    for (lengths, count) in [(&[5, 4, 3, 3, 2][..], 40), (&[2; 20], 30), (&[5; 12], 20)] {
        let game = game(10, 10, lengths);
        let (yard, mut board) = (Yard::new(&game), Board::new(&game));
        assert!(random_fleet(&mut board, &mut rng));
        let attacks = attacks(&board, count, &mut rng);
        let sight = seen(&game, attacks, &mut Sample::new(lengths.len()));
        let mut options = Options::new(&yard, &sight);
        let mut sample = Sample::search(&yard, &mixture, &mut options, &mut rng);
        assert!(sample.len() > 0, "{lengths:?}");
        sample.renew(&yard, &mixture, &options, 1000, &mut rng, || false);
        let found = sample.len();
        sample.keep_possible(&yard, &sight);
        assert_eq!(sample.len(), found);
        for cells in sample.cells {
            assert_eq!(
                cells.count_ones().cast_signed(),
                lengths.iter().sum::<i32>()
            );
        }
    }
}

/// An opponent that places by this model alone.
pub(crate) fn only(model: Model) -> Mixture {
    Mixture {
        parts: vec![Part {
            model,
            share: 1.0,
            idea: 0,
        }],
    }
}

/// The ways to the fleets of an opponent that prefers places and spaces its ships.
#[test]
fn every_way_makes_fleets_equally_likely() {
    let game = game(4, 4, &[3, 2]);
    let (yard, mut rng) = (Yard::new(&game), SeededRng::new(4));
    for spacing in [Spacing::Any, Spacing::Sides, Spacing::Corners] {
        let preference = yard.kinds.iter().map(|kind| {
            let weights: Vec<f64> = (0..kind.len()).map(|_| 0.2 + 2.0 * rng.unit()).collect();
            let mean = weights.iter().sum::<f64>() / real(weights.len());
            weights.iter().map(|weight| weight / mean).collect()
        });
        let preference = Arc::new(preference.collect());
        let mixture = only(Model::Habit(Habit::new(
            &yard,
            spacing,
            Some(preference),
            &mut rng,
        )));
        let mut drawn = Sample::draw(&yard, &mixture, 60_000, &mut rng, || false);
        let attacks = [
            (Point::new(1, 1), AttackResult::Hit),
            (Point::new(3, 3), AttackResult::Miss),
        ];
        let sight = seen(&game, attacks, &mut drawn);
        let options = Options::new(&yard, &sight);
        let listed = Sample::list(&yard, &mixture, &options, 20_000).unwrap();
        let mut moved = drawn.clone();
        assert!(moved.len() > 2_000);
        let many = 10 * moved.len();
        moved.renew(&yard, &mixture, &options, many, &mut rng, || false);
        let mut redrawn = Sample::new(2);
        redrawn.redraw(&yard, &mixture, &options, 20_000, &mut rng, || false);
        let others = [&drawn, &moved, &redrawn].map(shares);
        let listed = shares(&listed);
        assert!(listed.len() > 5);
        for (fleet, share) in &listed {
            for other in &others {
                let other = other.get(fleet).copied().unwrap_or(0.0);
                assert!(
                    (share - other).abs() < 0.03,
                    "{spacing:?} {fleet:?}: {share}, {other}"
                );
            }
        }
    }
}

#[test]
fn ships_keep_the_distance_that_is_asked_for() {
    let yard = Yard::new(&Game::standard());
    let mut rng = SeededRng::new(5);
    for spacing in [Spacing::Sides, Spacing::Corners] {
        let mixture = only(Model::Habit(Habit::new(&yard, spacing, None, &mut rng)));
        let sample = Sample::draw(&yard, &mixture, 200, &mut rng, || false);
        assert_eq!(sample.len(), 200);
        for fleet in 0..sample.len() {
            for (ship, place) in sample.places(fleet).iter().enumerate() {
                let kind = yard.kind_of(ship);
                let near = match spacing {
                    Spacing::Corners => &kind.around,
                    Spacing::Any | Spacing::Sides => &kind.beside,
                };
                assert_eq!(sample.cells(fleet) & near[usize::from(*place)], 0);
            }
        }
    }
}

#[test]
fn fleets_whose_ships_are_apart_are_equally_likely() {
    let mut rng = SeededRng::new(8);
    let game = game(4, 5, &[3, 2, 2]).with_apart(true);
    let all = all_fleets(Board::new(&game)).len();
    let (yard, mixture) = (Yard::new(&game), Mixture::uniform());
    let options = Options::new(&yard, &Sight::new(&game));
    let many = 200 * all;
    let drawn = Sample::draw(&yard, &mixture, many, &mut rng, || false);
    let listed = Sample::list(&yard, &mixture, &options, all).unwrap();
    let mut moved = Sample::draw(&yard, &mixture, many / 10, &mut rng, || false);
    moved.renew(&yard, &mixture, &options, many, &mut rng, || false);
    for sample in [drawn, listed, moved] {
        let shares = shares(&sample);
        assert_eq!(shares.len(), all);
        let mean = real(sample.len() / all);
        for share in shares.values() {
            // Six standard deviations, and copies of a fleet are alike now and then.
            let count = share * real(sample.len());
            assert!((count - mean).abs() < 10.0 * mean.sqrt(), "{count}, {mean}");
        }
    }
}

#[test]
fn fleets_that_were_had_before_are_drawn_again() {
    let game = Game::standard();
    let yard = Yard::new(&game);
    let fleets = [vec![0, 30, 60, 90, 100], vec![1, 31, 61, 91, 101]];
    let mut mixture = Mixture::uniform();
    mixture.parts.push(Part {
        model: Model::Repeating(fleets.to_vec()),
        share: 1.0,
        idea: 1,
    });
    let of = |sample: &Sample, fleet| shares(sample).get(fleet).copied().unwrap_or(0.0);
    let mut rng = SeededRng::new(6);
    let drawn = Sample::draw(&yard, &mixture, 1000, &mut rng, || false);
    let repeated = of(&drawn, &fleets[0]) + of(&drawn, &fleets[1]);
    assert!((0.45..=0.55).contains(&repeated), "{repeated}");
    let ship = CellSet::from_bits(yard.cells(0, 0));
    let hits = ship.iter().skip(1).map(|cell| (cell, AttackResult::Hit));
    let options = Options::new(&yard, &seen(&game, hits, &mut Sample::new(5)));
    let mut redrawn = Sample::new(5);
    redrawn.redraw(&yard, &mixture, &options, 1000, &mut rng, || false);
    assert!(redrawn.len() > 950 && of(&redrawn, &fleets[0]) > 0.95);
    assert_eq!(mixture.likeliest(&yard, &fleets[0]), 1);
}
