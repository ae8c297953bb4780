//! The good bot in whole games.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, CellSet, Game, Outcome, Player};
use bots::{Good, Terminal, Thinking, create_player, random_fleet};
use proptest::prelude::*;

/// Lets `bot` sink the ships on `board`; returns its attacks as row and column. None may be wasted.
fn attacks(bot: &mut dyn Bot, board: &mut Board<'_>) -> Vec<(i32, i32)> {
    let mut attacks = Vec::new();
    while !board.all_ships_destroyed() {
        let at = bot.attack();
        let result = board.attack(at);
        assert_ne!(result, AttackResult::Wasted);
        bot.attack_result(at, result);
        attacks.push((at.row, at.col));
    }
    attacks
}

fn random_board<'g>(game: &'g Game, rng: &mut SeededRng) -> Board<'g> {
    let mut board = Board::new(game);
    assert!(random_fleet(&mut board, rng));
    board
}

#[test]
fn the_play_depends_on_the_seed() {
    let game = Game::standard();
    let board = random_board(&game, &mut SeededRng::new(1));
    let play = |seed| {
        let mut good = Good::default();
        good.new_game(&game, seed);
        let mut own = Board::new(&game);
        assert!(good.place_ships(&mut own));
        (own.display(false), attacks(&mut good, &mut board.clone()))
    };
    assert_eq!(play(7), play(7));
    assert_ne!(play(7), play(8));
}

fn game(rows: i32, cols: i32, lengths: &[i32]) -> Game {
    let mut game = Game::new(rows, cols).expect("the size is within the limits");
    for (length, symbol) in lengths.iter().zip(('a'..).filter(|symbol| *symbol != 'o')) {
        game.add_ship(*length, symbol, "ship").expect("it fits");
    }
    game
}

#[test]
fn no_attack_is_wasted_on_any_size() {
    let mut rng = SeededRng::new(2);
    let mut good = Good::new(Thinking::for_milliseconds(0.2));
    for (rows, cols, lengths) in [
        (1, 1, &[1][..]),
        (1, 10, &[4, 3, 2]),
        (10, 1, &[10]),
        (2, 2, &[1; 4]),
        (3, 7, &[5, 3, 2, 1]),
        (6, 6, &[2; 12]),
        (8, 5, &[3, 3, 3, 3, 2, 2, 2, 1, 1, 1]),
        (10, 10, &[1; 20]),
        (10, 10, &[4, 3, 3, 2, 2, 2, 1, 1, 1, 1]),
        (10, 10, &[10; 10]),
    ] {
        let game = game(rows, cols, lengths);
        let mut board = random_board(&game, &mut rng);
        good.new_game(&game, 3);
        assert!(good.place_ships(&mut Board::new(&game)));
        assert!(attacks(&mut good, &mut board).len() <= game.cells().len());
        good.game_over(Outcome::Won);
    }
}

fn awful(game: &Game) -> Box<dyn Player> {
    create_player("awful", "Olive", game, 0, &Terminal::nowhere()).expect("it is shipped")
}

#[test]
fn a_fleet_that_never_changes_is_sunk_early() {
    let game = Game::standard();
    let mut good = Good::default();
    let mut needed = Vec::new();
    for seed in 0..7 {
        let mut board = Board::new(&game);
        assert!(awful(&game).place_ships(&mut board));
        good.new_game(&game, seed);
        needed.push(attacks(&mut good, &mut board).len());
        good.game_over(Outcome::Lost);
    }
    assert!(needed[0] > 20, "{needed:?}");
    assert!(
        needed[5..].iter().all(|attacks| *attacks <= 20),
        "{needed:?}"
    );
}

#[test]
fn ships_lie_where_the_opponent_comes_late() {
    let game = Game::standard();
    let mut good = Good::new(Thinking::for_milliseconds(0.1));
    let attacks = |seed| {
        good.new_game(&game, seed);
        let mut board = Board::new(&game);
        assert!(good.place_ships(&mut board));
        // Awful attacks from the last cell to the first.
        let mut awful = awful(&game);
        for _ in 0..80 {
            good.opponent_attacked(awful.recommend_attack());
        }
        good.game_over(Outcome::Void);
        let last = board.occupied().first().expect("the ships are placed");
        f64::from(100 - 10 * last.row - last.col)
    };
    let mean: f64 = (0..40).map(attacks).sum::<f64>() / 40.0;
    // For random fleets awful needs 88.7 attacks.
    assert!(mean > 93.0, "{mean}");
}

#[test]
fn results_that_contradict_each_other_are_endured() {
    let game = Game::standard();
    let mut good = Good::default();
    good.new_game(&game, 4);
    let mut seen = std::collections::HashSet::new();
    for number in 0..100 {
        let at = good.attack();
        assert!(game.is_valid(at) && seen.insert((at.row, at.col)), "{at}");
        // More hits than there are ships, and every ship sunk at once, with no hit before.
        let result = match number % 3 {
            0 => AttackResult::Hit,
            1 => AttackResult::Sunk(number % 5),
            _ => AttackResult::Miss,
        };
        good.attack_result(at, result);
    }
    assert!(game.is_valid(good.attack()));
}

/// A game of up to 10x10 with up to 8 ships, which may have to lie apart.
fn any_game() -> impl Strategy<Value = Game> {
    let apart = any::<bool>();
    let lengths = proptest::collection::vec(1..=4_i32, 1..8);
    let sizes = (1..=10_i32, 1..=10_i32, lengths, apart);
    sizes.prop_map(|(rows, cols, mut lengths, apart)| {
        for length in &mut lengths {
            *length = i32::min(*length, rows.max(cols));
        }
        game(rows, cols, &lengths).with_apart(apart)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn salvos_have_their_size_and_no_cell_twice(
        game in any_game(), first in 1..=100_usize, seed: u64,
    ) {
        let mut board = Board::new(&game);
        prop_assume!(random_fleet(&mut board, &mut SeededRng::new(seed)));
        let mut good = Good::new(Thinking::for_milliseconds(0.05));
        good.new_game(&game, seed);
        let mut shots = first;
        while !board.all_ships_destroyed() {
            let untried = game.cells() - board.attacked();
            let salvo = good.salvo(shots);
            assert_eq!(salvo.len(), shots);
            let cells: CellSet = salvo.iter().copied().collect();
            // Each shot at a cell of its own as long as there are such cells.
            assert_eq!((cells & untried).len(), shots.min(untried.len()));
            let results: Vec<AttackResult> =
                salvo.iter().map(|at| board.attack(*at)).collect();
            salvo.iter().zip(results).for_each(|(at, result)| good.attack_result(*at, result));
            // As if ships of its own were sunk.
            shots = (shots / 2).max(3);
        }
        good.game_over(Outcome::Won);
    }
}

#[test]
fn a_short_deadline_is_kept() {
    let game = game(10, 10, &[4; 20]);
    let mut board = random_board(&game, &mut SeededRng::new(5));
    // Far more thinking than there is time for.
    let mut good = Good::new(Thinking::for_milliseconds(2000.0));
    good.new_game(&game, 6);
    good.time_limit(std::time::Duration::ZERO);
    assert!(good.place_ships(&mut Board::new(&game)));
    assert!(attacks(&mut good, &mut board).len() <= 100);
    good.game_over(Outcome::Won);
}
