//! A person watches a contest on the screen of a terminal.

#![cfg(unix)]

use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::screen::Screen;
use crate::common::{Folder, referee};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_match_is_watched_to_its_end_and_the_summary_follows_the_screen,
            a_twist_tournament_is_watched_too,
            a_contest_continues_in_a_terminal_of_another_size,
            what_is_typed_after_ctrl_z_counts_when_the_contest_continues,
            q_asks_and_stops_in_good_order_and_the_match_resumes,
            watching_needs_a_terminal,
            what_is_watched_is_not_quiet
        );
    });
}

/// The last line of the screen.
const KEYS: &str = "q stop the contest";

fn watcher(options: &[&str]) -> Screen {
    let words = [
        "match", "awful", "mediocre", "--seed", "1", "--watch", "--ascii",
    ];
    Screen::of((80, 24), &[&words, options].concat())
}

/// Returns how many games the referee says were played before it stopped.
fn stopped_after(shown: &str) -> u64 {
    let rest = shown.split("referee: stopped after ").nth(1).expect(shown);
    rest.split(' ').next().unwrap().parse().expect(shown)
}

fn a_match_is_watched_to_its_end_and_the_summary_follows_the_screen() {
    let mut screen = watcher(&["--games", "6", "--series", "2", "--jobs", "2"]);
    assert!(
        screen.sees(KEYS).text().contains("games"),
        "{}",
        screen.text()
    );
    assert_eq!(screen.leaves(), 0);
    assert!(
        screen.printed().contains("(6 games, 3 series, seed 1)"),
        "{}",
        screen.printed()
    );
}

fn a_twist_tournament_is_watched_too() {
    let words = [
        "tournament",
        "awful",
        "mediocre",
        "good",
        "--rules",
        "twist",
        "--games",
        "2",
    ];
    let more = [
        "--series",
        "2",
        "--max-turns",
        "20",
        "--seed",
        "1",
        "--watch",
        "--ascii",
    ];
    let mut screen = Screen::of((80, 24), &[&words[..], &more].concat());
    screen.sees(KEYS);
    assert_eq!(screen.leaves(), 0);
    let shown = screen.text();
    assert!(
        shown.contains("Round robin of 3 players: 6 games in 3 series"),
        "{shown}"
    );
}

fn a_contest_continues_in_a_terminal_of_another_size() {
    let mut screen = watcher(&["--games", "1000000", "--series", "2"]);
    screen
        .sees(KEYS)
        .resize((60, 20))
        .sees("needs 80x24")
        .resize((120, 40))
        .sees(KEYS);
    screen.suspends().sees(KEYS).press("\x03");
    assert_eq!(screen.leaves(), 130);
}

fn what_is_typed_after_ctrl_z_counts_when_the_contest_continues() {
    let mut screen = watcher(&["--games", "1000000", "--series", "2"]);
    screen.sees(KEYS).press("\x1a\x1a\x03");
    assert_eq!(screen.leaves(), 130);
}

/// More games than any test waits for.
fn q_asks_and_stops_in_good_order_and_the_match_resumes() {
    let folder = Folder::new();
    let record = folder.path("cup.jsonl");
    let options = ["--games", "1000000", "--series", "2", "--out", &record];
    let mut screen = watcher(&options);
    screen.sees(KEYS).press("q").sees("stop?").press("y");
    assert_eq!(screen.leaves(), 130);
    let shown = screen.printed();
    let played = stopped_after(&shown);
    assert!(
        shown.contains("stopping after the running games"),
        "{shown}"
    );
    assert!(
        shown.contains("this continues:") && shown.contains("--resume"),
        "{shown}"
    );

    let mut screen = watcher(&[&options[..], &["--resume"]].concat());
    screen.sees(KEYS).press("\x03");
    assert_eq!(screen.leaves(), 130);
    assert!(
        stopped_after(&screen.printed()) >= played,
        "{played} {}",
        screen.printed()
    );
}

fn watching_needs_a_terminal() {
    let message = contains("--watch needs a terminal; --report FILE writes a page");
    let mut command = referee();
    command.args(["match", "awful", "awful", "--watch"]);
    command.assert().code(2).stdout(is_empty()).stderr(message);
}

fn what_is_watched_is_not_quiet() {
    let mut command = referee();
    command.args(["match", "awful", "awful", "--watch", "--quiet"]);
    command
        .assert()
        .code(2)
        .stderr(contains("--watch").and(contains("--quiet")));
}
