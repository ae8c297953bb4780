//! The sample against the exact count, and against plain enumeration on boards small enough for it.

use std::collections::HashMap;

use battleship::{Board, Placement, Point};

use super::super::cells::index;
use super::super::exact::Greedy;
use super::*;
use battleship::Game;
use battleship::seeded::SeededRng;

fn game(rows: i32, cols: i32, lengths: &[i32]) -> Game {
    let mut game = Game::new(rows, cols).unwrap();
    for (length, symbol) in lengths.iter().zip(('a'..).filter(|symbol| *symbol != 'o')) {
        game.add_ship(*length, symbol, "ship").unwrap();
    }
    game
}

/// Sight after some random attacks on a random fleet, and the exact count; `sample` keeps what agrees with it.
fn middle_of_a_game(
    game: &Game,
    attacks: usize,
    sample: &mut Sample,
    rng: &mut SeededRng,
) -> (Sight, Greedy) {
    let (yard, mut board) = (Yard::new(game), Board::new(game));
    assert!(crate::random_fleet(&mut board, rng));
    let (mut sight, mut greedy) = (Sight::new(game), Greedy::new(game, 0));
    let mut points: Vec<Point> = game.points().collect();
    rng.shuffle(&mut points);
    for at in points.into_iter().take(attacks) {
        let result = board.attack(at).unwrap().into();
        sight.record(at, result);
        greedy.record(at, result);
        sample.keep(&yard, index(at), result, sight.hits.bits());
    }
    // What was kept attack by attack is all that is possible in the end.
    let kept = sample.len();
    sample.keep_possible(&yard, &sight);
    assert_eq!(sample.len(), kept);
    (sight, greedy)
}

/// The largest difference between the chances by the sample and by the count.
fn off(sample: &Sample, sight: &Sight, greedy: &Greedy) -> f64 {
    let exact = greedy.chances().unwrap();
    let tally = sample.tally();
    let of = |at: Point| f64::from(tally.get(index(at))) / crate::good::cells::real(sample.len());
    let off = |at: Point| (of(at) - exact[index(at)]).abs();
    sight.untried().iter().map(off).fold(0.0, f64::max)
}

#[test]
fn a_blank_board_is_sampled_as_it_is_counted() {
    let game = Game::standard();
    let yard = Yard::new(&game);
    let mut rng = SeededRng::new(1);
    let sample = Sample::draw(&yard, &Mixture::uniform(), 40_000, &mut rng, || false);
    assert_eq!(sample.len(), 40_000);
    // Six standard deviations of a share of 0.2 of 40,000.
    let off = off(&sample, &Sight::new(&game), &Greedy::new(&game, 0));
    assert!(off < 0.012, "{off}");
}

#[test]
fn all_fleets_are_listed_and_each_once() {
    let mut rng = SeededRng::new(2);
    for (rows, cols, lengths, attacks) in [
        (3, 4, &[2, 2, 3][..], 1),
        (4, 4, &[3, 2], 5),
        (5, 5, &[2, 2, 1], 8),
        (2, 2, &[1, 1], 0),
    ] {
        let game = game(rows, cols, lengths);
        let yard = Yard::new(&game);
        for _ in 0..20 {
            let mut none = Sample::new(lengths.len());
            let (sight, greedy) = middle_of_a_game(&game, attacks, &mut none, &mut rng);
            let options = Options::new(&yard, &sight);
            let all = Sample::list(&yard, &Mixture::uniform(), &options, 100_000).unwrap();
            assert_eq!(format!("{:.0}", greedy.fleets()), all.len().to_string());
            let fleets: std::collections::HashSet<&[PlaceIndex]> =
                (0..all.len()).map(|fleet| all.places(fleet)).collect();
            assert_eq!(fleets.len(), all.len());
            assert!(off(&all, &sight, &greedy) < 1e-9);
            assert!(
                all.len() < 2
                    || Sample::list(&yard, &Mixture::uniform(), &options, all.len() - 1).is_none()
            );
        }
    }
}

#[test]
fn redrawn_fleets_are_as_likely_as_by_the_count() {
    let mut rng = SeededRng::new(3);
    for (rows, cols, lengths, attacks) in [
        (6, 6, &[3, 2, 2, 1, 1][..], 8),
        (6, 6, &[4, 3, 2, 2], 9),
        (8, 8, &[4, 3, 3, 2, 2], 10),
        (5, 5, &[2, 2, 2, 1], 0),
    ] {
        let game = game(rows, cols, lengths);
        let (yard, mixture) = (Yard::new(&game), Mixture::uniform());
        let all = Sample::draw(&yard, &mixture, 100_000, &mut rng, || false);
        let mut games = 0;
        while games < 3 {
            let mut sample = all.clone();
            let (sight, greedy) = middle_of_a_game(&game, attacks, &mut sample, &mut rng);
            let before = sample.len();
            // Of few fleets the shares say little.
            if before < 500 {
                continue;
            }
            games += 1;
            let mut at_once = all.clone();
            at_once.keep_possible(&yard, &sight);
            assert_eq!(at_once.len(), before);
            let options = Options::new(&yard, &sight);
            let mut redrawn = Sample::new(lengths.len());
            redrawn.redraw(&yard, &mixture, &options, 10 * before, &mut rng, || false);
            assert!(redrawn.len() > 5 * before, "{} of {before}", redrawn.len());
            let off = off(&redrawn, &sight, &greedy);
            assert!(
                off < 0.05,
                "{rows}x{cols} {lengths:?}: {off} of {before}, {sight:?}"
            );
        }
    }
}

#[test]
fn a_search_finds_fleets_that_agree_with_what_was_seen() {
    let mut rng = SeededRng::new(9);
    for (lengths, attacks) in [(&[5, 4, 3, 3, 2][..], 40), (&[2; 20], 30), (&[5; 12], 20)] {
        let game = game(10, 10, lengths);
        let (yard, mixture) = (Yard::new(&game), Mixture::uniform());
        let mut none = Sample::new(lengths.len());
        let (sight, _) = middle_of_a_game(&game, attacks, &mut none, &mut rng);
        let mut options = Options::new(&yard, &sight);
        let mut sample = Sample::search(&yard, &mixture, &mut options, &mut rng);
        assert!(sample.len() > 0, "{lengths:?}");
        sample.renew(&yard, &mixture, &options, 1000, &mut rng, || false);
        let n_cells: i32 = lengths.iter().sum();
        for fleet in 0..sample.len() {
            let cells = CellSet::from_bits(sample.cells(fleet));
            assert_eq!(i32::try_from(cells.len()), Ok(n_cells));
            assert!((cells & sight.misses).is_empty() && sight.hits.is_subset(cells));
        }
    }
}

/// A preference with a number of its own for every place, on average 1.
fn lopsided(yard: &Yard, rng: &mut SeededRng) -> PlaceWeights {
    let mut table = PlaceWeights::new();
    for kind in &yard.kinds {
        let numbers: Vec<f64> = (0..kind.len()).map(|_| 0.2 + 2.0 * rng.unit()).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.iter().map(|_| 1.0).sum::<f64>();
        table.push(numbers.iter().map(|number| number / mean).collect());
    }
    table
}

/// The ways to the fleets of an opponent that prefers places and spaces its ships.
#[test]
fn fleets_are_as_likely_in_every_way_to_make_them() {
    let game = game(4, 4, &[3, 2]);
    let yard = Yard::new(&game);
    let mut rng = SeededRng::new(4);
    for spacing in [Spacing::Any, Spacing::Sides, Spacing::Corners] {
        let preference = Some(std::sync::Arc::new(lopsided(&yard, &mut rng)));
        let habit = Habit::new(&yard, spacing, preference, &mut rng);
        let mut mixture = Mixture::default();
        mixture.parts.push(Part {
            model: Model::Habit(habit),
            share: 1.0,
            idea: 0,
        });
        let mut sight = Sight::new(&game);
        let mut drawn = Sample::draw(&yard, &mixture, 60_000, &mut rng, || false);
        for (at, result) in [
            (Point::new(1, 1), AttackResult::Hit),
            (Point::new(3, 3), AttackResult::Miss),
        ] {
            sight.record(at, result);
            drawn.keep(&yard, index(at), result, sight.hits.bits());
        }
        let options = Options::new(&yard, &sight);
        let listed = Sample::list(&yard, &mixture, &options, 20_000).unwrap();
        let mut moved = drawn.clone();
        assert!(moved.len() > 2_000);
        moved.renew(
            &yard,
            &mixture,
            &options,
            10 * drawn.len(),
            &mut rng,
            || false,
        );
        let mut redrawn = Sample::new(yard.ships.len());
        redrawn.redraw(&yard, &mixture, &options, 20_000, &mut rng, || false);
        let shares = |sample: &Sample| {
            let mut shares: HashMap<Vec<PlaceIndex>, f64> = HashMap::new();
            for fleet in 0..sample.len() {
                let one = 1.0 / crate::good::cells::real(sample.len());
                *shares.entry(sample.places(fleet).to_vec()).or_default() += one;
            }
            shares
        };
        let [drawn, moved, redrawn, listed] = [&drawn, &moved, &redrawn, &listed].map(shares);
        assert!(listed.len() > 5);
        for (fleet, share) in &listed {
            for other in [&drawn, &moved, &redrawn] {
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
    let game = Game::standard();
    let yard = Yard::new(&game);
    let mut rng = SeededRng::new(5);
    for (spacing, near) in [
        (Spacing::Sides, [(0, 1), (1, 0)]),
        (Spacing::Corners, [(1, 1), (1, -1)]),
    ] {
        let habit = Habit::new(&yard, spacing, None, &mut rng);
        let mut mixture = Mixture::default();
        mixture.parts.push(Part {
            model: Model::Habit(habit),
            share: 1.0,
            idea: 0,
        });
        let sample = Sample::draw(&yard, &mixture, 200, &mut rng, || false);
        assert_eq!(sample.len(), 200);
        for fleet in 0..sample.len() {
            let ships: Vec<CellSet> = (0..5)
                .map(|ship| CellSet::from_bits(yard.cells(ship, sample.places(fleet)[ship])))
                .collect();
            for ship in &ships {
                let others = ships.iter().filter(|other| *other != ship);
                let others = others.fold(CellSet::EMPTY, |all, other| all | *other);
                let touches = |at: Point, (down, right): (i32, i32)| {
                    others.contains(Point::new(at.row + down, at.col + right))
                        || others.contains(Point::new(at.row - down, at.col - right))
                };
                assert!(
                    ship.iter()
                        .all(|at| near.iter().all(|step| !touches(at, *step)))
                );
            }
        }
    }
}

/// All fleets of a small game, plainly: every place of every ship, beside and around no other as the rules ask.
fn all_fleets(game: &Game, board: &Board<'_>, fleets: &mut Vec<(u128, Vec<Placement>)>) {
    let placed: Vec<Placement> = (0..game.n_ships())
        .map_while(|ship| board.placement(ship))
        .collect();
    if placed.len() == game.n_ships() {
        fleets.push((board.occupied().bits(), placed));
        return;
    }
    for placement in crate::fleet::all_placements(game, game.ship_length(placed.len())) {
        let mut board = board.clone();
        let Placement {
            top_or_left,
            direction,
        } = placement;
        if board
            .place_ship(top_or_left, placed.len(), direction)
            .is_ok()
        {
            all_fleets(game, &board, fleets);
        }
    }
}

/// Whether all fleets in `all` are about as frequent in the sample, and no others are in it.
fn is_uniform(yard: &Yard, sample: &Sample, all: &[(u128, Vec<Placement>)]) -> bool {
    let mut counts: HashMap<Vec<PlaceIndex>, usize> = HashMap::new();
    for (_, fleet) in all {
        let places = fleet
            .iter()
            .enumerate()
            .map(|(ship, at)| yard.kind_of(ship).place_at(*at));
        counts.insert(places.map(Option::unwrap).collect(), 0);
    }
    for fleet in 0..sample.len() {
        let Some(count) = counts.get_mut(sample.places(fleet)) else {
            return false;
        };
        *count += 1;
    }
    // Six standard deviations, and copies of a fleet are alike now and then.
    let mean = crate::good::cells::real(sample.len() / all.len());
    let near = |count: &usize| (crate::good::cells::real(*count) - mean).abs() < 10.0 * mean.sqrt();
    counts.values().all(near)
}

#[test]
fn ships_that_may_not_touch_are_drawn_moved_and_listed_uniformly() {
    let mut rng = SeededRng::new(8);
    let game = game(4, 5, &[3, 2, 2]).with_apart(true);
    let mut all = Vec::new();
    all_fleets(&game, &Board::new(&game), &mut all);
    let (yard, mixture) = (Yard::new(&game), Mixture::uniform());
    let many = 400 * all.len();
    let drawn = Sample::draw(&yard, &mixture, many, &mut rng, || false);
    assert!(is_uniform(&yard, &drawn, &all));
    let options = Options::new(&yard, &Sight::new(&game));
    let listed = Sample::list(&yard, &mixture, &options, all.len()).unwrap();
    assert_eq!(listed.len(), all.len());
    assert!(is_uniform(&yard, &listed, &all));
    let mut moved = Sample::draw(&yard, &mixture, many / 10, &mut rng, || false);
    moved.renew(&yard, &mixture, &options, many, &mut rng, || false);
    assert!(is_uniform(&yard, &moved, &all));
}

#[test]
fn fleets_that_were_had_before_are_drawn_as_they_were() {
    let game = Game::standard();
    let yard = Yard::new(&game);
    let fleets = vec![vec![0, 30, 60, 90, 100], vec![1, 31, 61, 91, 101]];
    let mut mixture = Mixture::uniform();
    mixture.parts.push(Part {
        model: Model::Repeating(fleets.clone()),
        share: 1.0,
        idea: 1,
    });
    let sample = Sample::draw(&yard, &mixture, 1000, &mut SeededRng::new(6), || false);
    let repeated =
        (0..sample.len()).filter(|fleet| fleets.contains(&sample.places(*fleet).to_vec()));
    assert!((450..=550).contains(&repeated.count()));
    let mut sight = Sight::new(&game);
    for cell in CellSet::from_bits(yard.cells(0, 0)).iter().skip(1) {
        sight.record(cell, AttackResult::Hit);
    }
    let mut redrawn = Sample::new(5);
    redrawn.redraw(
        &yard,
        &mixture,
        &Options::new(&yard, &sight),
        1000,
        &mut SeededRng::new(7),
        || false,
    );
    let first = (0..redrawn.len()).filter(|fleet| redrawn.places(*fleet) == fleets[0]);
    let repeated = first.count();
    assert!(repeated > 900, "{repeated}");
    assert_eq!(mixture.likeliest(&yard, &fleets[0]), 1);
}
