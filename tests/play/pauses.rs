//! Pauses between attacks: what can be typed there, and pauses of a fixed time.

#![cfg(unix)]

use std::fs::File;
use std::process::{Command, Stdio};

use crate::common::person::{Person, exit_code};
use crate::common::terminal::{CTRL_C, CTRL_D};
use crate::common::{SMALL, referee, text_of};
use predicates::str::{contains, is_empty};
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_plays_the_rest_without_pauses_and_so_does_the_end_of_the_input,
            q_ends_the_game_as_an_interruption_does,
            a_person_at_a_terminal_hears_of_the_choices_once,
            ctrl_d_at_a_terminal_plays_the_rest_without_pauses,
            a_person_who_plays_can_leave_at_a_pause,
            the_demo_has_the_same_pauses,
            a_delay_needs_no_one_at_the_keyboard,
            ctrl_c_ends_a_delay,
            a_delay_and_a_prompt_exclude_each_other,
            an_input_that_cannot_be_read_is_an_error
        );
    });
}

const ENTER: &str = "Press enter to continue: ";

/// Two programs whose game has eleven attacks, and so ten pauses.
const GAME: [&str; 4] = ["play", "awful", "awful", "--pause"];

/// Returns the output of the game if `typed` is all that is typed, the number of pauses, and the exit code.
fn played(typed: &str) -> (String, usize, Option<i32>) {
    let output = referee()
        .args(GAME)
        .args(SMALL)
        .write_stdin(typed)
        .output()
        .unwrap();
    let transcript = String::from_utf8(output.stdout).unwrap();
    let pauses = transcript.matches(ENTER).count();
    (transcript.replace(ENTER, ""), pauses, output.status.code())
}

fn a_plays_the_rest_without_pauses_and_so_does_the_end_of_the_input() {
    let (whole, pauses, _) = played(&"\n".repeat(10));
    assert_eq!(pauses, 10);
    for (typed, pauses) in [
        ("a\n", 1),
        ("A\r\n", 1),
        ("\n\na", 3),
        ("\nall\n\na\n", 4),
        ("", 1),
        ("\n\n", 3),
    ] {
        assert_eq!(played(typed), (whole.clone(), pauses, Some(0)), "{typed:?}");
    }
}

fn q_ends_the_game_as_an_interruption_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut command = referee();
    command
        .args(GAME)
        .args(SMALL)
        .arg("--record")
        .arg(&path)
        .write_stdin("\n Q \n\n\n");
    command
        .assert()
        .code(130)
        .stderr("referee: the game was interrupted\n");
    let record: Value = serde_json::from_str(&text_of(&path)).unwrap();
    assert_eq!(
        (&record["ended_by"], &record["winner"]),
        (&"interrupted".into(), &Value::Null)
    );
    assert_eq!(record["shots"].as_array().unwrap().len(), 2);
}

fn a_person_at_a_terminal_hears_of_the_choices_once() {
    let arguments = [&["play", "awful", "awful"][..], &SMALL].concat();
    let (screen, status) = Person::at_a_terminal_with(&arguments)
        .types(ENTER, "")
        .types(ENTER, "something")
        .types(ENTER, "a")
        .leaves();
    let choices = "\nreferee: enter continues, a and enter skips all pauses, q and enter ends the game\n\
                   Press enter to continue: \n";
    assert_eq!(screen.matches(choices).count(), 1, "{screen}");
    assert_eq!(screen.matches("q and enter").count(), 1, "{screen}");
    assert_eq!(screen.matches(ENTER).count(), 3, "{screen}");
    assert!(screen.ends_with("awful wins!\n"), "{screen}");
    assert_eq!(exit_code(status), 0);
}

fn ctrl_d_at_a_terminal_plays_the_rest_without_pauses() {
    let arguments = [&["play", "awful", "awful"][..], &SMALL].concat();
    let (screen, status) = Person::at_a_terminal_with(&arguments)
        .presses(ENTER, CTRL_D)
        .leaves();
    assert_eq!(screen.matches(ENTER).count(), 1, "{screen}");
    assert!(
        screen.contains("Press enter to continue: \nawful 2's turn."),
        "{screen}"
    );
    assert!(screen.ends_with("awful wins!\n"), "{screen}");
    assert_eq!(exit_code(status), 0);
}

fn a_person_who_plays_can_leave_at_a_pause() {
    let arguments = [&["play", "human", "awful", "--plain"][..], &SMALL].concat();
    let (screen, status) = Person::at_a_terminal_with(&arguments)
        .types("(length 2): ", "h")
        .types("(e.g. 3 5): ", "0 0")
        .types("(e.g, 3 5): ", "1 1")
        .types(ENTER, "q")
        .leaves();
    assert!(
        screen.ends_with("referee: the game was interrupted\n"),
        "{screen}"
    );
    assert_eq!(exit_code(status), 130);
}

fn the_demo_has_the_same_pauses() {
    let (screen, status) = Person::at_a_terminal_with(&["demo", "1", "--seed", "2"])
        .types(ENTER, "a")
        .leaves();
    assert!(screen.ends_with(" wins!\n"), "{screen}");
    assert_eq!(exit_code(status), 0);
    let (screen, status) = Person::at_a_terminal_with(&["demo", "cc", "--pause"])
        .types(ENTER, "q")
        .leaves();
    assert!(
        screen.ends_with("referee: the game was interrupted\n"),
        "{screen}"
    );
    assert_eq!(exit_code(status), 130);
}

fn a_delay_needs_no_one_at_the_keyboard() {
    let (whole, ..) = played("");
    let mut command = referee();
    command
        .args(["play", "awful", "awful", "--delay", "1ms"])
        .args(SMALL)
        .write_stdin("q\n");
    command.assert().code(0).stdout(whole).stderr(is_empty());
    referee()
        .args(["demo", "1", "--delay", "1ms", "--seed", "2"])
        .assert()
        .code(0);
}

fn ctrl_c_ends_a_delay() {
    let arguments = [&["play", "awful", "awful", "--delay", "1h"][..], &SMALL].concat();
    let (screen, status) = Person::at_a_terminal_with(&arguments)
        .presses("and missed, resulting in:\r\n  012\r\n", CTRL_C)
        .leaves();
    assert!(
        screen.ends_with("referee: the game was interrupted\n"),
        "{screen}"
    );
    assert_eq!(exit_code(status), 130);
}

fn a_delay_and_a_prompt_exclude_each_other() {
    for options in [
        &["--pause", "--delay", "1s"][..],
        &["--delay", "soon"],
        &["--delay", "0s"],
    ] {
        let assert = referee()
            .args(["play", "awful", "awful"])
            .args(options)
            .assert();
        assert
            .code(2)
            .stdout(is_empty())
            .stderr(contains("'--delay <TIME>'"));
    }
}

/// A closed or unreadable standard input is not an answer.
fn an_input_that_cannot_be_read_is_an_error() {
    let mut game = Command::new(env!("CARGO_BIN_EXE_referee"));
    game.args(GAME)
        .args(SMALL)
        .stdin(Stdio::from(File::open("/").unwrap()));
    let output = game.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("Is a directory"), "{message}");
}
