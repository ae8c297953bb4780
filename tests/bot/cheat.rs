//! A bot that knows the program of its opponent and has read the referee's source. It takes the
//! seed that it received in the game before for its opponent's in this game, runs the opponent's
//! program with it, and attacks the ships where that program places them. The tests look whether it
//! gains by that.

use std::process::Command;

use clap::Args;

use super::{Cell, Game, Player, cells};

#[derive(Debug, Args)]
pub(super) struct Cheat {
    /// The command that runs its opponent's program
    opponent: String,
    #[arg(skip)]
    announced: String,
    #[arg(skip)]
    last_seed: Option<String>,
    /// The cells to attack, the next one last
    #[arg(skip)]
    cells: Vec<Cell>,
}

impl Player for Cheat {
    fn hear(&mut self, game: &mut Game, words: &[&str]) {
        game.hear(words);
        let line = words.join(" ");
        match words[0] {
            "game" => self.announced = line,
            "ship" => self.announced = format!("{}\n{line}", self.announced),
            "seed" => {
                self.cells = (0..100).rev().map(|number| game.cell(number)).collect();
                if let Some(seed) = self.last_seed.replace(line) {
                    let guess = self.placement(game, &seed);
                    self.cells.retain(|cell| !guess.contains(cell));
                    self.cells.extend(guess.iter().rev());
                }
            }
            _ => {}
        }
    }

    fn turn(&mut self, _: &mut Game, _: &[&str]) -> String {
        let (row, col) = self.cells.pop().expect("a game ends before its cells do");
        format!("attack {row} {col}")
    }
}

impl Cheat {
    /// Returns the cells on which the opponent's program places its ships, with this seed.
    fn placement(&self, game: &Game, seed: &str) -> Vec<Cell> {
        let lines = format!("battleship 1\n{}\n{seed}\nplace\nquit", self.announced);
        let run = format!("echo '{lines}' | {}", self.opponent);
        let output = Command::new("sh").args(["-c", &run]).output();
        let said = String::from_utf8(output.expect("a shell").stdout).expect("text");
        let (_, reply) = said.split_once("place ").expect("a placement");
        let words: Vec<_> = reply.split_whitespace().collect();
        words
            .chunks(3)
            .zip(&game.ships)
            .flat_map(|(place, length)| {
                let [row, col] = [0, 1].map(|at| place[at].parse().expect("a number"));
                cells(((row, col), place[2] == "h"), *length)
            })
            .collect()
    }
}
