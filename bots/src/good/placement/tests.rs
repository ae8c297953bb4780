//! Tests of the placement against opponents that shoot by a habit, at random, or not at all.

use std::collections::BTreeSet;

use battleship::CellSet;

use super::*;
use crate::fleet::game;
use crate::good::cells::real;

/// The opponent's attacks in `order`, until all ships of the board are sunk.
fn attacks<'o>(board: &Board<'_>, order: &'o [Point]) -> &'o [Point] {
    let mut left = board.occupied();
    let hits = order.iter().position(|at| {
        left -= CellSet::from(*at);
        left.is_empty()
    });
    &order[..=hits.unwrap()]
}

/// Plays 30 games against an opponent that attacks in that order; returns how many attacks the last
/// 20 took on average, and how many random fleets would have taken.
fn play(placing: &mut Placing, order: &[Point]) -> (f64, f64) {
    let game = Game::standard();
    let (mut chosen, mut random) = (0, 0);
    for number in 0..30 {
        let (mut board, mut other) = (Board::new(&game), Board::new(&game));
        let mut rng = SeededRng::in_domain(number, 5);
        assert!(placing.place(&mut board, &mut rng) && random_fleet(&mut other, &mut rng));
        let attacked = attacks(&board, order);
        chosen += if number < 10 { 0 } else { attacked.len() };
        random += attacks(&other, order).len();
        placing.learn(attacked);
    }
    (real(chosen) / 20.0, real(random) / 30.0)
}

#[test]
fn ships_lie_where_a_habit_comes_late() {
    let row_by_row: Vec<Point> = Game::standard().points().collect();
    let (chosen, random) = play(&mut Placing::default(), &row_by_row);
    // Random fleets last 93 attacks of 100. The ways that choose least strictly remain in the
    // mixture.
    assert!(chosen > random + 2.0, "{chosen} after {random}");
}

#[test]
fn the_first_shots_of_a_habit_are_avoided() {
    // An opponent that begins in the middle.
    let mut order: Vec<Point> = Game::standard().points().collect();
    order.sort_by_key(|at| (2 * at.row - 9).pow(2) + (2 * at.col - 9).pow(2));
    let mut placing = Placing::default();
    play(&mut placing, &order);
    let strict = std::array::from_fn(|way| vec![f64::from(u8::from(way >= 2))]);
    let share = placing.of.unwrap().hedge.mixed(&strict)[0];
    // At first it is a quarter.
    assert!(share > 0.4, "{share}");
}

#[test]
fn every_small_fleet_comes_even_against_a_habit() {
    // A ship of 2 and one of 1 on 2x2: 4 places for the first, then 2 for the second. The opponent
    // knows where it begins.
    let game = game(2, 2, &[2, 1]);
    let order: Vec<Point> = game.points().collect();
    let (mut placing, mut fleets) = (Placing::default(), BTreeSet::new());
    for number in 0..200 {
        let mut board = Board::new(&game);
        assert!(placing.place(&mut board, &mut SeededRng::new(number)));
        placing.learn(attacks(&board, &order));
        fleets.insert(board.display(false));
    }
    assert_eq!(fleets.len(), 8, "{fleets:?}");
}

/// Boards on which random ships are hardly ever apart, or have no space at all, and whether the
/// fleet can be placed: the same by the same seeds after the same games.
#[test]
fn every_board_gets_its_fleet() {
    for (rows, cols, lengths, possible) in [
        (10, 10, &[10; 10][..], true),
        (10, 10, &[5, 4, 3, 3, 2], true),
        (1, 1, &[1], true),
        (1, 10, &[5, 4, 1], true),
        (3, 3, &[1; 9], true),
        (2, 3, &[3, 3, 1], false),
        (7, 9, &[6, 6, 6, 6, 6, 6, 6], true),
    ] {
        let game = game(rows, cols, lengths);
        let mut placings = [Placing::default(), Placing::default()];
        for number in 0..3 {
            let [one, other] = placings.each_mut().map(|placing| {
                let mut board = Board::new(&game);
                let placed = placing.place(&mut board, &mut SeededRng::new(number));
                assert_eq!(placed, possible, "{rows}x{cols} {lengths:?}");
                // Attacks that no rule allows say nothing and do no harm.
                let wild = [(-1, 3), (0, 0), (0, 0), (99, 0)];
                placing.learn(&wild.map(|(row, col)| Point::new(row, col)));
                board.display(false)
            });
            assert_eq!(one, other);
        }
    }
}

fn cells(cols: &[i32]) -> CellSet {
    cols.iter().map(|col| Point::new(0, *col)).collect()
}

/// The fleet of those of a board of one row whose ships have these columns.
fn find<'f>(fleets: &'f [Fleet], ships: &[&[i32]]) -> &'f Fleet {
    let wanted = || ships.iter().map(|cols| cells(cols));
    let found = fleets.iter().find(|fleet| fleet.ships().eq(wanted()));
    found.unwrap()
}

#[test]
fn shots_that_follow_a_hit_are_no_search() {
    let game = game(1, 6, &[2, 1]);
    let fleets = draw(&Yard::new(&game), &mut SeededRng::new(1));
    // It searches (0,0) and (0,2), follows the hit to (0,1) and (0,3), and searches (0,5).
    let attacks = [0, 2, 1, 3, 5].map(|col| Point::new(0, col));
    let hunt = Hunt::new(&game, find(&fleets, &[&[2, 3], &[5]]), &attacks);
    for (first, second, lasts) in [
        ([2, 3], 0, 1.0),
        ([4, 5], 0, 2.0),
        // (0,4) was left: it would have come as the fourth.
        ([2, 3], 4, 3.5),
        // The cells that it reached while it followed the hit count as usual ones: the mean of 0,
        // 1, 2 and 3.5.
        ([4, 5], 1, 2.0),
        ([3, 4], 1, 1.625),
    ] {
        let found = hunt.lasts(find(&fleets, &[&first, &[second]]));
        assert!((found - lasts).abs() < 1e-9, "{first:?} {second}: {found}");
    }
}

#[test]
fn the_chosen_fleet_lasts_longest_against_counters() {
    let series = Series::new(&Game::standard());
    let mean = |fleet: &Fleet| {
        let attacks = (0..8).map(|image| series.range.attacks(&series.yard, fleet, image));
        real(attacks.sum()) / 8.0
    };
    let (mut chosen, mut all) = (0.0, 0.0);
    for number in 0..8 {
        let fleets = draw(&series.yard, &mut SeededRng::new(number));
        let entrants: Vec<&Fleet> = fleets.iter().take(ENTRANTS).collect();
        let hardest = series.range.hardest(&series.yard, &entrants).unwrap();
        chosen += mean(entrants[hardest]) / 8.0;
        all += entrants.iter().map(|fleet| mean(fleet)).sum::<f64>() / real(8 * ENTRANTS);
    }
    // Of 32 random fleets: 44 and 56 attacks.
    assert!(chosen > all + 7.0, "{chosen} of {all}");
}

#[test]
fn a_counter_sinks_every_fleet_in_every_orientation() {
    for (rows, cols, lengths) in [
        (10, 10, &[5, 4, 3, 3, 2][..]),
        (1, 9, &[3, 2, 1]),
        (3, 5, &[2, 2, 1, 1]),
        (10, 10, &[10, 10, 10]),
    ] {
        let Series {
            game, yard, range, ..
        } = Series::new(&game(rows, cols, lengths));
        for fleet in &draw(&yard, &mut SeededRng::new(1))[..20] {
            let least = usize::try_from(lengths.iter().sum::<i32>()).unwrap();
            for image in 0..9 {
                let attacks = range.attacks(&yard, fleet, image);
                assert!((least..=game.cells().len()).contains(&attacks), "{attacks}");
            }
        }
    }
}

#[test]
fn a_counter_begins_where_most_places_go_through() {
    // On 1x5, all places of a ship of 3 go through the middle.
    let series = Series::new(&game(1, 5, &[3]));
    let fleets = draw(&series.yard, &mut SeededRng::new(1));
    let attacks = |ship: [i32; 3]| {
        let fleet = find(&fleets, &[&ship]);
        series.range.attacks(&series.yard, fleet, 0)
    };
    // It hits the middle and tries the left of two cells that are as likely, then the cell through
    // which more places go.
    assert_eq!([[0, 1, 2], [1, 2, 3], [2, 3, 4]].map(attacks), [4, 3, 4]);
}
