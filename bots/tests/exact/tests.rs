//! The count against plain enumeration on boards small enough for it.

use std::collections::HashSet;

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Game, Point};

use super::super::cells::real;
use super::super::sight::Sight;
use super::count::count;
use super::lines::{Lines, ShipLine};
use super::prior::Prior;

fn game(rows: i32, cols: i32, lengths: &[i32]) -> Game {
    let mut game = Game::new(rows, cols).unwrap();
    for (length, symbol) in lengths.iter().zip(('a'..).filter(|symbol| *symbol != 'o')) {
        game.add_ship(*length, symbol, "ship").unwrap();
    }
    game
}

/// A fleet as the places of its ships, by id, and its weight.
type Layout = (Vec<ShipLine>, f64);

/// All fleets of a game: every ship on every place, without collisions.
fn all_layouts(prior: &Prior) -> Vec<Layout> {
    let mut layouts: Vec<Layout> = vec![(Vec::new(), 1.0)];
    for (ship, (length, table)) in prior.ships.iter().enumerate() {
        let places: Vec<_> = prior.tables[*table].nonzero().collect();
        let apart = |layout: &Layout, line: ShipLine| {
            let cells = line.cells(*length);
            layout
                .0
                .iter()
                .zip(&prior.ships[..ship])
                .all(|(other, (length, _))| (other.cells(*length) & cells).is_empty())
        };
        layouts = layouts
            .iter()
            .flat_map(|layout| {
                let fits = places.iter().filter(|(line, _)| apart(layout, *line));
                fits.map(|(line, weight)| {
                    let lines = layout.0.iter().copied().chain([*line]).collect();
                    (lines, layout.1 * weight)
                })
            })
            .collect();
    }
    layouts
}

/// Returns the result of an attack on that fleet, after the attacks seen so far.
fn result(prior: &Prior, layout: &Layout, sight: &Sight, at: Point) -> AttackResult {
    for (ship, (line, (length, _))) in layout.0.iter().zip(&prior.ships).enumerate() {
        let cells = line.cells(*length);
        if cells.contains(at) {
            let rest = cells - sight.hits - at.into();
            return if rest.is_empty() {
                AttackResult::Sunk(ship)
            } else {
                AttackResult::Hit
            };
        }
    }
    AttackResult::Miss
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * (1.0 + one.abs().max(other.abs()))
}

/// Compares the count with the layouts that are left; then attacks every cell, and so on.
fn compare_all(prior: &Prior, sight: &Sight, left: &[Layout], known: &mut HashSet<Sight>) {
    if left.is_empty() || !known.insert(sight.clone()) {
        return;
    }
    let posterior = count(sight, prior);
    let total: f64 = left.iter().map(|(_, weight)| weight).sum();
    assert!(
        is_near(posterior.total, total),
        "{} for {total}: {sight:?}",
        posterior.total
    );
    for (ship, (_, table)) in prior.ships.iter().enumerate() {
        let (mut expected, found) = (Lines::ZERO, posterior.places_of(ship));
        let same = |other: &usize| {
            *other == ship
                || sight.is_afloat(ship)
                    && sight.is_afloat(*other)
                    && prior.ships[*other] == prior.ships[ship]
        };
        let class: Vec<usize> = (0..prior.ships.len()).filter(same).collect();
        for (lines, weight) in left {
            for other in &class {
                expected.add(lines[*other], weight / total / real(class.len()));
            }
        }
        for (line, _) in prior.tables[*table].nonzero() {
            assert!(
                is_near(expected.get(line), found.get(line)),
                "{ship} {line:?} {sight:?}"
            );
        }
    }
    for at in sight.untried() {
        let results: HashSet<_> = left
            .iter()
            .map(|one| result(prior, one, sight, at))
            .collect();
        for seen in results {
            let mut then = sight.clone();
            then.record(at, seen);
            let still = |one: &&Layout| result(prior, one, sight, at) == seen;
            let left: Vec<Layout> = left.iter().filter(still).cloned().collect();
            compare_all(prior, &then, &left, known);
        }
    }
}

/// Returns the number of different sights that were compared.
fn compared(game: &Game, prior: &Prior) -> usize {
    let mut known = HashSet::new();
    compare_all(prior, &Sight::new(game), &all_layouts(prior), &mut known);
    known.len()
}

/// A prior with a number of its own for every place of every ship.
fn lopsided(game: &Game, rng: &mut SeededRng) -> Prior {
    let uniform = Prior::uniform(game);
    let (mut ships, mut tables) = (Vec::new(), Vec::new());
    for (length, table) in &uniform.ships {
        let mut lines = Lines::ZERO;
        for (line, _) in uniform.tables[*table].nonzero() {
            lines.set(line, 0.1 + 3.0 * rng.unit());
        }
        ships.push((*length, tables.len()));
        tables.push(lines);
    }
    Prior { ships, tables }
}

#[test]
fn the_blank_standard_board_has_30_093_975_536_fleets() {
    // The number that several public enumerations agree on.
    let game = Game::standard();
    let posterior = count(&Sight::new(&game), &Prior::uniform(&game));
    assert!(
        (posterior.total - 30_093_975_536.0).abs() < 0.5,
        "{}",
        posterior.total
    );
    for ship in 0..5 {
        assert!(is_near(posterior.places_of(ship).sum(), 1.0));
    }
}

/// Rows, columns and lengths of ships.
type Small = (i32, i32, &'static [i32]);

const TINY: [Small; 5] = [
    (1, 1, &[1]),
    (1, 5, &[2, 1]),
    (3, 3, &[2]),
    (2, 4, &[3, 2]),
    (2, 4, &[4, 3]),
];

const SMALL: [Small; 5] = [
    (3, 3, &[3, 2]),
    (3, 3, &[2, 2]),
    (3, 3, &[2, 1, 1]),
    (2, 4, &[2, 2, 2]),
    (2, 4, &[1, 2, 3, 1]),
];

fn agrees_with_enumeration(games: &[Small]) {
    for (rows, cols, lengths) in games {
        let game = game(*rows, *cols, lengths);
        let seen = compared(&game, &Prior::uniform(&game));
        assert!(
            seen > game.cells().len(),
            "{rows}x{cols} {lengths:?}: {seen}"
        );
    }
}

#[test]
fn the_count_agrees_with_enumeration_after_every_history_of_tiny_games() {
    agrees_with_enumeration(&TINY);
}

#[test]
#[ignore = "thorough"]
fn the_count_agrees_with_enumeration_after_every_history_of_small_games() {
    agrees_with_enumeration(&SMALL);
}

fn agrees_if_not_equally_likely(games: &[Small]) {
    let mut rng = SeededRng::new(3);
    for (rows, cols, lengths) in games {
        let game = game(*rows, *cols, lengths);
        assert!(compared(&game, &lopsided(&game, &mut rng)) > game.cells().len());
    }
}

#[test]
fn so_does_the_count_of_places_that_are_not_equally_likely() {
    agrees_if_not_equally_likely(&TINY[1..]);
}

#[test]
#[ignore = "thorough"]
fn so_does_the_count_of_places_that_are_not_equally_likely_in_small_games() {
    agrees_if_not_equally_likely(&SMALL);
}

#[test]
fn three_ships_of_any_lengths_are_counted_together_as_enumeration_does() {
    let mut rng = SeededRng::new(4);
    for lengths in [
        [4, 3, 2],
        [3, 3, 2],
        [5, 1, 2],
        [2, 2, 2],
        [4, 2, 1],
        [1, 1, 1],
        [1, 2, 1],
    ] {
        let game = game(5, 4, &lengths);
        for prior in [Prior::uniform(&game), lopsided(&game, &mut rng)] {
            let mut sight = Sight::new(&game);
            let layouts = all_layouts(&prior);
            for at in [Point::new(2, 1), Point::new(0, 3), Point::new(4, 0)] {
                let total: f64 = layouts
                    .iter()
                    .filter(|one| {
                        sight.misses.iter().all(|miss| {
                            result(&prior, one, &Sight::new(&game), miss) == AttackResult::Miss
                        })
                    })
                    .map(|(_, weight)| weight)
                    .sum();
                assert!(
                    is_near(count(&sight, &prior).total, total),
                    "{lengths:?} {sight:?}"
                );
                sight.record(at, AttackResult::Miss);
            }
        }
    }
}
