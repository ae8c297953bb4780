//! A bot that leaves to chance what its flags say, and takes the chance from the operating system, so that no seed
//! repeats it. The tests look whether the referee's check judges such bots the same each time.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::time::Duration;

use clap::Parser;

/// Plays cell by cell, but for what its flags say.
#[derive(Debug, Parser)]
struct Flags {
    /// Cannot place its ships once in this many times; 0 for never
    #[arg(long, default_value_t = 0)]
    gives_up: u64,
    /// Attacks any cell from -2 to 11 once in this many times; 0 for never
    #[arg(long, default_value_t = 0)]
    wastes: u64,
    /// Attacks a random cell of the board, tried or not
    #[arg(long)]
    random: bool,
    /// Attacks the cells in a random order
    #[arg(long)]
    shuffles: bool,
    /// Is a column too far in odd rows of even columns, where it goes diagonally
    #[arg(long)]
    slips: bool,
    /// Forgets once in this many games which cells it has tried at their beginning; 0 for never
    #[arg(long, default_value_t = 0)]
    forgets: u64,
    /// Fails if it hears that an attack was wasted on a cell that it attacks for the first time
    #[arg(long)]
    objects: bool,
    /// Thinks for this many milliseconds at most
    #[arg(long, default_value_t = 0)]
    slow: u64,
}

/// A random number below `bound`.
fn below(bound: u64) -> u64 {
    RandomState::new().build_hasher().finish() % bound
}

/// Whether something happens that happens once in this many times.
fn once_in(times: u64) -> bool {
    times > 0 && below(times) == 0
}

/// The board and the ships of a game.
#[derive(Debug, Default)]
struct Sea {
    rows: i32,
    cols: i32,
    ships: Vec<i32>,
    /// The cells that are not tried yet, the next one last.
    untried: Vec<(i32, i32)>,
    tried: Vec<(i32, i32)>,
}

fn main() -> io::Result<()> {
    let flags = Flags::parse();
    let mut sea = Sea::default();
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let number = |place: usize| words[place].parse::<i32>().expect("a number");
        match words.first().copied().unwrap_or_default() {
            "battleship" => say("ready")?,
            "game" => sea = begin(&flags, number(2), number(3)),
            "ship" => sea.ships.push(number(2)),
            "place" => say(&place(&flags, &sea))?,
            "attack" => {
                let (row, col) = attack(&flags, &mut sea);
                sea.tried.push((row, col));
                say(&format!("attack {row} {col}"))?;
            }
            "result" if flags.objects && words.get(3) == Some(&"wasted") => {
                let at = (number(1), number(2));
                let times = sea.tried.iter().filter(|tried| **tried == at).count();
                assert!(
                    times > 1 || !(0..sea.rows).contains(&at.0),
                    "{line} is not true"
                );
            }
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn begin(flags: &Flags, rows: i32, cols: i32) -> Sea {
    let mut untried: Vec<_> = (0..rows)
        .flat_map(|row| (0..cols).map(move |col| (row, col)))
        .rev()
        .collect();
    if flags.shuffles {
        untried.sort_by_cached_key(|_| below(1 << 32));
    }
    if once_in(flags.forgets) {
        untried.extend_from_within(untried.len().saturating_sub(3)..);
    }
    Sea {
        rows,
        cols,
        ships: Vec::new(),
        untried,
        tried: Vec::new(),
    }
}

/// One ship below the other; upright, if the board is too narrow for that.
fn place(flags: &Flags, sea: &Sea) -> String {
    let count = i32::try_from(sea.ships.len()).expect("few ships");
    let longest = sea.ships.iter().copied().max().unwrap_or_default();
    if once_in(flags.gives_up) {
        return "place none".to_owned();
    }
    if count <= sea.rows && longest <= sea.cols {
        return (0..count).fold("place".to_owned(), |line, row| format!("{line} {row} 0 h"));
    }
    if count <= sea.cols && longest <= sea.rows {
        return (0..count).fold("place".to_owned(), |line, col| format!("{line} 0 {col} v"));
    }
    "place none".to_owned()
}

fn attack(flags: &Flags, sea: &mut Sea) -> (i32, i32) {
    std::thread::sleep(Duration::from_millis(below(flags.slow + 1)));
    let random = |from: i32, to: i32| {
        let width = u64::try_from(to - from).expect("from is below to");
        from + i32::try_from(below(width)).expect("a small number")
    };
    if once_in(flags.wastes) {
        return (random(-2, 12), random(-2, 12));
    }
    if flags.random {
        return (random(0, sea.rows), random(0, sea.cols));
    }
    let (row, col) = sea.untried.pop().unwrap_or_default();
    // On the usual board, ten columns wide, the slip stays on the board.
    if flags.slips && row % 2 == 1 && col % 2 == 0 && !sea.tried.contains(&(row, col + 1)) {
        sea.untried.insert(0, (row, col));
        return (row, col + 1);
    }
    (row, col)
}
