//! The listeners of a night: events, a page, bundles, and Ctrl-C.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::kills::all_series_are_there_once;
use super::submissions::Desk;
use super::{Class, SETTINGS};

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

#[test]
#[needs(NAMESPACES, SYSTEM_PYTHON)]
fn a_night_has_events_a_page_and_bundles_as_a_contest_has() {
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
    let bundles = class.path("bad");
    let (page_name, folder) = (page.to_str().unwrap(), bundles.to_str().unwrap());
    let said = class.succeeds(&[
        "play", "--events", "--report", page_name, "--bundle", folder,
    ]);
    let events: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |kind: &'static str| events.iter().filter(move |event| event["event"] == kind);
    let (started, finished) = (
        of("started").next().unwrap(),
        of("finished").next().unwrap(),
    );
    assert_eq!(started["players"].as_array().unwrap().len(), 4);
    let games = of("game_over").count() as u64;
    assert_eq!(finished["summary"]["games"], games);
    assert_eq!(
        finished["summary"]["series"],
        of("series_over").count() as u64
    );
    assert!(games >= 80, "{games}");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("cris") && page.contains("mediocre"));
    // The words of a submission are never ones to type.
    let repeat = fs::read_dir(&bundles)
        .unwrap()
        .find_map(|entry| fs::read_to_string(entry.unwrap().path().join("repeat.sh")).ok());
    assert!(repeat.unwrap().contains("referee class dispute cris "));
    all_series_are_there_once(&class);
    // The dispute that the summary names can be held.
    let players = finished["summary"]["players"].as_array().unwrap();
    let cris = players
        .iter()
        .find(|player| player["name"] == "cris")
        .unwrap();
    let repeat = cris["worst_game"]["repeat"].as_str().unwrap();
    let words: Vec<&str> = repeat.split(' ').collect();
    assert_eq!(words[..3], ["referee", "class", "dispute"]);
    let said = class.succeeds(&words[2..]);
    assert!(said.contains("the same happened"), "{said}");
}

#[test]
#[needs(NAMESPACES)]
fn ctrl_c_ends_a_night_after_the_running_games_and_keeps_what_was_played() {
    let desk = Desk::new();
    let bots = ["ada", "bob"].map(|id| (id, desk.plain(id)));
    // A night that does not end by itself.
    let settings = SETTINGS.replace("staff-games = 4", "staff-games = 2000");
    let class = class_of(&settings, &bots);
    let mut command = Command::new(testkit::common::built("referee"));
    command
        .args(["class", "play", "--events", "-C"])
        .arg(class.path(""));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let is_over = |line: &String| line.contains("\"series_over\"");
    assert!(
        lines
            .by_ref()
            .map(Result::unwrap)
            .any(|line| is_over(&line))
    );
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert!(
        rest.last().unwrap().contains("\"finish\":\"interrupted\""),
        "{rest:?}"
    );
    let series = 1 + rest.iter().filter(|line| is_over(line)).count();
    assert_eq!(all_series_are_there_once(&class), series);
    class.succeeds(&["play", "--most", "1", "--quiet"]);
    assert_eq!(all_series_are_there_once(&class), series + 1);
}
