//! The number of attacks that shooters need for the fleets of `good`, compared with random ones.

use battleship::{Board, Bot, Game, Outcome};
use bots::{Good, Thinking};

use crate::counter::COUNTERS;
use crate::games::{SERIES, attacks_on, bot, random_board};
use crate::sample::{Sample, on_all_cores};
use crate::{is_wanted, option};

/// The attacks of a shooter of that kind in a series of games on random fleets, or on those of
/// good.
fn play_series(kind: &str, by_good: bool, series: u64) -> Vec<f64> {
    let game = Game::standard();
    let mut good = Good::new(Thinking::default().greedy());
    let mut shooter = bot(kind);
    let play = |seed: u64| {
        good.new_game(&game, seed);
        let mut board = random_board(&game, seed);
        if by_good {
            board = Board::new(&game);
            assert!(good.place_ships(&mut board));
        }
        shooter.new_game(&game, seed + (1 << 40));
        while !board.all_ships_destroyed() {
            let at = shooter.attack();
            if game.cells().contains(at) && !board.attacked().contains(at) {
                good.opponent_attacked(at);
            }
            shooter.attack_result(at, board.attack(at));
        }
        shooter.game_over(Outcome::Won);
        good.game_over(Outcome::Lost);
        attacks_on(&board)
    };
    (series * SERIES..(series + 1) * SERIES).map(play).collect()
}

pub(crate) fn print() {
    let series = option("series", 50);
    println!(
        "attacks for random fleets, and for good's in games 1 to 5, 6 to 15, and 16 to 20 of a series ({series} series)"
    );
    let counters = COUNTERS.iter().map(|(name, _)| *name);
    for kind in ["awful", "mediocre", "parity"].into_iter().chain(counters) {
        if !is_wanted(kind) {
            continue;
        }
        let [random, first, middle, last] =
            [(false, 0..20), (true, 0..5), (true, 5..15), (true, 15..20)].map(|(by_good, part)| {
                // The errors are by series.
                Sample::of(on_all_cores(series, |number| {
                    let attacks = play_series(kind, by_good, number);
                    Sample::of(attacks[part.clone()].iter().copied()).mean
                }))
            });
        println!("  {kind:<12} {random} {first} {middle} {last}");
    }
}
