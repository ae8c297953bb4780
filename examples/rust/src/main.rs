//! Speaks the protocol for the strategy in strategy.rs. Nothing to change here.

mod strategy;
#[cfg(test)]
mod tests;

use strategy::{Strategy, NAME};

fn number(word: &str) -> i32 {
    word.parse().expect("a number")
}

fn main() {
    let mut strategy = Strategy::default();
    let (mut rows, mut cols, mut seed, mut apart) = (0, 0, 0, false);
    let mut lengths = Vec::new();
    for line in std::io::stdin().lines() {
        let line = line.expect("a line of text");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["battleship", ..] => println!("name {NAME}\nplays classic salvo apart\nready"), // println! flushes
            ["game", _, r, c, ..] => {
                (rows, cols, apart) = (number(r), number(c), false);
                lengths.clear();
            }
            ["ship", _, length, ..] => lengths.push(number(length)),
            ["rule", "apart", ..] => apart = true,
            ["seed", word, ..] => seed = number(word),
            ["place", ..] => {
                strategy.new_game(rows, cols, &lengths, seed, apart);
                match strategy.place() {
                    None => println!("place none"),
                    Some(places) => {
                        let words = places
                            .iter()
                            .map(|((r, c), direction)| format!(" {r} {c} {direction}"));
                        println!("place{}", words.collect::<String>());
                    }
                }
            }
            ["attack", ..] => {
                let (row, col) = strategy.attack();
                println!("attack {row} {col}");
            }
            ["salvo", shots, ..] => {
                let cells = strategy.salvo(number(shots) as usize);
                let words = cells.iter().map(|(row, col)| format!(" {row} {col}"));
                println!("salvo{}", words.collect::<String>());
            }
            ["result", row, col, what, ..] => {
                let ship = (what == "sunk").then(|| number(words[4]));
                strategy.result((number(row), number(col)), what, ship);
            }
            ["opponent", row, col, ..] => strategy.opponent((number(row), number(col))),
            ["quit", ..] => break,
            _ => {} // later versions of the protocol may say more
        }
    }
}
