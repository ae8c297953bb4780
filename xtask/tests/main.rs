//! The black-box tests of the tasks: the manual pages of packages.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[macro_use]
extern crate testkit;

use std::collections::BTreeMap;
use std::fs;

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{GROFF, MAN};

fn list(tests: &mut Tests) {
    add!(
        tests,
        each_program_and_command_has_a_page,
        the_date_of_pages_is_the_builds
    );
    tests.needing(&[GROFF], |tests| {
        add!(tests, a_page_has_the_help_and_its_examples);
        tests.needing(&[MAN], |tests| {
            add!(tests, man_shows_each_page_without_a_warning);
        });
    });
}

/// The task with these words, for a build of this date.
fn task<'d>(dir: &'d Dir, words: &str, date: &str) -> testkit::run::Run<'d> {
    let run = dir.program(env!("CARGO_BIN_EXE_xtask"), words);
    run.env("SOURCE_DATE_EPOCH", date)
}

/// Writes the pages into the folder `pages`; returns them by their names.
fn pages(dir: &Dir, date: &str) -> BTreeMap<String, String> {
    let done = task(dir, "man pages", date).succeeds();
    done.is_quiet().prints_all("");
    let files = fs::read_dir(dir.path("pages")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names
        .map(|name| (name.clone(), dir.text(&format!("pages/{name}"))))
        .collect()
}

fn each_program_and_command_has_a_page() {
    let pages = pages(&Dir::new(), "");
    let mut expected = Vec::new();
    for command in referee::grammars()[0].get_subcommands() {
        if !command.is_hide_set() && command.get_name() != "help" {
            expected.push(format!("referee-{}.1", command.get_name()));
        }
    }
    assert!(expected.contains(&"referee-play.1".to_owned()));
    let programs = "referee replay awful-bot mediocre-bot good-bot human-bot";
    expected.extend(programs.split(' ').map(|name| format!("{name}.1")));
    expected.sort();
    assert_eq!(pages.into_keys().collect::<Vec<_>>(), expected);
}

fn the_date_of_pages_is_the_builds() {
    let dir = Dir::new();
    let undated = pages(&dir, "");
    assert_eq!(undated, pages(&Dir::new(), ""));
    let dated = pages(&dir, "1700000000");
    let version = env!("CARGO_PKG_VERSION");
    for (pages, date) in [(undated, ""), (dated, "2023-11-14")] {
        for (name, title) in [("referee.1", "REFEREE"), ("good-bot.1", "GOOD\\-BOT")] {
            let line =
                format!(".TH {title} 1 \"{date}\" \"referee {version}\" \"Battleship referee\"\n");
            assert!(pages[name].starts_with(&line), "{line}");
        }
    }
    task(&dir, "man nowhere", "today").fails(1, "SOURCE_DATE_EPOCH=today");
}

/// As a person reads them.
fn man_shows_each_page_without_a_warning() {
    let dir = Dir::new();
    for page in pages(&dir, "").keys() {
        let mut run = dir.program("man", format!("--warnings=w,mac -E UTF-8 -l pages/{page}"));
        for (name, value) in [
            ("LC_ALL", "C.UTF-8"),
            ("MANWIDTH", "80"),
            ("MANPAGER", "cat"),
        ] {
            run = run.env(name, value);
        }
        let done = run.succeeds();
        done.is_quiet();
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"] {
            if !done.stdout.lines().any(|line| line == section) {
                done.fail(section);
            }
        }
        if done.stdout.lines().any(|line| line.chars().count() > 80) {
            done.fail("a line is too wide");
        }
    }
}

fn a_page_has_the_help_and_its_examples() {
    let dir = Dir::new();
    pages(&dir, "");
    let shown = |page: &str| {
        let words = format!("-man -Tutf8 -ww -P-c -rLL=78n pages/{page}");
        let done = dir.program("groff", &words).succeeds();
        done.is_quiet();
        // Bold letters are overstruck.
        let letters: Vec<char> = done.stdout.chars().collect();
        let kept = (0..letters.len())
            .filter(|at| letters[*at] != '\u{8}' && letters.get(at + 1) != Some(&'\u{8}'));
        kept.map(|at| letters[at]).collect::<String>()
    };
    let play = shown("referee-play.1");
    // Lines of prose are filled with spaces.
    let words = play.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "SYNOPSIS referee play [OPTIONS] <P1> <P2> DESCRIPTION",
        "--limit <TIME>",
        "NAME= names it;",
        "130 Interrupted.",
    ] {
        assert!(words.contains(part), "{part}\n{play}");
    }
    for (page, part) in [
        (
            "referee-play.1",
            "\n       referee play 'Popeye=python3 my_bot.py' Bluto@bots/bluto=./bluto\n",
        ),
        ("good-bot.1", "--budget"),
        ("replay.1", "replay f LOG OUT"),
        ("referee-tournament.1", "[[player]]"),
    ] {
        let shown = shown(page);
        assert!(shown.contains(part), "{part}\n{shown}");
    }
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
