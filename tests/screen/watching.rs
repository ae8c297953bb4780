//! Watching games, and looking back at them.

use super::{CTRL_C, ESCAPE, LEFT, USUAL};
use testkit::list::Tests;
use testkit::programs::referee;
use testkit::screen::Screen;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_game_of_two_bots_is_watched_to_its_end_and_back,
            a_game_that_is_left_before_its_end_is_interrupted,
            a_record_is_watched_on_the_screen_unless_plain_words_are_asked_for,
            a_twist_game_is_watched
        );
    });
}

const GAME: [&str; 5] = ["play", "mediocre", "good", "--seed", "1"];

fn a_game_of_two_bots_is_watched_to_its_end_and_back() {
    let mut screen = Screen::of(USUAL, &[&GAME[..], &["--watch", "15ms"]].concat());
    screen
        .sees("turn 106 of 106")
        .sees("good sank the whole fleet of mediocre.");
    screen.press(LEFT).sees("turn 105 of 106").sees("Paused.");
    screen
        .press("p")
        .until("a ship that sinks", |shown| !shown.contains("turn 99"));
    screen
        .press("?")
        .sees("faster, slower")
        .press("x")
        .press("q");
    assert_eq!(screen.leaves(), 0);
    assert!(screen.text().contains("good wins!"), "{}", screen.text());
}

fn a_game_that_is_left_before_its_end_is_interrupted() {
    for key in ["q", ESCAPE, CTRL_C] {
        let slow = ["play", "good", "sh -c 'read line; sleep 60'", "--watch"];
        let mut screen = Screen::of(USUAL, &slow);
        screen.sees("The players place their ships.").press(key);
        assert_eq!(screen.leaves(), 130, "{key:?}");
    }
}

fn a_record_is_watched_on_the_screen_unless_plain_words_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.jsonl").display().to_string();
    referee()
        .args(GAME)
        .args(["--no-pause", "--record", &record])
        .assert()
        .success();
    let mut screen = Screen::of(USUAL, &["replay", &record, "--delay", "15ms"]);
    screen.sees("turn 106 of 106").press("q");
    assert_eq!(screen.leaves(), 0);
    let mut screen = Screen::of(USUAL, &["replay", &record, "--delay", "10s"]);
    screen.sees("turn 0 of 106").press(CTRL_C);
    assert_eq!(screen.leaves(), 130);
    let mut screen = Screen::of(USUAL, &["replay", &record, "--plain", "--delay", "10s"]);
    screen.sees("mediocre").press(CTRL_C);
    assert_eq!(screen.leaves(), 130);
}

fn a_twist_game_is_watched() {
    let words = [&GAME[..], &["--rules", "twist", "--watch", "15ms"]].concat();
    let mut screen = Screen::of(USUAL, &words);
    screen.sees("turn 9").press(" ").sees("Paused.").press("q");
    // It may have been over by then.
    assert!([0, 130].contains(&screen.leaves()));
}
