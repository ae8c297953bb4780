//! A person plays the twist game at a real pseudo-terminal.

#![cfg(unix)]

use testkit::list::Tests;
use testkit::person::{Person, exit_code};
use testkit::terminal::CTRL_D;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_person_places_wrongly_orders_wrongly_searches_and_wins,
            the_end_of_input_resigns_the_twist_game_too
        );
    });
}

const FIRST_UNIT: &str = "Enter bow and stern of a battleship (length 5, e.g. B6 B10): ";
const ORDER: &str = "Enter origin and target (e.g. C3 A1; SS SS for help): ";

/// Places all units below the rows that awful fires at first.
fn places(person: &mut Person) -> &mut Person {
    for ends in ["F1 F5", "G1 G5", "H1 H5"] {
        person.types(FIRST_UNIT, ends);
    }
    for ends in ["I1 I3", "L1 L3", "M1 M3"] {
        person.types("support ship (length 3, e.g. B6 B8): ", ends);
    }
    for ends in ["N1 N1", "N12 N12"] {
        person.types("submarine (length 1, e.g. B6 B6): ", ends);
    }
    person
}

fn a_person_places_wrongly_orders_wrongly_searches_and_wins() {
    let arguments = [
        "play",
        "Shuman=human",
        "awful",
        "--rules",
        "twist",
        "--first",
        "1",
        "--seed",
        "1",
    ];
    let mut person =
        Person::at_a_terminal_with(&[&arguments[..], &["--no-pause", "--plain"]].concat());
    person
        .types(FIRST_UNIT, "")
        .types(FIRST_UNIT, "F1 F4")
        .types(FIRST_UNIT, "F5 F1");
    places(&mut person);
    person
        .types(ORDER, "boo")
        .types(ORDER, "F1 A1")
        .types(ORDER, "I2 F1")
        .types(ORDER, "SS SS");
    // A submarine moves to where it sees what awful placed in rows, as it always does.
    person
        .types(ORDER, "N12 C3")
        .types(ORDER, "XX XX")
        .types(ORDER, "AA AA");
    let rows = [
        ('A', 5),
        ('C', 5),
        ('E', 5),
        ('G', 3),
        ('I', 3),
        ('M', 3),
        ('B', 1),
        ('D', 1),
    ];
    for (row, length) in rows {
        for column in 1..=length {
            person.types(ORDER, &format!("F3 {row}{column}"));
        }
    }
    let (screen, status) = person.types("What next? ", "").leaves();
    assert_eq!(exit_code(status), 0, "{screen}");
    let after =
        "Shuman wins!\n\nYou won in 27 turns.\n\n  r      a rematch\n  1      against awful\n";
    assert!(screen.contains(after), "{screen}");
    for shown in [
        "Two cells are needed, as B6 B10",
        "is 4 cells long, and the unit is 5.\n",
        "the stern F1 is left of the bow F5 or above it.\n",
        "That is not possible: ",
        " at F1",
        "XX XX          show both grids\n",
        "             Defence board                           Attack board\n  1  2  3 ",
        "must place 8 units.\n  1  2  3  4  5  6  7  8  9  10 11 12\nA ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A\n",
        "Shuman moves a submarine from N12 to C3: 17 cells with units found\n",
        "A ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A\tA Y  Y  Y  Y  Y  ~  ~  ~  ~  ~  ~  ~  A\n",
        "Shuman fires from F3 at A1: hit\n",
        "awful fires at A1: miss\n",
    ] {
        assert!(screen.contains(shown), "{shown}\n{screen}");
    }
    // The orders of awful to its units stay its own business.
    assert!(!screen.contains("awful fires from"), "{screen}");
}

fn the_end_of_input_resigns_the_twist_game_too() {
    let mut person = Person::at_a_terminal_with(&["demo", "pc", "--seed", "1", "--no-pause"]);
    places(&mut person);
    let (screen, status) = person.presses(ORDER, CTRL_D).leaves();
    assert_eq!(exit_code(status), 0, "{screen}");
    assert!(
        screen.ends_with("Player resigned.\nComputer wins!\n"),
        "{screen}"
    );
}
