//! A bot with the fault that its flag names, one of those that beginners' bots have, and no other. The tests look
//! whether the referee's check finds it.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a fault changes one place, and leaves all others"
)]

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::process::{Command, exit};
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Plays cell by cell, with one fault.
#[derive(Debug, Parser)]
struct Flags {
    #[arg(long, value_enum, default_value = "none")]
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Fault {
    /// Plays well
    None,
    /// Keeps its output in a buffer until it leaves
    NoFlush,
    /// Says `fire` for `attack`
    WrongWord,
    /// Names columns before rows
    Swapped,
    /// The same, in its attacks only
    SwappedAttacks,
    /// Counts from 1
    OffByOne,
    /// Places every ship on the same cell
    Overlaps,
    /// Places its last ship beyond the edge, with one seed of four on the usual board
    OutsideAtTimes,
    /// Attacks every cell twice
    Repeats,
    /// Attacks the same cell for ever
    Stuck,
    /// Ignores its seed
    Random,
    /// Takes every game for the first one
    IgnoresGame,
    /// Continues in a game where it stopped in the last
    KeepsShots,
    /// Leaves when a second game begins
    DiesAtSecondGame,
    /// Says every reply twice
    AnswersTwice,
    /// Attacks twice when it is asked once
    AttacksTwice,
    /// Says hello before it is asked
    Banner,
    /// Says ok to every result
    Chatty,
    /// Ends its lines with a carriage return and a line feed
    SaysCrlf,
    /// Does not expect a carriage return
    ChokesOnCrlf,
    /// Takes its time before it reads anything
    SlowStart,
    /// Continues at `quit`
    IgnoresQuit,
    /// Continues when its input has ended
    IgnoresEndOfInput,
    /// Leaves a program behind
    LeavesChild,
    /// Fails at a word that it does not know
    CrashesOnUnknown,
    /// Fails at the line with its time limit
    CrashesOnLimit,
    /// Says what? to a word that it does not know
    AsksBack,
    /// Does not know a request that has another word behind it
    CountsWords,
    /// Cannot place its ships, or so it says
    PlacesNone,
    /// Says nothing but prints for ever
    Floods,
}

fn main() -> io::Result<()> {
    let fault = Flags::parse().fault;
    // It ends even if the referee fails to end it.
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(60));
        exit(3)
    });
    let mut bot = Bot {
        fault,
        out: BufWriter::new(io::stdout()),
        games: 0,
        sea: Sea::default(),
    };
    match fault {
        Fault::SlowStart => std::thread::sleep(Duration::from_millis(1500)),
        Fault::Banner => bot.say("Welcome to my bot!")?,
        Fault::LeavesChild => drop(Command::new("sleep").arg("30").spawn()?),
        Fault::Floods => loop {
            bot.say("thinking")?;
        },
        _ => {}
    }
    let mut line = String::new();
    while io::stdin().read_line(&mut line)? > 0 {
        let end = if fault == Fault::ChokesOnCrlf {
            "\n"
        } else {
            "\r\n"
        };
        let text = line
            .trim_end_matches(|letter| end.contains(letter))
            .to_owned();
        line.clear();
        if bot.hear(&text)? {
            return bot.out.flush();
        }
    }
    if fault == Fault::IgnoresEndOfInput {
        std::thread::sleep(Duration::from_secs(60));
    }
    bot.out.flush()
}

/// The board and the ships of a game.
#[derive(Debug, Default)]
struct Sea {
    rows: usize,
    cols: usize,
    ships: Vec<usize>,
    shots: usize,
    seed: usize,
}

struct Bot {
    fault: Fault,
    out: BufWriter<io::Stdout>,
    games: u32,
    sea: Sea,
}

impl Bot {
    /// Whether it is time to leave.
    fn hear(&mut self, line: &str) -> io::Result<bool> {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |place: usize| words[place].parse::<usize>().expect("a number");
        let knows_game = self.games > 1 && self.fault == Fault::IgnoresGame;
        let unknown = self.fault == Fault::CountsWords && ["place", "attack"].contains(&words[0]);
        match words[0] {
            _ if unknown && words.len() > 1 => return Err(io::Error::other("what?")),
            "battleship" => self.say("ready")?,
            "game" => {
                self.games += 1;
                if self.games > 1 && self.fault == Fault::DiesAtSecondGame {
                    exit(0);
                }
                if self.games == 1 || self.fault != Fault::IgnoresGame {
                    let (rows, cols) = (number(2), number(3));
                    let kept = self.sea.shots * usize::from(self.fault == Fault::KeepsShots);
                    self.sea = Sea {
                        rows,
                        cols,
                        ships: Vec::new(),
                        shots: kept,
                        seed: 0,
                    };
                }
            }
            "ship" if !knows_game => self.sea.ships.push(number(2)),
            "seed" => self.sea.seed = number(1),
            "place" => {
                let reply = self.place();
                self.say(&reply)?;
            }
            "attack" => {
                let reply = self.attack();
                self.say(&reply)?;
                if self.fault == Fault::AttacksTwice {
                    self.say(&reply)?;
                }
            }
            "result" if self.fault == Fault::Chatty => self.say("ok")?,
            "quit" if self.fault != Fault::IgnoresQuit => return Ok(true),
            "ship" | "result" | "opponent" | "end" | "error" | "quit" => {}
            "limit" if self.fault == Fault::CrashesOnLimit => panic!("unknown command {line}"),
            _ if self.fault == Fault::AsksBack => self.say("what?")?,
            _ if self.fault == Fault::CrashesOnUnknown => panic!("unknown command {line}"),
            _ => {}
        }
        Ok(false)
    }

    fn place(&self) -> String {
        if self.fault == Fault::PlacesNone {
            return "place none".to_owned();
        }
        if self.fault == Fault::Overlaps {
            return format!("place{}", " 0 0 h".repeat(self.sea.ships.len()));
        }
        let mut taken = vec![vec![false; self.sea.cols]; self.sea.rows];
        let mut places = Vec::new();
        if !self.search(&mut taken, &mut places) {
            return "place none".to_owned();
        }
        let is_usual = (self.sea.rows, self.sea.cols, self.sea.ships.len()) == (10, 10, 5);
        if self.fault == Fault::OutsideAtTimes && is_usual && self.sea.seed.is_multiple_of(4) {
            places[4] = (9, 9, 'h');
        }
        let places = places.into_iter().map(|(row, col, direction)| {
            let (row, col) = self.said(row, col);
            format!(" {row} {col} {direction}")
        });
        format!("place{}", places.collect::<String>())
    }

    /// Places the next ship and those behind it, in the first way that fits.
    fn search(&self, taken: &mut [Vec<bool>], places: &mut Vec<(usize, usize, char)>) -> bool {
        let Some(length) = self.sea.ships.get(places.len()).copied() else {
            return true;
        };
        for direction in ['h', 'v'] {
            for start in 0..self.sea.rows * self.sea.cols {
                let (row, col) = (start / self.sea.cols, start % self.sea.cols);
                let cells = (0..length).map(|step| match direction {
                    'h' => (row, col + step),
                    _ => (row + step, col),
                });
                let cells: Vec<_> = cells.collect();
                let free =
                    |&(row, col): &(usize, usize)| taken.get(row).and_then(|row| row.get(col));
                if !cells.iter().all(|cell| free(cell) == Some(&false)) {
                    continue;
                }
                for &(row, col) in &cells {
                    taken[row][col] = true;
                }
                places.push((row, col, direction));
                if self.search(taken, places) {
                    return true;
                }
                places.pop();
                for &(row, col) in &cells {
                    taken[row][col] = false;
                }
            }
        }
        false
    }

    fn attack(&mut self) -> String {
        let shot = match self.fault {
            Fault::Repeats => self.sea.shots / 2,
            Fault::Stuck => 0,
            Fault::Random => {
                let random = RandomState::new().build_hasher().finish();
                usize::try_from(random % 1000).expect("below 1000")
            }
            // If it believes that it has tried all, it does not know what to do.
            Fault::KeepsShots => self.sea.shots.min(self.sea.rows * self.sea.cols - 1),
            _ => self.sea.shots,
        };
        self.sea.shots += 1;
        let (row, col) = (shot / self.sea.cols % self.sea.rows, shot % self.sea.cols);
        let (row, col) = if self.fault == Fault::SwappedAttacks {
            (col, row)
        } else {
            self.said(row, col)
        };
        let word = if self.fault == Fault::WrongWord {
            "fire"
        } else {
            "attack"
        };
        format!("{word} {row} {col}")
    }

    /// A cell as it names it.
    fn said(&self, row: usize, col: usize) -> (usize, usize) {
        match self.fault {
            Fault::Swapped => (col, row),
            Fault::OffByOne => (row + 1, col + 1),
            _ => (row, col),
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        let end = if self.fault == Fault::SaysCrlf {
            "\r\n"
        } else {
            "\n"
        };
        let times = if self.fault == Fault::AnswersTwice {
            2
        } else {
            1
        };
        for _ in 0..times {
            write!(self.out, "{line}{end}")?;
            if self.fault != Fault::NoFlush {
                self.out.flush()?;
            }
        }
        Ok(())
    }
}
