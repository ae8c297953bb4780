//! Watching games, and looking back at them.

use super::{CTRL_C, ESCAPE, LEFT, USUAL};
use testkit::list::Tests;
use testkit::run::Dir;
use testkit::screen::Screen;
use testkit::text::has;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_watched_game_is_shown_forth_and_back,
        a_game_left_early_is_interrupted,
        a_record_is_watched_unless_plain,
        a_twist_game_is_watched
    );
}

const GAME: &str = "play mediocre good --seed 1";

fn a_watched_game_is_shown_forth_and_back() {
    let mut screen = Screen::of(USUAL, &format!("{GAME} --watch --delay 15ms"));
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
    screen.leaves(0);
    has(&screen.text(), "good wins!");
}

fn a_game_left_early_is_interrupted() {
    for key in ["q", ESCAPE, CTRL_C] {
        let mut screen = Screen::of(USUAL, "play good \"sh -c 'read line; sleep 60'\" --watch");
        screen.sees("The players place their ships.").press(key);
        screen.leaves(130);
    }
}

fn a_record_is_watched_unless_plain() {
    let dir = Dir::new();
    dir.run(GAME).args("--no-pause --out game").succeeds();
    let replay = format!("replay {} --delay", dir.path("game").display());
    for (options, shown, key, code) in [
        ("15ms", "turn 106 of 106", "q", 0),
        ("10s", "turn 0 of 106", CTRL_C, 130),
        ("10s --plain", "mediocre", CTRL_C, 130),
    ] {
        let mut screen = Screen::of(USUAL, &format!("{replay} {options}"));
        screen.sees(shown).press(key);
        screen.leaves(code);
    }
}

fn a_twist_game_is_watched() {
    let mut screen = Screen::of(USUAL, &format!("{GAME} --rules twist --watch --delay 15ms"));
    screen.sees("turn 9").press(" ").sees("Paused.").press("q");
    // It may have been over by then.
    assert!([0, 130].contains(&screen.ends()));
}
