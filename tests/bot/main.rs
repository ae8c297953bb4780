//! The bot of the tests. Its first word says what kind of a bot it is; else it plays cell by cell.

mod act;
mod chance;
mod cheat;
mod fault;
mod script;
mod tune;

use std::ffi::OsString;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, RandomState};
use std::io::{self, Write};
use std::process::{Command, exit};
use std::time::Duration;

use clap::Parser;

#[derive(Debug, Parser)]
enum Kind {
    /// Plays legally until the moment that the flags name, and then misbehaves as they say
    Act(act::Act),
    /// Has one fault of those that beginners' bots have, and no other
    Fault(fault::Fault),
    /// Leaves to chance what its flags say, and takes the chance from the system, so that no seed
    /// repeats it
    Chance(chance::Chance),
    /// Places and orders as its arguments say, at once
    Script(script::Script),
    /// Plays as long as its numbers are good
    Tune(tune::Tune),
    /// Attacks the ships that its opponent's program places with the seed of the game before
    Cheat(cheat::Cheat),
    /// Runs a command as on a kernel without Landlock
    WithoutLandlock {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
    /// Stays for a minute
    Stay,
}

/// A row and a column.
type Cell = (usize, usize);

/// The first cell of a ship, and whether the ship lies across.
type Place = (Cell, bool);

/// A game as the referee announces it.
#[derive(Debug, Default)]
struct Game {
    rows: usize,
    cols: usize,
    ships: Vec<usize>,
    seed: usize,
    shots: usize,
}

impl Game {
    fn hear(&mut self, words: &[&str]) {
        let number = |place: usize| words[place].parse().expect("a number");
        match words[0] {
            "game" => {
                *self = Game {
                    rows: number(2),
                    cols: number(3),
                    ..Game::default()
                }
            }
            "ship" => self.ships.push(number(2)),
            "seed" => self.seed = number(1),
            _ => {}
        }
    }

    /// Returns the next cell, row by row.
    fn next_cell(&mut self) -> Cell {
        self.shots += 1;
        self.cell(self.shots - 1)
    }

    fn cell(&self, number: usize) -> Cell {
        (number / self.cols % self.rows, number % self.cols)
    }

    /// Places each ship in a row of its own, at the left, or else in the first way that fits.
    fn placement(&self) -> Vec<Place> {
        let mut places = Vec::new();
        self.search(&mut places, &mut Vec::new());
        places
    }

    fn search(&self, places: &mut Vec<Place>, taken: &mut Vec<Cell>) -> bool {
        let Some(&length) = self.ships.get(places.len()) else {
            return true;
        };
        for across in [true, false] {
            for start in 0..self.rows * self.cols {
                let place = ((start % self.rows, start / self.rows), across);
                let cells: Vec<_> = cells(place, length).collect();
                let (row, col) = cells[length - 1];
                if row >= self.rows
                    || col >= self.cols
                    || cells.iter().any(|cell| taken.contains(cell))
                {
                    continue;
                }
                places.push(place);
                taken.extend(cells);
                if self.search(places, taken) {
                    return true;
                }
                places.pop();
                taken.truncate(taken.len() - length);
            }
        }
        false
    }

    fn place_line(&self, places: &[Place]) -> String {
        if places.len() < self.ships.len() {
            return "place none".to_owned();
        }
        let places = places.iter().map(|((row, col), across)| {
            let direction = if *across { 'h' } else { 'v' };
            format!(" {row} {col} {direction}")
        });
        "place".to_owned() + &places.collect::<String>()
    }
}

/// Returns the cells of a ship.
fn cells(((row, col), across): Place, length: usize) -> impl Iterator<Item = Cell> {
    (0..length).map(move |step| {
        if across {
            (row, col + step)
        } else {
            (row + step, col)
        }
    })
}

/// The places where a bot may differ from one that plays cell by cell.
trait Player {
    /// Runs before it reads anything.
    fn start(&mut self) {}

    /// Runs when its input has ended.
    fn end(&self) {}

    /// Letters that end a line.
    fn line_end(&self) -> &[char] {
        &['\r', '\n']
    }

    /// Takes in a line of the referee.
    fn hear(&mut self, game: &mut Game, words: &[&str]) {
        game.hear(words);
    }

    fn greet(&self) -> String {
        "ready".to_owned()
    }

    fn place(&self, game: &Game) -> String {
        game.place_line(&game.placement())
    }

    fn turn(&mut self, game: &mut Game, words: &[&str]) -> String {
        let shots = match words {
            ["salvo", shots] => shots.parse().unwrap_or(0),
            _ => 1,
        };
        let cells = (0..shots).map(|_| {
            let (row, col) = game.next_cell();
            format!(" {row} {col}")
        });
        words[0].to_owned() + &cells.collect::<String>()
    }

    /// Answers a line, if it asks for a reply; returns whether the bot leaves.
    fn answer(&mut self, words: &[&str], reply: &str) -> bool {
        answer(words, reply)
    }
}

fn answer(words: &[&str], reply: &str) -> bool {
    if !reply.is_empty() {
        say(format!("{reply}\n"));
    }
    words[0] == "quit"
}

fn main() {
    match Kind::parse() {
        Kind::Act(mut act) => play(&mut act),
        Kind::Fault(mut fault) => play(&mut fault),
        Kind::Chance(mut chance) => play(&mut chance),
        Kind::Script(mut script) => play(&mut script),
        Kind::Tune(mut tune) => play(&mut tune),
        Kind::Cheat(mut cheat) => play(&mut cheat),
        Kind::WithoutLandlock { command } => without_landlock(&command),
        Kind::Stay => stay(),
    }
}

fn play(player: &mut dyn Player) {
    player.start();
    let mut game = Game::default();
    let mut line = String::new();
    // Not by an iterator, which would keep the input to itself while a deed wants to read it.
    while io::stdin().read_line(&mut line).expect("text") > 0 {
        let words: Vec<_> = line
            .trim_end_matches(player.line_end())
            .split(' ')
            .collect();
        player.hear(&mut game, &words);
        let reply = match words[0] {
            "battleship" => player.greet(),
            "place" => player.place(&game),
            "attack" | "salvo" | "act" => player.turn(&mut game, &words),
            _ => String::new(),
        };
        if player.answer(&words, &reply) {
            return;
        }
        line.clear();
    }
    player.end();
}

fn say(text: impl AsRef<[u8]>) {
    write(io::stdout(), text);
}

fn write(mut out: impl Write, text: impl AsRef<[u8]>) {
    out.write_all(text.as_ref())
        .and_then(|()| out.flush())
        .expect("the referee reads");
}

/// Returns a random number below `bound`.
fn below(bound: usize) -> usize {
    let random = RandomState::new().hash_one(());
    usize::try_from(random >> 1).expect("a number of 63 bits") % bound
}

fn hash(of: impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(of)
}

/// Ends in a minute, even if the referee fails to end it.
fn end_in_time() {
    std::thread::spawn(|| stay());
}

fn stay() -> ! {
    std::thread::sleep(Duration::from_secs(60));
    exit(3)
}

/// Leaves a child behind, which holds the pipes open and ends by itself if the referee fails to end
/// it.
fn leave_child() {
    let program = std::env::current_exe().expect("a path");
    drop(Command::new(program).arg("stay").spawn());
}

#[cfg(target_os = "linux")]
fn without_landlock(command: &[OsString]) {
    use std::os::unix::process::CommandExt;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

    // No rule: the call itself is what is refused.
    let calls = [(libc::SYS_landlock_create_ruleset, Vec::new())].into();
    let arch = std::env::consts::ARCH.try_into().expect("known");
    // The error of a kernel that was built with Landlock and booted without it.
    let refused = SeccompAction::Errno(u32::try_from(libc::EOPNOTSUPP).expect("a small number"));
    let filter = SeccompFilter::new(calls, SeccompAction::Allow, refused, arch)
        .and_then(BpfProgram::try_from)
        .expect("a filter of one call");
    apply_filter(&filter).expect("seccomp");
    let error = Command::new(&command[0]).args(&command[1..]).exec();
    panic!("{error}");
}

#[cfg(not(target_os = "linux"))]
fn without_landlock(_: &[OsString]) {}
