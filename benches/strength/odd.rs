//! Games of all sizes and fleets.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use battleship::seeded::SeededRng;
use battleship::{Board, Bot, Game};
use battleship_bots::{Good, random_fleet};

use crate::sample::on_all_cores;

const GAMES: u64 = 500;

/// A game with 1 to 20 ships on a board of 1x1 to 10x10.
fn random_game(rng: &mut SeededRng) -> Game {
    let mut up_to = |most: i32| {
        let bound = usize::try_from(most).expect("sizes and lengths are positive");
        1 + i32::try_from(rng.below(bound)).expect("below an i32")
    };
    let (rows, cols) = (up_to(10), up_to(10));
    let mut game = Game::new(rows, cols).expect("the size is within the limits");
    let ships = up_to(20);
    for (symbol, _) in ('a'..='z').filter(|symbol| *symbol != 'o').zip(0..ships) {
        let most = up_to(rows.max(cols).min(6));
        let length = up_to(most);
        game.add_ship(length, symbol, "ship")
            .expect("it fits the board");
    }
    game
}

struct Outcome {
    longest: Duration,
    /// Whether it found a place for its own ships.
    placed: bool,
}

/// Sinks a random fleet; `None` if none is found. No attack may be wasted.
fn play(game: &Game, seed: u64, rng: &mut SeededRng) -> Option<Outcome> {
    let mut board = Board::new(game);
    if !random_fleet(&mut board, rng) {
        return None;
    }
    let mut longest = Duration::ZERO;
    let mut note = |start: Instant| longest = longest.max(start.elapsed());
    let start = Instant::now();
    let mut good = Good::default();
    good.new_game(game, seed);
    let placed = good.place_ships(&mut Board::new(game));
    note(start);
    while !board.all_ships_destroyed() {
        let start = Instant::now();
        let at = good.attack();
        note(start);
        let result = board.attack(at);
        good.attack_result(at, result.expect("an attack is never wasted").into());
    }
    Some(Outcome { longest, placed })
}

/// The first game of that seed for which a fleet is found.
fn play_one(seed: u64) -> Outcome {
    let mut rng = SeededRng::in_domain(seed, 11);
    loop {
        let game = random_game(&mut rng);
        if let Some(outcome) = play(&game, seed, &mut rng) {
            return outcome;
        }
    }
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let outcomes = on_all_cores((0..GAMES).collect(), play_one);
    let longest = outcomes
        .iter()
        .map(|outcome| outcome.longest)
        .max()
        .unwrap_or_default();
    let placed = outcomes.iter().filter(|outcome| outcome.placed).count();
    writeln!(
        out,
        "{GAMES} games of 1 to 20 ships on 1x1 to 10x10: no attack wasted, longest reply {longest:.1?}, own ships \
         placed in {placed}"
    )
}
