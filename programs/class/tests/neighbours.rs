//! Classes in which others are hostile: the honest ones get their games and their grades.

use std::fs;

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::{Tests, Tier};
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
            add!(tests, hostile_submissions_change_no_grade_of_the_others);
        })
    });
}

const AT: [&str; 2] = ["--at", "2026-11-30T10-00-00"];

const HONEST: [&str; 6] = ["ada", "bob", "cyd", "dan", "eli", "fay"];

/// The submissions of the others: the command, the build, and the bot.
const HOSTILE: [(&str, &str, &str, &str); 6] = [
    (
        "u",
        "python3 bot.py ../.. /proc/self/cwd /tmp /proc/31722 /proc",
        "true",
        "for line in open(0): print('attack 0 0')",
    ),
    (
        "v",
        "./bot",
        "submissions/v/2026-11-30T10-00-00/a;sh evil.sh #/../../../..",
        "",
    ),
    ("w", "good-bot", "true", ""),
    (
        "x",
        "python3 bot.py",
        "true",
        "while True: print('x' * 4000)",
    ),
    ("y", "python3 bot.py\\u0000", "true", "print('ready')"),
    (
        "z",
        "python3 bot.py",
        "head -c 30000000 /dev/zero > big",
        "import os; os.kill(os.getppid(), 9); os.close(1)",
    ),
];

fn hand_in(class: &Class, desk: &Desk, hostile: bool) {
    for id in HONEST {
        let kit = desk.plain(id);
        class.succeeds(&[&["add", id, kit.to_str().unwrap()], &AT[..]].concat());
    }
    for (id, run, build, bot) in HOSTILE.iter().filter(|_| hostile) {
        let toml = format!("run = \"{run}\"\nbuild = \"{build}\"\n");
        let files = [
            ("bot.toml", &*toml),
            ("bot.py", bot),
            ("a;sh evil.sh #/x", ""),
            ("evil.sh", "ls -R /"),
        ];
        let folder = desk.folder(id, &files);
        class.succeeds(&[&["add", id, folder.to_str().unwrap()], &AT[..]].concat());
    }
    for step in ["intake", "check", "play"] {
        class.succeeds(&[step]);
    }
}

fn hostile_submissions_change_no_grade_of_the_others() {
    let roster: Vec<_> = HONEST
        .iter()
        .chain(HOSTILE.iter().map(|one| &one.0))
        .map(|id| (*id, "", ""))
        .collect();
    let classes = [false, true].map(|hostile| {
        let (class, desk) = (Class::new(SETTINGS, &roster), Desk::new());
        fs::write(
            class.path("class.secret"),
            "00112233445566778899aabbccddeeff\n",
        )
        .unwrap();
        hand_in(&class, &desk, hostile);
        class
    });
    let grades = classes.each_ref().map(|class| {
        let table = class.succeeds(&["grade"]);
        let is_honest = |line: &&str| HONEST.iter().any(|id| line.starts_with(&format!("{id},")));
        table
            .lines()
            .filter(is_honest)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    assert_eq!(grades[0].len(), HONEST.len());
    assert_eq!(grades[0], grades[1]);
}
