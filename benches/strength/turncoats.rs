//! The cost of a wrong memory of an opponent.

use std::io::{self, Write};

use battleship::seeded::SeededRng;
use battleship::{Board, Game};
use battleship_bots::{Memory, Shooter, Thinking, random_fleet};

use crate::games::bot;
use crate::sample::{Sample, on_all_cores};

const SERIES: u64 = 40;
/// Games of a series in which the opponent places in its own way; in as many after them it places at random.
const GAMES: u64 = 10;

/// Returns the number of attacks that a player who remembers the opponent needs more than a stranger, in each of its random
/// games.
fn cost(kind: &str, series: u64) -> Vec<f64> {
    let game = Game::standard();
    let mut rng = SeededRng::in_domain(series, 13);
    let mut memory = Memory::default();
    let mut costs = Vec::new();
    for number in 0..2 * GAMES {
        let seed = series * 1000 + number;
        let mut board = Board::new(&game);
        if number < GAMES && kind != "random" {
            let mut bot = bot(kind);
            bot.new_game(&game, seed);
            assert!(bot.place_ships(&mut board));
        } else {
            assert!(random_fleet(&mut board, &mut rng));
            let attacks = |mut shooter: Shooter| {
                let (mut board, mut attacks) = (board.clone(), 0);
                while !board.all_ships_destroyed() {
                    let at = shooter.target().expect("there are ships left");
                    shooter.record(at, board.attack(at).into());
                    attacks += 1;
                }
                f64::from(attacks)
            };
            let thinking = Thinking::default().greedy();
            let remembers = Shooter::at(&game, &mut memory, thinking, seed);
            costs.push(
                attacks(remembers) - attacks(Shooter::at_random_fleets(&game, thinking, seed)),
            );
        }
        memory.see(&board);
    }
    costs
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "attacks more on random fleets by one who remembers {GAMES} games of another kind, than by one who takes all \
         fleets to be random (greedy, {SERIES} series)"
    )?;
    for kind in ["random", "mediocre", "awful"] {
        let costs = on_all_cores((0..SERIES).collect(), |series| cost(kind, series));
        writeln!(
            out,
            "  after {kind:<10} {}",
            Sample::of(costs.into_iter().flatten())
        )?;
    }
    Ok(())
}
