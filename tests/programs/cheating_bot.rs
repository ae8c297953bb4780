//! A bot that knows the program of its opponent and has read the referee's source. It takes the seed that it received
//! in the game before for its opponent's in this game, runs the opponent's program with it, and attacks the ships where
//! that program places them. The tests look whether it gains by that.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use clap::Parser;

/// Attacks the ships that a program places with the seed of the game before.
#[derive(Debug, Parser)]
struct Flags {
    /// The referee's executable
    referee: String,
    /// The shipped player that is the opponent
    opponent: String,
}

fn main() -> io::Result<()> {
    let flags = Flags::parse();
    let (mut announced, mut lengths, mut last_seed) = (Vec::new(), Vec::new(), None);
    let mut cells: Vec<[usize; 2]> = Vec::new();
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "battleship" => say("name Cheat\nready")?,
            "game" => (announced, lengths) = (vec![line.clone()], Vec::new()),
            "ship" => {
                announced.push(line.clone());
                lengths.push(words[2].parse().expect("a length"));
            }
            "seed" => {
                let guess = match last_seed.replace(words[1].to_owned()) {
                    Some(seed) => placement(&flags, &announced, &lengths, &seed)?,
                    None => Vec::new(),
                };
                let rest = (0..100).map(|cell| [cell / 10, cell % 10]);
                let rest: Vec<_> = rest.filter(|cell| !guess.contains(cell)).collect();
                cells = guess.into_iter().chain(rest).rev().collect();
            }
            "place" => say("place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h")?,
            "attack" => {
                let [row, col] = cells.pop().expect("a game ends before its cells do");
                say(&format!("attack {row} {col}"))?;
            }
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

/// Returns the cells on which the opponent's program places its ships, with `seed`.
fn placement(
    flags: &Flags,
    announced: &[String],
    lengths: &[usize],
    seed: &str,
) -> io::Result<Vec<[usize; 2]>> {
    let mut bot = Command::new(&flags.referee)
        .args(["bot", &flags.opponent])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let announced = announced.join("\n");
    let said = format!("battleship 1\n{announced}\nseed {seed}\nplace\nquit\n");
    bot.stdin
        .take()
        .expect("piped")
        .write_all(said.as_bytes())?;
    let out = BufReader::new(bot.stdout.take().expect("piped"));
    let reply = out
        .lines()
        .map_while(Result::ok)
        .find(|line| line.starts_with("place "));
    bot.wait()?;
    let reply = reply.expect("a placement");
    let words: Vec<&str> = reply.split(' ').skip(1).collect();
    let ships = words.chunks(3).zip(lengths);
    Ok(ships
        .flat_map(|(ship, length)| {
            let [row, col] = [0, 1].map(|at| ship[at].parse::<usize>().expect("a number"));
            let across = ship[2] == "h";
            (0..*length).map(move |k| {
                if across {
                    [row, col + k]
                } else {
                    [row + k, col]
                }
            })
        })
        .collect())
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}
