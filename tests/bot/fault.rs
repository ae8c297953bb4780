//! The faults of beginners' bots.

use std::process::exit;
use std::time::Duration;

use clap::Args;

use super::{Cell, Game, Player, below, end_in_time, leave_child, say, stay};

/// Those that say what they are by their names need no comment.
const FAULTS: [&str; 31] = [
    "none",
    // Keeps its output in a buffer until its input ends.
    "no-flush",
    // Says `fire` for `attack`.
    "wrong-word",
    // Names columns before rows; and in its attacks only.
    "swapped",
    "swapped-attacks",
    // Counts from 1.
    "off-by-one",
    // Places every ship on the same cell.
    "overlaps",
    // Places its last ship beyond the edge, with one seed of four on the usual board.
    "outside-at-times",
    // Fails at its sixth attack, with one seed of three on every board.
    "crashes-at-times",
    // Attacks every cell twice; and the same cell for ever.
    "repeats",
    "stuck",
    // Ignores its seed.
    "random",
    // Takes every game for the first one.
    "ignores-game",
    // Continues in a game where it stopped in the last.
    "keeps-shots",
    "dies-at-second-game",
    // Says every reply twice; and attacks twice when it is asked once.
    "answers-twice",
    "attacks-twice",
    // Says hello before it is asked.
    "banner",
    // Says ok to every result.
    "chatty",
    // Ends its lines with a carriage return and a line feed; and does not expect that.
    "says-crlf",
    "chokes-on-crlf",
    // Takes its time before it reads anything.
    "slow-start",
    "ignores-quit",
    "ignores-end-of-input",
    "leaves-child",
    // Fails at a word that it does not know; and at the line with its time limit.
    "crashes-on-unknown",
    "crashes-on-limit",
    // Says what? to a word that it does not know.
    "asks-back",
    // Does not know a request that has another word behind it.
    "counts-words",
    // Cannot place its ships, or so it says.
    "places-none",
    // Says nothing but prints for ever.
    "floods",
];

const KNOWN: [&str; 11] = [
    "battleship",
    "game",
    "ship",
    "seed",
    "place",
    "attack",
    "result",
    "opponent",
    "end",
    "error",
    "quit",
];

#[derive(Debug, Args)]
pub(super) struct Fault {
    #[arg(value_parser = FAULTS)]
    name: String,
    #[arg(skip)]
    games: u32,
    #[arg(skip)]
    held: String,
}

impl Fault {
    /// Returns a cell as it names it.
    fn named(&self, (row, col): Cell) -> Cell {
        match self.name.as_str() {
            "swapped" => (col, row),
            "off-by-one" => (row + 1, col + 1),
            _ => (row, col),
        }
    }

    fn say(&mut self, line: &str) {
        let end = if self.name == "says-crlf" { "\r" } else { "" };
        let times = 1 + usize::from(self.name == "answers-twice");
        let said = format!("{line}{end}\n").repeat(times);
        if self.name == "no-flush" {
            self.held += &said;
        } else {
            say(said);
        }
    }
}

impl Player for Fault {
    fn start(&mut self) {
        end_in_time();
        match self.name.as_str() {
            "slow-start" => std::thread::sleep(Duration::from_millis(1500)),
            "banner" => self.say("Welcome to my bot!"),
            "leaves-child" => leave_child(),
            "floods" => loop {
                self.say("thinking");
            },
            _ => {}
        }
    }

    fn end(&self) {
        if self.name == "ignores-end-of-input" {
            stay();
        }
        say(&self.held);
    }

    fn line_end(&self) -> &[char] {
        if self.name == "chokes-on-crlf" {
            &['\n']
        } else {
            &['\r', '\n']
        }
    }

    fn hear(&mut self, game: &mut Game, words: &[&str]) {
        let line = words.join(" ");
        self.games += u32::from(words[0] == "game");
        let shots = game.shots;
        match self.name.as_str() {
            "dies-at-second-game" if self.games > 1 => exit(0),
            "ignores-game" if self.games > 1 && words[0] != "seed" => {}
            "counts-words" if matches!(words, ["place" | "attack", _, ..]) => panic!("what?"),
            "crashes-on-limit" if words[0] == "limit" => panic!("unknown command {line}"),
            "crashes-on-unknown" if !KNOWN.contains(&words[0]) => {
                panic!("unknown command {line}")
            }
            _ => game.hear(words),
        }
        if self.name == "keeps-shots" {
            game.shots = shots;
        }
    }

    fn place(&self, game: &Game) -> String {
        let mut places = game.placement();
        let is_usual = (game.rows, game.cols, places.len()) == (10, 10, 5);
        match self.name.as_str() {
            "places-none" => places.clear(),
            "overlaps" => places.fill(((0, 0), true)),
            "outside-at-times" if is_usual && game.seed.is_multiple_of(4) => {
                places[4] = ((9, 9), true);
            }
            _ => {}
        }
        for (cell, _) in &mut places {
            *cell = self.named(*cell);
        }
        game.place_line(&places)
    }

    fn turn(&mut self, game: &mut Game, _: &[&str]) -> String {
        let shot = match self.name.as_str() {
            "crashes-at-times" if game.shots == 5 && game.seed.is_multiple_of(3) => {
                panic!("the sixth attack")
            }
            "repeats" => game.shots / 2,
            "stuck" => 0,
            "random" => below(1000),
            // If it believes that it has tried all, it does not know what to do.
            "keeps-shots" => game.shots.min(game.rows * game.cols - 1),
            _ => game.shots,
        };
        game.shots += 1;
        let (row, col) = self.named(game.cell(shot));
        match self.name.as_str() {
            "swapped-attacks" => format!("attack {col} {row}"),
            "wrong-word" => format!("fire {row} {col}"),
            _ => format!("attack {row} {col}"),
        }
    }

    fn answer(&mut self, words: &[&str], reply: &str) -> bool {
        let reply = match (self.name.as_str(), words[0]) {
            ("chatty", "result") => "ok",
            ("asks-back", word) if !KNOWN.contains(&word) => "what?",
            _ => reply,
        };
        if !reply.is_empty() {
            self.say(reply);
        }
        if (self.name.as_str(), words[0]) == ("attacks-twice", "attack") {
            self.say(reply);
        }
        words[0] == "quit" && self.name != "ignores-quit"
    }
}
