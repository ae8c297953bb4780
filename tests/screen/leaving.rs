//! However the screen is left, the terminal is as it was.

use super::{CTRL_C, USUAL};
use testkit::list::Tests;
use testkit::programs::built;
use testkit::screen::Screen;
use testkit::text::has;
use testkit::tools::BASH;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        ctrl_c_ends_a_game_at_every_stage,
        ctrl_c_after_the_end_leaves_the_result,
        a_failing_bot_ends_the_watched_game,
        a_panic_gives_the_terminal_back,
        a_small_terminal_offers_plain_words
    );
    tests.needing(&[BASH], |tests| {
        add!(tests, ctrl_z_gives_the_shell_its_terminal);
    });
}

fn ctrl_c_ends_a_game_at_every_stage() {
    let person = "play human awful --seed 1";
    let mut screen = Screen::of((60, 20), person);
    screen.sees("needs 80x24").press(CTRL_C);
    screen.leaves(130);
    for stage in ["", "r", "r\r", "r\r\r", "r\r?", "r\rq", "A0_"] {
        let mut screen = Screen::of(USUAL, person);
        screen.sees("ship 1 of 5").press(stage).press(CTRL_C);
        screen.leaves(130);
    }
}

fn ctrl_c_after_the_end_leaves_the_result() {
    let mut screen = Screen::of(USUAL, "play human awful --out game.jsonl");
    screen
        .sees("ship 1 of 5")
        .press("qy")
        .sees("You lost: you gave up.")
        .press(CTRL_C);
    screen.leaves(0);
    assert!(
        screen
            .file("game.jsonl")
            .contains("\"ended_by\":\"resigned\"")
    );
}

fn a_failing_bot_ends_the_watched_game() {
    let mut screen = Screen::of(USUAL, "play human false");
    screen.sees("No winner: false could not start").press("q");
    screen.leaves(4);
}

fn a_panic_gives_the_terminal_back() {
    let program = built("examples/panicking-screen");
    let mut screen = Screen::of_program(USUAL, &[], &[&program]);
    screen.leaves(101);
    has(&screen.text(), "as it should");
}

fn a_small_terminal_offers_plain_words() {
    let mut screen = Screen::of((60, 20), "play human awful");
    screen
        .sees("needs 80x24")
        .press("p")
        .sees("Enter h or v for direction")
        .press("\x04");
    screen.leaves(0);
}

fn ctrl_z_gives_the_shell_its_terminal() {
    let play = concat!(env!("CARGO_BIN_EXE_referee"), " play human awful\r");
    // High enough for all that is printed.
    let mut screen = Screen::of_program((80, 60), &[("PS1", "$ ")], &["bash", "--norc", "-i"]);
    screen
        .sees("$ ")
        .press("stty -g > usual\r")
        .press(play)
        .sees("ship 1 of 5");
    for times in 1..=5 {
        // Another thread of the referee than the one that draws could take the signal.
        screen.press("\x1a").until("the shell", |shown| {
            shown.matches("Stopped").count() == times
        });
        assert!(!screen.is_taken());
        screen
            .press("stty -g | cmp - usual && echo \"the same $?\"\r")
            .until("the modes", |shown| {
                shown.matches("the same 0").count() == times
            });
        screen.press("fg\r").sees("ship 1 of 5").press("v");
    }
    screen
        .press("qy")
        .sees("You lost: you gave up.")
        .press("q")
        .sees("awful wins!");
    screen.press("exit\r");
    screen.leaves(0);
}
