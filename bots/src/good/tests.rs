//! The count, the chain and the trials against plain enumeration on boards small enough for it.

use std::collections::HashSet;

use battleship::seeded::SeededRng;
use battleship::{AttackResult, CellSet, Game, Point};

use super::chain::sample;
use super::count::count;
use super::grid::{index, real};
use super::lines::{Line, Lines};
use super::posterior::{Fleet, Posterior};
use super::prior::Prior;
use super::rollout::Guesses;
use super::sight::Sight;

fn game(rows: i32, cols: i32, lengths: &[i32]) -> Game {
    let mut game = Game::new(rows, cols).unwrap();
    for (length, symbol) in lengths.iter().zip(('a'..).filter(|symbol| *symbol != 'o')) {
        game.add_ship(*length, symbol, "ship").unwrap();
    }
    game
}

/// A fleet as the places of its ships, by id, and its weight.
type Layout = (Vec<Line>, f64);

/// All fleets of a game: every ship on every place, without collisions.
fn all_layouts(prior: &Prior) -> Vec<Layout> {
    let mut layouts: Vec<Layout> = vec![(Vec::new(), 1.0)];
    for (ship, (length, table)) in prior.ships.iter().enumerate() {
        let places: Vec<_> = prior.tables[*table].nonzero().collect();
        let apart = |layout: &Layout, line: Line| {
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

/// What an attack on that fleet gives, after the attacks seen so far.
fn result(prior: &Prior, layout: &Layout, sight: &Sight, at: Point) -> AttackResult {
    for (ship, (line, (length, _))) in layout.0.iter().zip(&prior.ships).enumerate() {
        let cells = line.cells(*length);
        if cells.contains(at) {
            let rest = cells - sight.hits - at.into();
            return if rest.is_empty() { AttackResult::Sunk(ship) } else { AttackResult::Hit };
        }
    }
    AttackResult::Miss
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * (1.0 + one.abs().max(other.abs()))
}

fn counted(sight: &Sight, prior: &Prior) -> Posterior {
    count(sight, prior, f64::INFINITY).unwrap().0
}

/// Compares the count with the layouts that are left; then attacks every cell, and so on.
fn compare_all(prior: &Prior, sight: &Sight, left: &[Layout], known: &mut HashSet<Sight>) {
    if left.is_empty() || !known.insert(sight.clone()) {
        return;
    }
    let posterior = counted(sight, prior);
    let total: f64 = left.iter().map(|(_, weight)| weight).sum();
    assert!(is_near(posterior.total, total), "{} for {total}: {sight:?}", posterior.total);
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
            assert!(is_near(expected.get(line), found.get(line)), "{ship} {line:?} {sight:?}");
        }
    }
    for at in sight.untried() {
        let results: HashSet<_> = left.iter().map(|one| result(prior, one, sight, at)).collect();
        for seen in results {
            let mut then = sight.clone();
            then.record(at, seen);
            let still = |one: &&Layout| result(prior, one, sight, at) == seen;
            let left: Vec<Layout> = left.iter().filter(still).cloned().collect();
            compare_all(prior, &then, &left, known);
        }
    }
}

/// How many different sights were compared.
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
    Prior { ships, tables, is_uniform: false }
}

#[test]
fn the_blank_standard_board_has_30_093_975_536_fleets() {
    // The number that several public enumerations agree on.
    let game = Game::standard();
    let posterior = counted(&Sight::new(&game), &Prior::uniform(&game));
    assert!((posterior.total - 30_093_975_536.0).abs() < 0.5, "{}", posterior.total);
    for ship in 0..5 {
        assert!(is_near(posterior.places_of(ship).sum(), 1.0));
    }
}

#[test]
fn the_count_agrees_with_enumeration_after_every_history_of_small_games() {
    for (rows, cols, lengths) in [
        (1, 1, &[1][..]),
        (1, 5, &[2, 1]),
        (3, 3, &[2]),
        (3, 3, &[3, 2]),
        (3, 3, &[2, 2]),
        (3, 3, &[2, 1, 1]),
        (2, 4, &[3, 2]),
        (2, 4, &[2, 2, 2]),
        (2, 4, &[1, 2, 3, 1]),
        (2, 4, &[4, 3]),
    ] {
        let game = game(rows, cols, lengths);
        let seen = compared(&game, &Prior::uniform(&game));
        assert!(seen > game.cells().len(), "{rows}x{cols} {lengths:?}: {seen}");
    }
}

#[test]
fn so_does_the_count_of_places_that_are_not_equally_likely() {
    let mut rng = SeededRng::new(3);
    for (rows, cols, lengths) in
        [(3, 3, &[3, 2][..]), (3, 3, &[2, 2]), (2, 4, &[2, 2, 2]), (2, 4, &[1, 2, 3, 1])]
    {
        let game = game(rows, cols, lengths);
        assert!(compared(&game, &lopsided(&game, &mut rng)) > 100);
    }
}

#[test]
fn three_ships_of_any_lengths_are_counted_together_as_enumeration_does() {
    let mut rng = SeededRng::new(4);
    for lengths in [[4, 3, 2], [3, 3, 2], [5, 1, 2], [2, 2, 2], [4, 2, 1], [1, 1, 1], [1, 2, 1]] {
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
                assert!(is_near(counted(&sight, &prior).total, total), "{lengths:?} {sight:?}");
                sight.record(at, AttackResult::Miss);
            }
        }
    }
}

/// A sight in the middle of a game on a board of the game, drawn at random.
fn sight_at_random(game: &Game, shots: usize, rng: &mut SeededRng) -> Sight {
    let mut board = battleship::Board::new(game);
    assert!(crate::random_fleet(&mut board, rng));
    let mut sight = Sight::new(game);
    let mut points: Vec<Point> = game.points().collect();
    rng.shuffle(&mut points);
    for at in points.into_iter().take(shots) {
        sight.record(at, board.attack(at).unwrap().into());
    }
    sight
}

#[test]
fn a_count_that_would_take_too_long_is_not_begun() {
    let game = game(10, 10, &[1; 20]);
    assert!(count(&Sight::new(&game), &Prior::uniform(&game), 1e6).is_none());
    let blank = Sight::new(&Game::standard());
    let prior = Prior::uniform(&Game::standard());
    // The carrier and the battleship are placed one by one: 120 times 140 places.
    assert!(count(&blank, &prior, 16_000.0).is_none());
    let (_, steps) = count(&blank, &prior, 17_000.0).unwrap();
    assert!((16_000.0..17_000.0).contains(&steps), "{steps}");
}

#[test]
fn the_chain_agrees_with_the_count_where_both_can_run() {
    let mut rng = SeededRng::new(5);
    for (rows, cols, lengths, shots) in [
        (6, 6, &[3, 2, 2, 1, 1][..], 8),
        (6, 6, &[4, 3, 2, 2], 12),
        (8, 8, &[4, 3, 3, 2, 2], 30),
        (5, 5, &[2, 2, 2, 1], 0),
    ] {
        let game = game(rows, cols, lengths);
        let prior = Prior::uniform(&game);
        for _ in 0..3 {
            let sight = sight_at_random(&game, shots, &mut rng);
            let exact = counted(&sight, &prior);
            let sampled = sample(&sight, &prior, &mut None, 20_000.0, &mut rng).unwrap();
            for (ship, places) in sampled.iter().enumerate() {
                for (line, chance) in exact.places_of(ship).nonzero() {
                    // Some thousand fleets, each of them much like the one before.
                    let off = (places.get(line) - chance).abs();
                    assert!(off < 0.06, "{lengths:?} {ship} {line:?}: off by {off}\n{sight:?}");
                }
            }
        }
    }
}

#[test]
fn fleets_are_drawn_as_often_as_they_are_likely() {
    let game = game(3, 3, &[2, 2]);
    let mut rng = SeededRng::new(6);
    let prior = lopsided(&game, &mut rng);
    let mut sight = Sight::new(&game);
    sight.record(Point::new(1, 1), AttackResult::Hit);
    let posterior = counted(&sight, &prior);
    let draws = 20_000;
    let mut counts = vec![Lines::ZERO; 2];
    for fleet in posterior.draw(draws, &mut rng) {
        for (ship, cells) in fleet.into_iter().enumerate() {
            let at = Line::all().find(|line| line.cells(2) == cells).unwrap();
            counts[ship].add(at, 1.0 / real(draws));
        }
    }
    for (ship, drawn) in counts.iter().enumerate() {
        for line in Line::all() {
            // Six standard deviations of a share of 1/2 of 20,000 are 0.021.
            assert!((drawn.get(line) - posterior.places_of(ship).get(line)).abs() < 0.021);
        }
    }
}

#[test]
fn all_fleets_are_found_and_each_once() {
    let game = game(3, 4, &[2, 2, 3]);
    let prior = Prior::uniform(&game);
    let mut sight = Sight::new(&game);
    sight.record(Point::new(0, 1), AttackResult::Hit);
    let posterior = counted(&sight, &prior);
    let all = posterior.all(1000).unwrap();
    assert!(all.iter().all(|(_, weight)| is_near(*weight, 2.0)));
    let fleets: Vec<Fleet> = all.into_iter().map(|(fleet, _)| fleet).collect();
    // Each fleet is counted twice: its two ships of length 2 cannot be told apart.
    assert!(is_near(posterior.total, 2.0 * real(fleets.len())));
    let sorted = |fleet: &Fleet| {
        let mut cells: Vec<u128> = fleet.iter().map(|cells| cells.bits()).collect();
        cells.sort_unstable();
        cells
    };
    assert_eq!(fleets.iter().map(sorted).collect::<HashSet<_>>().len(), fleets.len());
    assert!(posterior.all(fleets.len() - 1).is_none());
}

/// How many attacks it takes to sink `fleet`, first at `at`, then each where most of the `fleets` still possible have a
/// ship; of several such cells the first. Plainly.
fn plain_game(fleets: &[Fleet], fleet: &Fleet, at: Point) -> u32 {
    let mut left: Vec<&Fleet> = fleets.iter().collect();
    let (mut hits, mut at, mut shots) = (CellSet::EMPTY, at, 0);
    let mut tried = CellSet::EMPTY;
    let seen = |fleet: &Fleet, hits: CellSet, at: Point| {
        let hit = fleet.iter().position(|cells| cells.contains(at));
        hit.map(|ship| {
            let sunk = (fleet[ship] - hits - at.into()).is_empty();
            sunk.then(|| fleet[ship].len())
        })
    };
    loop {
        shots += 1;
        let result = seen(fleet, hits, at);
        left.retain(|other| seen(other, hits, at) == result);
        tried.insert(at);
        if result.is_some() {
            hits.insert(at);
        }
        if fleet.iter().all(|cells| cells.is_subset(hits)) {
            return shots;
        }
        let have = |point: &Point| {
            left.iter().filter(|fleet| fleet.iter().any(|cells| cells.contains(*point))).count()
        };
        let open = Game::standard().points().filter(|point| !tried.contains(*point));
        at = open.min_by_key(|point| (std::cmp::Reverse(have(point)), index(*point))).unwrap();
    }
}

#[test]
fn trials_take_as_many_attacks_as_whole_games() {
    let game = game(4, 4, &[3, 2]);
    let prior = Prior::uniform(&game);
    let sight = Sight::new(&game);
    let fleets = counted(&sight, &prior).all(1000).unwrap();
    let fleets: Vec<Fleet> = fleets.into_iter().map(|(fleet, _)| fleet).collect();
    let points = [Point::new(0, 0), Point::new(1, 1), Point::new(2, 1)];
    let guesses = Guesses::new(&fleets, sight.untried(), &prior.ships);
    for (at, mean) in guesses.try_out(&points, sight.untried()) {
        let plain: u32 = fleets.iter().map(|fleet| plain_game(&fleets, fleet, at)).sum();
        assert!(is_near(mean * real(fleets.len()), f64::from(plain)), "{at}: {mean}");
    }
}
