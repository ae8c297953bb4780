//! Tests of the placement against opponents that shoot by a habit, at random, or not at all.

use std::collections::BTreeMap;

use battleship::CellSet;

use super::*;
use crate::good::cells::real;

fn game(rows: i32, cols: i32, lengths: &[i32]) -> Game {
    let mut game = Game::new(rows, cols).unwrap();
    for (length, symbol) in lengths
        .iter()
        .zip(('a'..='z').filter(|symbol| *symbol != 'o'))
    {
        game.add_ship(*length, symbol, "ship").unwrap();
    }
    game
}

/// The opponent's attacks in `order`, until all ships of the board are sunk.
fn attacks(board: &Board<'_>, order: &[Point]) -> Vec<Point> {
    let mut board = board.clone();
    let attack = |at: &Point| {
        let goes_on = !board.all_ships_destroyed();
        let _ = board.attack(*at);
        goes_on
    };
    let count = order.iter().copied().map_while({
        let mut attack = attack;
        move |at| attack(&at).then_some(at)
    });
    count.collect()
}

/// The mean number of attacks in the last 20 of 30 games against an opponent that attacks in an order made by `order`.
fn lasts(placing: &mut Placing, mut order: impl FnMut(&mut SeededRng) -> Vec<Point>) -> f64 {
    let game = Game::standard();
    let mut sum = 0;
    for number in 0..30 {
        let mut rng = SeededRng::in_domain(number, 5);
        let mut board = Board::new(&game);
        assert!(placing.place(&mut board, &mut rng));
        let attacks = attacks(&board, &order(&mut rng));
        sum += if number < 10 { 0 } else { attacks.len() };
        placing.learn(&attacks);
    }
    real(sum) / 20.0
}

#[test]
fn ships_are_soon_placed_where_a_habit_comes_late() {
    let row_by_row = |_: &mut SeededRng| Game::standard().points().collect::<Vec<_>>();
    let habit = lasts(&mut Placing::default(), row_by_row);
    let nothing_learned: f64 = (0..30)
        .map(|number| {
            let (game, mut rng) = (Game::standard(), SeededRng::in_domain(number, 5));
            let mut board = Board::new(&game);
            assert!(random_fleet(&mut board, &mut rng));
            real(attacks(&board, &row_by_row(&mut rng)).len()) / 30.0
        })
        .sum();
    // Random fleets last 93 attacks of 100. The ways that choose least strictly remain in the mixture.
    assert!(
        habit > nothing_learned + 2.0,
        "{habit} after {nothing_learned}"
    );
}

#[test]
fn the_first_shots_of_a_habit_are_avoided() {
    // An opponent that begins in the middle.
    let order = |_: &mut SeededRng| {
        let mut points: Vec<Point> = Game::standard().points().collect();
        points.sort_by_key(|at| (2 * at.row - 9).pow(2) + (2 * at.col - 9).pow(2));
        points
    };
    let mut placing = Placing::default();
    lasts(&mut placing, order);
    let strict: f64 = placing.of.unwrap().hedge.mixed(&std::array::from_fn(|way| {
        vec![f64::from(u8::from(way >= 2))]
    }))[0];
    // At first it is a quarter.
    assert!(strict > 0.4, "{strict}");
}

#[test]
fn every_fleet_of_a_small_game_comes_even_against_a_habit() {
    // A ship of 2 and one of 1 on 2x2: 4 places for the first, then 2 for the second. The opponent knows where it begins.
    let game = game(2, 2, &[2, 1]);
    let order: Vec<Point> = game.points().collect();
    let mut placing = Placing::default();
    let mut counts = BTreeMap::<String, u32>::new();
    for number in 0..2000 {
        let mut board = Board::new(&game);
        assert!(placing.place(&mut board, &mut SeededRng::new(number)));
        placing.learn(&attacks(&board, &order));
        *counts.entry(board.display(false).to_string()).or_default() += 1;
    }
    assert_eq!(counts.len(), 8, "{counts:?}");
}

#[test]
fn placing_depends_on_the_seed_and_the_games_before_alone() {
    let order: Vec<Point> = Game::standard().points().collect();
    let play = || {
        let (game, mut placing) = (Game::standard(), Placing::default());
        let fleets = (0..5).map(|number| {
            let mut board = Board::new(&game);
            assert!(placing.place(&mut board, &mut SeededRng::new(number)));
            placing.learn(&attacks(&board, &order));
            board.display(false).to_string()
        });
        fleets.collect::<Vec<_>>()
    };
    assert_eq!(play(), play());
}

/// Boards on which random ships are hardly ever apart, or have no room at all, and whether the fleet can be placed.
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
        let mut placing = Placing::default();
        for number in 0..3 {
            let mut board = Board::new(&game);
            let placed = placing.place(&mut board, &mut SeededRng::new(number));
            assert_eq!(placed, possible, "{rows}x{cols} {lengths:?}");
            // Attacks that no rule allows say nothing and do no harm.
            let wild = [
                Point::new(-1, 3),
                Point::new(0, 0),
                Point::new(0, 0),
                Point::new(99, 0),
            ];
            placing.learn(&wild);
        }
    }
}

#[test]
fn shots_that_follow_a_hit_say_nothing_of_where_the_search_begins() {
    let game = game(1, 6, &[2, 1]);
    let fleets = draw(&Yard::new(&game), &mut SeededRng::new(1));
    let at = |cols: &[i32]| {
        cols.iter()
            .map(|col| Point::new(0, *col))
            .collect::<CellSet>()
    };
    let find = |ships: [&[i32]; 2]| {
        let wanted = ships.map(at);
        fleets
            .iter()
            .find(|fleet| fleet.ships().eq(wanted))
            .unwrap()
    };
    let own = find([&[2, 3], &[5]]);
    // It searches (0,0) and (0,2), follows the hit to (0,1) and (0,3), and searches (0,5).
    let attacks = [0, 2, 1, 3, 5].map(|col| Point::new(0, col));
    let hunt = Hunt::new(&game, own, &attacks);
    // (0,4) was left: it would have come as the fourth.
    assert!((hunt.lasts(find([&[2, 3], &[0]])) - 1.0).abs() < 1e-9);
    assert!((hunt.lasts(find([&[4, 5], &[0]])) - 2.0).abs() < 1e-9);
    assert!((hunt.lasts(find([&[2, 3], &[4]])) - 3.5).abs() < 1e-9);
    // The cells that it reached while it followed the hit count as usual ones: the mean of 0, 1, 2 and 3.5.
    assert!((hunt.lasts(find([&[4, 5], &[1]])) - 2.0).abs() < 1e-9);
    assert!((hunt.lasts(find([&[3, 4], &[1]])) - 1.625).abs() < 1e-9);
}

#[test]
fn the_fleet_that_is_chosen_takes_players_who_count_places_longest() {
    let game = Game::standard();
    let series = Series::new(&game);
    let mean = |fleet: &Fleet| {
        real(
            (0..8)
                .map(|image| series.range.attacks(&series.yard, fleet, image))
                .sum(),
        ) / 8.0
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
fn a_player_who_counts_places_sinks_every_fleet_in_every_orientation() {
    for (rows, cols, lengths) in [
        (10, 10, &[5, 4, 3, 3, 2][..]),
        (1, 9, &[3, 2, 1]),
        (3, 5, &[2, 2, 1, 1]),
        (10, 10, &[10, 10, 10]),
    ] {
        let game = game(rows, cols, lengths);
        let series = Series::new(&game);
        for fleet in &draw(&series.yard, &mut SeededRng::new(1))[..20] {
            let cells = fleet.ships().collect::<CellSet>().len();
            for image in 0..9 {
                let attacks = series.range.attacks(&series.yard, fleet, image);
                assert!(
                    (cells..=game.cells().len()).contains(&attacks),
                    "{lengths:?}: {attacks}"
                );
            }
        }
    }
}

#[test]
fn a_player_who_counts_places_begins_where_most_go_through() {
    // On 1x5, all places of a ship of 3 go through the middle.
    let game = game(1, 5, &[3]);
    let series = Series::new(&game);
    let fleets = draw(&series.yard, &mut SeededRng::new(1));
    let attacks = |cols: [i32; 3]| {
        let ship: CellSet = cols.map(|col| Point::new(0, col)).into_iter().collect();
        let fleet = fleets
            .iter()
            .find(|fleet| fleet.ships().any(|other| other == ship))
            .unwrap();
        series.range.attacks(&series.yard, fleet, 0)
    };
    // It hits the middle and tries the left of two cells that are as likely, then the cell through which more places go.
    assert_eq!([[0, 1, 2], [1, 2, 3], [2, 3, 4]].map(attacks), [4, 3, 4]);
}
