//! The gain of an opponent that learns how `good` places, over many games.

use std::io::{self, Write};

use battleship::{Board, Bot, Game, Outcome, Point};
use battleship_bots::{Good, Memory, Shooter, Thinking};

use crate::sample::{Sample, on_all_cores};

/// Games that it only learns from, and games after them that count, in each of several long series.
const LEARNED: usize = 1_000;
const COUNTED: usize = 250;
const SERIES: u64 = 4;

/// One long series: the learner attacks by the exact count, each place weighed by how often it has seen ships of good
/// there; good hears of its attacks, as in games. Returns the attacks that the learner needed in the games that count, and
/// those of one on the same fleets who learned nothing.
fn series(seed: u64) -> Vec<(f64, f64)> {
    let game = Game::standard();
    let mut seen = Memory::default();
    let thinking = Thinking::default().greedy();
    let mut good = Good::new(thinking);
    let mut counted = Vec::new();
    for number in 0..LEARNED + COUNTED {
        let seed = seed << 32 | u64::try_from(number).expect("a small number");
        good.new_game(&game, seed);
        let mut board = Board::new(&game);
        assert!(good.place_ships(&mut board));
        let sink = |shooter: &mut Shooter, hear: &mut dyn FnMut(Point)| {
            let (mut board, mut attacks) = (board.clone(), 0);
            while !board.all_ships_destroyed() {
                let at = shooter.target().expect("there are ships left");
                hear(at);
                shooter.record(at, board.attack(at).into());
                attacks += 1;
            }
            f64::from(attacks)
        };
        // While it learns, only one game in ten is played to the end; of the others the fleet is shown.
        if number >= LEARNED || number % 10 == 0 {
            let mut learner = Shooter::at(&game, &mut seen, thinking, seed);
            let attacks = sink(&mut learner, &mut |at| good.opponent_attacked(at));
            if number >= LEARNED {
                let mut stranger = Shooter::at_random_fleets(&game, thinking, seed);
                counted.push((attacks, sink(&mut stranger, &mut |_| {})));
            }
        }
        seen.see(&board);
        good.game_over(Outcome::Lost);
    }
    counted
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let games: Vec<(f64, f64)> = on_all_cores((0..SERIES).collect(), series)
        .into_iter()
        .flatten()
        .collect();
    let (learned, stranger): (Vec<f64>, Vec<f64>) = games.into_iter().unzip();
    writeln!(
        out,
        "attacks on good's fleets, greedy by the exact count ({} games, {LEARNED} games learned from)\n  \
         of one who has learned its frequencies {}, of one who takes fleets to be random {}",
        learned.len(),
        Sample::of(learned.iter().copied()),
        Sample::of(stranger)
    )
}
