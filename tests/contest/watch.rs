//! A person watches a contest on the screen of a terminal.

#![cfg(unix)]

use expectrl::ControlCode;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::person::{Person, exit_code};
use crate::common::{Folder, referee};

/// What the terminal is told when the screen comes and goes.
const TAKEN: &str = "\x1b[?1049h";
const GIVEN_BACK: &str = "\x1b[?1049l";

/// The last line of the screen.
const KEYS: &str = "q stop the contest";

fn watcher(options: &[&str]) -> Person {
    let mut words = vec!["match", "awful", "mediocre", "--seed", "1", "--watch", "--ascii"];
    words.extend(options);
    Person::at_a_terminal_with(&words).with_a_screen()
}

/// Returns how many games the referee says were played before it stopped.
fn stopped_after(screen: &str) -> u64 {
    let rest = screen.split("referee: stopped after ").nth(1).expect(screen);
    rest.split(' ').next().unwrap().parse().expect(screen)
}

#[test]
fn a_match_is_watched_to_its_end_and_the_summary_follows_the_screen() {
    let mut person = watcher(&["--games", "6", "--series", "2", "--jobs", "2"]);
    let (screen, status) = person.sees(KEYS).leaves();
    let (shown, after) = screen.split_once(GIVEN_BACK).expect(&screen);
    assert!(shown.contains(TAKEN) && shown.contains("games/s"), "{screen}");
    assert!(after.contains("(6 games, 3 series, seed 1)"), "{screen}");
    assert_eq!(exit_code(status), 0);
}

#[test]
fn a_twist_tournament_is_watched_too() {
    let words = ["tournament", "awful", "mediocre", "good", "--rules", "twist", "--games", "2"];
    let more = ["--series", "2", "--max-turns", "20", "--seed", "1", "--watch", "--ascii"];
    let mut person = Person::at_a_terminal_with(&[&words[..], &more].concat()).with_a_screen();
    let (screen, status) = person.sees(KEYS).leaves();
    let (_, after) = screen.split_once(GIVEN_BACK).expect(&screen);
    assert!(after.contains("Round robin of 3 players: 6 games in 3 series"), "{screen}");
    assert_eq!(exit_code(status), 0);
}

/// More games than any test waits for.
#[test]
fn q_asks_and_stops_in_good_order_and_the_match_resumes() {
    let folder = Folder::new();
    let record = folder.path("cup.jsonl");
    let options = ["--games", "1000000", "--series", "2", "--out", &record];
    let mut person = watcher(&options);
    let (screen, status) = person.presses_keys(KEYS, "q").presses_keys("stop?", "y").leaves();
    let played = stopped_after(&screen);
    assert!(screen.contains("stopping after the running games"), "{screen}");
    assert!(screen.contains("this continues:") && screen.contains("--resume"), "{screen}");
    assert_eq!(exit_code(status), 130);

    let mut person = watcher(&[&options[..], &["--resume"]].concat());
    let (screen, status) = person.presses(KEYS, ControlCode::EndOfText).leaves();
    assert!(stopped_after(&screen) >= played, "{played} {screen}");
    assert!(screen.contains(GIVEN_BACK), "{screen}");
    assert_eq!(exit_code(status), 130);
}

#[test]
fn watching_needs_a_terminal() {
    let message = contains("--watch needs a terminal; --report FILE writes a page");
    let mut command = referee();
    command.args(["match", "awful", "awful", "--watch"]);
    command.assert().code(2).stdout(is_empty()).stderr(message);
}

#[test]
fn what_is_watched_is_not_quiet() {
    let mut command = referee();
    command.args(["match", "awful", "awful", "--watch", "--quiet"]);
    command.assert().code(2).stderr(contains("--watch").and(contains("--quiet")));
}
