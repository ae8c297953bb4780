//! Nights that are killed at random moments: what has been played stays, and is not played again.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use battleship::seeded::SeededRng;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::contest::without_times;
use testkit::list::{Tests, Tier};
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(tests, a_night_that_is_killed_twice_loses_nothing);
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
            add!(
                tests,
                a_night_that_is_killed_loses_nothing_and_plays_nothing_twice
            );
        })
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
            add!(
                tests,
                a_class_that_is_killed_in_each_step_is_the_one_that_was_not
            );
        })
    });
}

/// Checks that each record has its series from the first to the last, each once, and that the index counts as many games.
/// Returns the number of series.
pub(super) fn all_series_are_there_once(class: &Class) -> usize {
    let (mut games, mut n_series) = (0, 0);
    for (path, bytes) in class.records() {
        // An empty one is of a series that was stopped.
        if bytes.is_empty() {
            continue;
        }
        let merged = tempfile::tempdir().unwrap();
        let plain = merged.path().join("plain.jsonl");
        let mut merge = testkit::programs::referee();
        // It refuses a record in which a series is twice.
        merge
            .arg("merge")
            .arg(&path)
            .arg("--out")
            .arg(&plain)
            .assert()
            .success();
        let record = without_times(&std::fs::read_to_string(&plain).unwrap());
        let ends = record
            .iter()
            .filter(|line| line["format"] == "battleship-series");
        let series: Vec<u64> = ends.map(|end| end["series"].as_u64().unwrap()).collect();
        let expected: Vec<u64> = (1..=series.len() as u64).collect();
        assert_eq!(series, expected, "{}", path.display());
        n_series += series.len();
        games += record
            .iter()
            .filter(|line| line["format"] == "battleship-game")
            .count();
    }
    let status = class.succeeds(&["status"]);
    assert!(
        status.contains(&format!("; {games} games in all")),
        "{games}: {status}"
    );
    n_series
}

fn a_night_that_is_killed_twice_loses_nothing() {
    survives(2, &["ada"]);
}

fn a_night_that_is_killed_loses_nothing_and_plays_nothing_twice() {
    survives(20, &["ada", "bob", "cyd", "dan"]);
}

/// Kills the nights of a class with these students, and lets the last one end.
fn survives(kills: u32, students: &[&str]) {
    let roster: Vec<_> = students.iter().map(|id| (*id, "", "")).collect();
    let settings = SETTINGS.replace("staff-games = 4", "staff-games = 40");
    let (class, desk) = (Class::new(&settings, &roster), Desk::new());
    for id in students {
        let kit = desk.plain(id);
        class.succeeds(&[
            "add",
            id,
            kit.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ]);
    }
    class.succeeds(&["intake"]);
    class.succeeds(&["check"]);
    let mut rng = SeededRng::keyed([7; 4]);
    let mut seen: BTreeSet<(std::path::PathBuf, usize)> = BTreeSet::new();
    for _ in 0..kills {
        kill(
            &class,
            &["play"],
            Duration::from_millis(20 + rng.next_u64() % 200),
        );
        // Whole series stay as they were: a record only grows.
        let now: BTreeSet<_> = class
            .records()
            .into_iter()
            .map(|(path, bytes)| (path, bytes.len()))
            .collect();
        for (path, length) in &seen {
            assert!(
                now.iter()
                    .any(|(there, now)| there == path && now >= length),
                "{}",
                path.display()
            );
        }
        let status = class.succeeds(&["status"]);
        assert!(status.contains("played"), "{status}");
        seen = whole(&class);
    }
    class.plays();
    all_series_are_there_once(&class);
    assert_eq!(class.plays(), 0);
}

/// Runs a step, and kills it after so long if it has not ended before.
fn kill(class: &Class, step: &[&str], after: Duration) {
    let mut command = Command::new(testkit::programs::built("referee"));
    command
        .arg("class")
        .args(step)
        .arg("-C")
        .arg(class.path(""))
        .stdout(Stdio::null());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let end = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).unwrap();
    let timeout = after.try_into().unwrap();
    poll(&mut [PollFd::new(&end, PollFlags::IN)], Some(&timeout)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The steps of a class, and the longest time in milliseconds after which each is killed.
const STEPS: [(&str, u64); 6] = [
    ("import", 20),
    ("intake", 150),
    ("check", 600),
    ("play", 200),
    ("site", 100),
    ("grade", 50),
];

/// Pairs once had other seeds in a class whose intake was killed, since its bots were numbered in another order.
fn a_class_that_is_killed_in_each_step_is_the_one_that_was_not() {
    let students = ["ada", "bob", "cyd", "dan"];
    let roster = students.map(|id| (id, "", ""));
    let (whole, killed) = (Class::new(SETTINGS, &roster), Class::new(SETTINGS, &roster));
    killed.takes_secret_of(&whole);
    let mut rng = SeededRng::keyed([8; 4]);
    let desk = Desk::new();
    for id in students {
        // With a build, whose end takes its time.
        let build = "run = 'sh bot.sh'\nbuild = 'true'\n";
        fs::write(desk.plain(id).join("bot.toml"), build).unwrap();
    }
    let download = desk.path("");
    for (step, longest) in STEPS {
        let import = [
            step,
            download.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ];
        let words = if step == "import" {
            &import[..]
        } else {
            &[step]
        };
        whole.succeeds(words);
        for _ in 0..20 {
            kill(
                &killed,
                words,
                Duration::from_millis(rng.next_u64() % longest),
            );
        }
        killed.succeeds(words);
    }
    let handed_in = |class: &Class| {
        students.map(|id| {
            fs::read_dir(class.path("submissions").join(id))
                .unwrap()
                .count()
        })
    };
    assert_eq!((handed_in(&whole), handed_in(&killed)), ([1; 4], [1; 4]));
    assert_eq!(whole.games(), killed.games());
    assert_eq!(whole.succeeds(&["grade"]), killed.succeeds(&["grade"]));
    all_series_are_there_once(&killed);
}

/// Returns how long the records are up to the end of what is in the index, which is what `report` and others can rely on.
fn whole(class: &Class) -> BTreeSet<(std::path::PathBuf, usize)> {
    let index = ends_in_index(class);
    class
        .records()
        .into_iter()
        .filter_map(|(path, bytes)| {
            let end = index
                .iter()
                .find(|(file, _)| path.ends_with(file))
                .map(|(_, end)| *end)?;
            assert!(bytes.len() >= end, "{}", path.display());
            Some((path, end))
        })
        .collect()
}

/// Asks the index by Python, which has `SQLite`.
fn ends_in_index(class: &Class) -> Vec<(String, usize)> {
    let program = "import sqlite3, sys\n\
                   for row in sqlite3.connect(sys.argv[1]).execute('select file, max(behind) from series group by file'): print(*row)";
    let output = Command::new("/usr/bin/python3")
        .args(["-c", program])
        .arg(class.path("class.db"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| {
            let (file, end) = line.rsplit_once(' ').unwrap();
            (file.to_owned(), end.parse().unwrap())
        })
        .collect()
}
