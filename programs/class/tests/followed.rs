//! The listeners of a night: a page, and Ctrl-C.

use std::fs;
use std::process::{Command, Stdio};

use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process};
use testkit::arena::until;

use super::kills::all_series_are_there_once;
use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::Tests;
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(tests, a_night_has_a_page_as_a_contest_has);
    });
    tests.needing(&[NAMESPACES], |tests| {
        add!(
            tests,
            ctrl_c_ends_a_night_after_the_running_games_and_keeps_what_was_played
        );
    });
}

/// A class of these bots, after their check.
fn class_of(settings: &str, bots: &[(&str, std::path::PathBuf)]) -> Class {
    let roster: Vec<_> = bots.iter().map(|(id, _)| (*id, "", "")).collect();
    let class = Class::new(settings, &roster);
    for (id, kit) in bots {
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
    class
}

fn a_night_has_a_page_as_a_contest_has() {
    let desk = Desk::new();
    // In every third or fourth game of a process.
    let deed = "import sys; sys.n = getattr(sys, 'n', 0) + 1\n        if sys.n == 150: raise KeyError('Cris')";
    let bots = [
        ("ada", desk.plain("ada")),
        ("cris", desk.python_that("cris", deed)),
    ];
    let settings = SETTINGS.replace("series = 2", "series = 10");
    let class = class_of(
        &settings.replace("staff-games = 4", "staff-games = 20"),
        &bots,
    );
    class
        .command(&["play", "--watch"])
        .assert()
        .code(2)
        .stderr(contains("needs a terminal"));
    let other = class.path("class.toml");
    let refused = class
        .command(&["play", "--report", other.to_str().unwrap()])
        .assert()
        .code(2);
    refused.stderr(contains("class.toml"));
    let page = class.path("night.html");
    class.succeeds(&["play", "--report", page.to_str().unwrap()]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("cris") && page.contains("mediocre"));
    all_series_are_there_once(&class);
}

fn ctrl_c_ends_a_night_after_the_running_games_and_keeps_what_was_played() {
    let desk = Desk::new();
    let bots = ["ada", "bob"].map(|id| (id, desk.plain(id)));
    // A night that does not end by itself.
    let settings = SETTINGS.replace("staff-games = 4", "staff-games = 2000");
    let class = class_of(&settings, &bots);
    let mut command = Command::new(testkit::programs::built("referee"));
    command
        .args(["class", "play", "--quiet", "-C"])
        .arg(class.path(""));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    until("a series is in the pool", || {
        class.records().iter().any(|(_, record)| !record.is_empty())
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let series = all_series_are_there_once(&class);
    assert!(series > 0);
    class.succeeds(&["play", "--most", "1", "--quiet"]);
    assert_eq!(all_series_are_there_once(&class), series + 1);
}
