//! A script, for tests in which the strength of a player is not the point.

use clap::Args;

use super::{Game, Player, below, hash};

#[derive(Debug, Args)]
pub(super) struct Script {
    /// Draw orders from the system, so that the same seed gives another game
    #[arg(long)]
    moody: bool,
    /// The answer to place
    placement: String,
    /// The answers to attack or act in turn, the last one for ever; without any it draws them from
    /// the seed
    orders: Vec<String>,
    /// The place of the first submarine in the twist game
    #[arg(skip)]
    submarine: String,
}

impl Player for Script {
    fn hear(&mut self, game: &mut Game, words: &[&str]) {
        game.hear(words);
        match words {
            ["game", ..] => self.submarine = String::from("6 0"),
            ["seed", _] if self.moody => game.seed = below(1 << 32),
            // The order moved the submarine, which is ordered by its place.
            ["result", _, _, row, col, "found", ..] => self.submarine = format!("{row} {col}"),
            _ => {}
        }
    }

    fn greet(&self) -> String {
        "plays classic twist\nready".to_owned()
    }

    fn place(&self, _: &Game) -> String {
        self.placement.clone()
    }

    fn turn(&mut self, game: &mut Game, words: &[&str]) -> String {
        game.shots += 1;
        if let Some(last) = self.orders.last() {
            return self.orders.get(game.shots - 1).unwrap_or(last).clone();
        }
        let number = |which: u8, end: u64| hash((game.seed, game.shots, which)) % end;
        let (row, col) = (number(0, 9), number(1, 9));
        match number(2, 8) {
            _ if words[0] == "attack" => format!("attack {row} {col}"),
            battleship @ 0..5 => format!("act {} 2 {row} {col}", battleship % 3),
            // A support ship repairs where it is.
            5 => "act 4 1 4 1".to_owned(),
            _ => format!("act {} {row} {col}", self.submarine),
        }
    }
}
