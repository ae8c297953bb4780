//! The programs for Windows in a console, which Wine shows in a terminal here. Wine does not draw
//! the escapes of a full screen, so people type plain words.

use std::fs;

use testkit::list::Tests;
use testkit::run::{Dir, SMALL};
use testkit::screen::Screen;
use testkit::wine;

use super::one_contest_at_a_time;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_person_plays_a_game,
        the_end_of_the_input_resigns,
        a_person_watches_a_game_turn_by_turn,
        ctrl_c_leaves_a_game,
        ctrl_c_ends_a_contest_whose_record_continues
    );
}

/// Runs a program for which Ctrl-Z is a key: in a terminal it would stop the program. Then waits
/// until the console, a process of its own that ends later, has given the terminal back.
const WITH_CTRL_Z: &str = r#"trap : INT; stty susp undef; before=$(stty -g)
"$@"; code=$?
until [ "$(stty -g)" = "$before" ]; do sleep 0.01; done
stty susp ^Z; exit $code"#;

/// The referee for Windows in a console.
fn console(words: &str) -> Screen {
    let program = wine::built("referee").display().to_string();
    let variables = wine::environment();
    let variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let words = shlex::split(words).unwrap();
    let mut all = vec!["sh", "-c", WITH_CTRL_Z, "sh", "wine", &program];
    all.extend(words.iter().map(String::as_str));
    Screen::of_program((100, 60), &variables, &all)
}

fn game() -> Screen {
    console(&format!("play human awful --plain --no-pause {SMALL}"))
}

const DIRECTION: &str = "direction of rowboat (length 2):";

fn a_person_plays_a_game() {
    let mut person = game();
    person
        .sees(DIRECTION)
        .is_raw()
        .press("help\r")
        .sees("(Ctrl-Z and enter) resigns")
        .press("h\r");
    person.sees("leftmost cell (e.g. 3 5):").press("0 1\r");
    person
        .sees("attack (e.g, 3 5):")
        .press("0 0\r")
        .sees("hit something")
        .sees("0 X..");
    person.until("another question", |shown| {
        shown.matches("attack (e.g, 3 5):").count() == 2
    });
    person
        .press("0 1\r")
        .sees("human wins!")
        .sees("a rematch")
        .press("\r");
    person.leaves(0);
}

fn the_end_of_the_input_resigns() {
    let mut person = game();
    person
        .sees(DIRECTION)
        .is_raw()
        .press("\x1a\r")
        .sees("human resigned")
        .sees("awful wins!");
    person.leaves(0);
}

fn a_person_watches_a_game_turn_by_turn() {
    let mut person = console(&format!("play awful mediocre --plain {SMALL}"));
    person.sees("Press enter to continue:").is_raw().press("\r");
    person.until("another turn", |shown| {
        shown.matches("Press enter to continue:").count() == 2
    });
    // No one is there any more to press a key: the game continues.
    person.press("\x1a\r").sees(" wins!");
    person.leaves(0);
}

fn ctrl_c_leaves_a_game() {
    let mut person = game();
    person
        .sees(DIRECTION)
        .is_raw()
        .press("\x03")
        .sees("the game was interrupted");
    person.leaves(130);
}

fn ctrl_c_ends_a_contest_whose_record_continues() {
    let _alone = one_contest_at_a_time();
    let dir = Dir::new();
    let record = dir.path("m.jsonl");
    let mut person = console(&format!(
        "match awful mediocre --games 100000 --series 20 --jobs 1 --seed 1 --out '{}'",
        record.display()
    ));
    // Somebody has to read the terminal meanwhile: when it is full, the console waits, and so does
    // the contest.
    person.until("a series is recorded", |_| {
        fs::read_to_string(&record).is_ok_and(|text| text.contains("battleship-series"))
    });
    // In it goes while the contest is played: the lock of the record keeps no one from reading it.
    dir.run("rank m.jsonl --csv").succeeds().prints("awful");
    // Amid a series, when no bot is about to start: while Wine starts a program, Ctrl-C may block
    // it for ever. To it that is a signal, whose handler allocates memory, in a process that has
    // locked the allocator for fork.
    person.until("a game amid a series", |shown| {
        let before = shown
            .rsplit_once("/100000 games")
            .map_or("", |(before, _)| before);
        let games = before
            .split_whitespace()
            .last()
            .and_then(|games| games.parse().ok());
        games.is_some_and(|games: u32| games > 20 && (2..10).contains(&(games % 20)))
    });
    person.press("\x03").sees("--resume");
    person.leaves(130);
    let lines = fs::read_to_string(&record).unwrap();
    let games = lines
        .lines()
        .filter(|line| line.contains("battleship-series"))
        .count();
    assert!(games > 0 && lines.ends_with('\n'), "{games} series");
}
