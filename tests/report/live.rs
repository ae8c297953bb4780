//! The page of a contest that runs.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use super::Page;
use testkit::arena::until;
use testkit::contest::lines_in;
use testkit::list::Tests;
use testkit::programs::{Folder, referee, text_of};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_watched_page_follows_the_contest_to_its_end,
            watching_ends_with_an_interrupt_and_leaves_a_whole_page,
            a_contest_that_is_interrupted_leaves_a_page_that_says_so
        );
    });
}

/// The record of a tournament, and where it is.
fn record(folder: &Folder) -> (String, String) {
    let path = folder.path("cup.jsonl");
    let mut play = referee();
    play.args([
        "tournament",
        "awful",
        "mediocre",
        "m=mediocre",
        "--games",
        "8",
        "--series",
        "2",
    ]);
    play.args(["--seed", "1", "-q", "--out", &path])
        .assert()
        .code(0);
    (text_of(&path), path)
}

/// Watches the contest in `record`, until the first page is written.
fn watch(record: &str, page: &str) -> Child {
    let mut watch = Command::new(env!("CARGO_BIN_EXE_referee"));
    watch
        .args(["report", record, "--follow", "-o", page])
        .stderr(Stdio::piped());
    let mut child = watch.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    let line = lines
        .find(|line| line.as_ref().unwrap().contains("games so far"))
        .unwrap()
        .unwrap();
    assert!(
        line.contains("of 24 games so far; the page is written again until"),
        "{line}"
    );
    child
}

fn a_watched_page_follows_the_contest_to_its_end() {
    let folder = Folder::new();
    let (whole, path) = record(&folder);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // A line that is cut short is still being written.
    let half = lines[..16].concat() + &lines[16][..100];
    std::fs::write(&path, &half).unwrap();
    let page = folder.path("page.html");
    let mut child = watch(&path, &page);
    let seen = Page::read(&page);
    assert_eq!(
        (&seen.data["live"]["done"], &seen.data["live"]["of"]),
        (&10.into(), &24.into())
    );
    let mut record = OpenOptions::new().append(true).open(&path).unwrap();
    record.write_all(&whole.as_bytes()[half.len()..]).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let seen = Page::read(&page);
    assert_eq!(
        (&seen.data["live"], &seen.data["games"]),
        (&serde_json::Value::Null, &24.into())
    );
}

fn watching_ends_with_an_interrupt_and_leaves_a_whole_page() {
    let folder = Folder::new();
    let (whole, path) = record(&folder);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    std::fs::write(&path, lines[..10].concat()).unwrap();
    let page = folder.path("page.html");
    let mut child = watch(&path, &page);
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(Page::read(&page).data["live"]["finished"], false);
}

fn a_contest_that_is_interrupted_leaves_a_page_that_says_so() {
    let folder = Folder::new();
    let page = folder.path("page.html");
    let mut play = Command::new(env!("CARGO_BIN_EXE_referee"));
    play.args([
        "match", "awful", "mediocre", "--games", "1000000", "--seed", "1", "--quiet",
    ]);
    play.args(["--out", &folder.path("m.jsonl"), "--report", &page])
        .stdout(Stdio::null());
    let mut child = play.stderr(Stdio::null()).spawn().unwrap();
    // Not before a series has been counted.
    until("a series is recorded", || {
        lines_in(folder.path("m.jsonl")) > 1
    });
    assert_eq!(Page::read(&page).data["live"]["finished"], false);
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let page = Page::read(&page);
    assert_eq!(page.data["live"], serde_json::Value::Null);
    assert!(page.html.contains("stopped before its end"));
}
