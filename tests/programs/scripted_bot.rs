//! A bot that plays by a script: its arguments are its placement and its orders; without orders it draws them from the
//! seed. It answers at once, so tests use it where the strength of a player is not the point.

use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Parser;

/// Plays by a script.
#[derive(Debug, Parser)]
struct Script {
    /// Draw orders from the clock, so that the same seed gives another game
    #[arg(long)]
    moody: bool,
    /// The answer to place
    placement: String,
    /// The answers to attack or act in turn, the last one for ever; without any it draws them from the seed
    orders: Vec<String>,
}

fn main() -> io::Result<()> {
    let script = Script::parse();
    let mut game = Game::new(0);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match words[0] {
            "battleship" => "plays classic twist\nready".to_owned(),
            "seed" => {
                let seed = if script.moody {
                    clock()
                } else {
                    words[1].parse().unwrap_or(0)
                };
                game = Game::new(seed);
                continue;
            }
            "place" => script.placement.clone(),
            "attack" | "act" => game.order(&script.orders, words[0] == "act"),
            // The order moved the submarine, which is ordered by its place.
            "result" if words.get(5) == Some(&"found") => {
                game.submarine = words[3..5].join(" ");
                continue;
            }
            "quit" => break,
            _ => continue,
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

struct Game {
    random: u64,
    turn: usize,
    /// The place of the first submarine in the twist game.
    submarine: String,
}

impl Game {
    fn new(seed: u64) -> Game {
        Game {
            random: seed,
            turn: 0,
            submarine: "6 0".to_owned(),
        }
    }

    fn order(&mut self, orders: &[String], is_twist: bool) -> String {
        if let Some(last) = orders.len().checked_sub(1) {
            let order = orders[self.turn.min(last)].clone();
            self.turn += 1;
            return order;
        }
        if !is_twist {
            return format!("attack {} {}", self.below(10), self.below(10));
        }
        match self.below(8) {
            battleship @ 0..5 => {
                format!(
                    "act {} 2 {} {}",
                    battleship % 3,
                    self.below(9),
                    self.below(9)
                )
            }
            // A support ship repairs where it is.
            5 => "act 4 1 4 1".to_owned(),
            _ => {
                let (row, column) = (self.below(9), self.below(9));
                format!("act {} {row} {column}", self.submarine)
            }
        }
    }

    /// Returns a number below `end`, by `SplitMix64` (Steele, Lea and Flood, 2014).
    fn below(&mut self, end: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

fn clock() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}
