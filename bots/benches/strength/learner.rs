//! The gain of an opponent that learns how `good` places, over many games.

use battleship::{Board, Bot, Game, Outcome, Point};
use bots::{Good, Memory, Shooter, Thinking};

use crate::option;
use crate::sample::{Sample, on_all_cores};

/// Of five games it learns from four; those after them count.
const LEARNED: u64 = 1_000;

/// One long series: the learner weighs each place by how often it has seen ships of good there;
/// good hears of its attacks, as in games. Returns the attacks that the learner needed in the games
/// that count, and those of one on the same fleets who learned nothing.
fn series(seed: u64, learned: u64) -> Vec<(f64, f64)> {
    let game = Game::standard();
    let mut seen = Memory::default();
    let thinking = Thinking::default().greedy();
    let mut good = Good::new(thinking);
    let mut counted = Vec::new();
    for number in 0..learned + learned / 4 {
        let seed = seed << 32 | number;
        good.new_game(&game, seed);
        let mut board = Board::new(&game);
        assert!(good.place_ships(&mut board));
        let sink = |shooter: &mut Shooter, hear: &mut dyn FnMut(Point)| {
            let (mut board, mut attacks) = (board.clone(), 0);
            while !board.all_ships_destroyed() {
                let at = shooter.target().expect("there are ships left");
                hear(at);
                shooter.record(at, board.attack(at));
                attacks += 1;
            }
            f64::from(attacks)
        };
        // While it learns, only one game in ten is played to the end; of the others the fleet is
        // shown.
        if number >= learned || number % 10 == 0 {
            let mut learner = Shooter::at(&game, &mut seen, thinking, seed);
            let attacks = sink(&mut learner, &mut |at| good.opponent_attacked(at));
            if number >= learned {
                let mut stranger = Shooter::at_random_fleets(&game, thinking, seed);
                counted.push((attacks, sink(&mut stranger, &mut |_| {})));
            }
        }
        seen.see(&board);
        good.game_over(Outcome::Lost);
    }
    counted
}

pub(crate) fn print() {
    let learned = option("games", LEARNED);
    let games = on_all_cores(4, |seed| series(seed, learned)).concat();
    let (learner, stranger): (Vec<f64>, Vec<f64>) = games.into_iter().unzip();
    println!(
        "attacks on good's fleets after {learned} games ({} games)\n  \
         of one who has learned its frequencies {}, of one who takes fleets to be random {}",
        learner.len(),
        Sample::of(learner.iter().copied()),
        Sample::of(stranger)
    );
}
