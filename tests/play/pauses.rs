//! Pauses between attacks: what can be typed there, and pauses of a fixed time.

#![cfg(unix)]

use serde_json::Value;
use testkit::list::Tests;
use testkit::person::Person;
use testkit::record::list;
use testkit::run::Dir;
use testkit::run::SMALL;
use testkit::terminal::{CTRL_C, CTRL_D};
use testkit::text::{ends, has};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            an_answer_may_skip_all_pauses,
            q_interrupts_the_game,
            the_choices_are_named_once,
            ctrl_d_skips_all_pauses,
            a_person_who_plays_can_leave,
            the_demo_has_the_same_pauses,
            ctrl_c_ends_a_delay,
            an_unreadable_input_is_an_error
        );
    });
}

const ENTER: &str = "Press enter to continue: ";

/// Two programs whose game has eleven attacks, and so ten pauses.
const GAME: &str = "play awful awful --pause";

fn an_answer_may_skip_all_pauses() {
    let dir = Dir::new();
    let whole = dir.run("play awful awful").small().succeeds().stdout;
    for (typed, pauses) in [
        (&*"\n".repeat(10), 10),
        ("a\n", 1),
        ("A\r\n", 1),
        ("\n\na", 3),
        ("\nall\n\na\n", 4),
        ("", 1),
        ("\n\n", 3),
    ] {
        let done = dir.run(GAME).small().types(typed);
        assert_eq!(
            done.exits(0).stdout.matches(ENTER).count(),
            pauses,
            "{typed:?}"
        );
        assert_eq!(done.stdout.replace(ENTER, ""), whole);
    }
    // Whoever does not wait is not asked.
    dir.run("play awful awful --delay 1ms")
        .small()
        .types("q\n")
        .exits(0)
        .is_quiet()
        .prints_all(&whole);
    dir.run("demo 1 --delay 1ms --seed 2").succeeds();
}

fn q_interrupts_the_game() {
    let dir = Dir::new();
    let done = dir
        .run(GAME)
        .small()
        .args("--out games.jsonl")
        .types("\n Q \n\n\n");
    done.exits(130).warns("referee: the game was interrupted\n");
    let game = &dir.record("games.jsonl").lines[0];
    assert_eq!(
        (&game["ended_by"], &game["winner"]),
        (&"interrupted".into(), &Value::Null)
    );
    assert_eq!(list(&game["shots"]).len(), 2);
}

fn the_choices_are_named_once() {
    let arguments = format!("play awful awful {SMALL}");
    let screen = Person::at_a_terminal_with(&arguments)
        .types(ENTER, "")
        .types(ENTER, "something")
        .types(ENTER, "a")
        .leaves(0);
    let choices = "\nreferee: enter continues, a and enter skips all pauses, q and enter ends the game\n\
                   Press enter to continue: \n";
    assert_eq!(screen.matches(choices).count(), 1, "{screen}");
    assert_eq!(screen.matches("q and enter").count(), 1, "{screen}");
    assert_eq!(screen.matches(ENTER).count(), 3, "{screen}");
    ends(&screen, "awful wins!\n");
}

fn ctrl_d_skips_all_pauses() {
    let arguments = format!("play awful awful {SMALL}");
    let screen = Person::at_a_terminal_with(&arguments)
        .presses(ENTER, CTRL_D)
        .leaves(0);
    assert_eq!(screen.matches(ENTER).count(), 1, "{screen}");
    has(&screen, "Press enter to continue: \nawful 2's turn.");
    ends(&screen, "awful wins!\n");
}

fn a_person_who_plays_can_leave() {
    let arguments = format!("play human awful --plain {SMALL}");
    let screen = Person::at_a_terminal_with(&arguments)
        .types("(length 2): ", "h")
        .types("(e.g. 3 5): ", "0 0")
        .types("(e.g, 3 5): ", "1 1")
        .types(ENTER, "q")
        .leaves(130);
    ends(&screen, "referee: the game was interrupted\n");
}

fn the_demo_has_the_same_pauses() {
    let screen = Person::at_a_terminal_with("demo 1 --seed 2")
        .types(ENTER, "a")
        .leaves(0);
    ends(&screen, " wins!\n");
    let screen = Person::at_a_terminal_with("demo cc --pause")
        .types(ENTER, "q")
        .leaves(130);
    ends(&screen, "referee: the game was interrupted\n");
}

fn ctrl_c_ends_a_delay() {
    let arguments = format!("play awful awful --delay 1h {SMALL}");
    let screen = Person::at_a_terminal_with(&arguments)
        .presses("and missed, resulting in:\r\n  012\r\n", CTRL_C)
        .leaves(130);
    ends(&screen, "referee: the game was interrupted\n");
}

/// A closed or unreadable standard input is not an answer.
fn an_unreadable_input_is_an_error() {
    let dir = Dir::new();
    let words = format!("-c 'exec referee {GAME} </'");
    dir.program("sh", &words).fails(1, "Is a directory");
}
