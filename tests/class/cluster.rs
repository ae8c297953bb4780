//! A night in parts, as a scheduler of a cluster plays it.

use std::collections::BTreeSet;
use std::fs::{self, File};

use predicates::prelude::*;
use predicates::str::contains;

use super::kills::all_series_are_there_once;
use super::submissions::Desk;
use super::{Class, SETTINGS};

const THREE: &[&str] = &["ada", "bob", "cyd"];

/// A class whose bots have been checked.
fn class_of(students: &[&str]) -> Class {
    let desk = Desk::new();
    let roster: Vec<_> = students.iter().map(|id| (*id, "", "")).collect();
    let class = Class::called("class", SETTINGS, &roster);
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
    class
}

#[test]
#[needs(NAMESPACES)]
fn a_class_plays_in_parts() {
    let class = class_of(&THREE[..1]);
    let said = class.succeeds(&["play", "--on", "local", "--shards", "2"]);
    assert!(
        said.ends_with(" series of 2 parts are in the pool\n"),
        "{said}"
    );
    all_series_are_there_once(&class);
    assert_eq!(class.plays(), 0);
}

#[test]
#[ignore = "thorough"]
#[needs(NAMESPACES)]
fn parts_come_to_the_same_games_as_one_machine() {
    is_the_night_of_one_machine("local", &[]);
}

/// Checks that a night that this scheduler plays, with these variables in the environment, has the games of one that this
/// machine plays.
pub(crate) fn is_the_night_of_one_machine(scheduler: &str, environment: &[(&str, &str)]) {
    let (alone, apart) = (class_of(THREE), class_of(THREE));
    // The games of two classes are the same only if their seeds are.
    apart.takes_secret_of(&alone);
    apart.succeeds(&["check"]);
    let series = alone.plays();
    let play = |more: &[&str]| {
        let mut command = apart.command(&["play", "--on", scheduler]);
        command.envs(environment.iter().copied()).args(more);
        let output = command.assert().success().get_output().clone();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        play(&["--shards", "3"]),
        format!("{series} series of 3 parts are in the pool\n")
    );
    assert!(!apart.path("cluster").exists());
    assert_eq!(alone.games(), apart.games());
    all_series_are_there_once(&apart);
    let nothing = play(&[]);
    assert!(nothing.starts_with("nothing to play"), "{nothing}");
}

#[test]
#[ignore = "thorough"]
#[needs(NAMESPACES)]
fn a_part_continues_where_it_was_and_counts_once() {
    let class = class_of(THREE);
    let script = class.succeeds(&["play", "--on", "slurm", "--dry-run", "--shards", "2"]);
    assert!(script.starts_with("sbatch "), "{script}");
    let folder = class.path("cluster");
    let part = |part: &str| class.output(&["part", folder.to_str().unwrap(), part]);
    assert!(part("1/2").status.success());
    let files = || -> BTreeSet<_> {
        let entries = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries
            .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
            .collect()
    };
    let first = files();
    assert_eq!(first.len(), 1);
    let file = first.first().unwrap().clone();
    let whole = fs::read_to_string(&file).unwrap();
    assert!(part("1/2").status.success());
    assert_eq!(files(), first, "all of it was there");
    // Its node died in the middle of a line: whole series are not played again.
    let ends = whole.match_indices("{\"format\":\"battleship-series\"");
    let ends: Vec<usize> = ends
        .map(|(at, _)| at + whole[at..].find('\n').unwrap() + 1)
        .collect();
    assert!(ends.len() >= 3, "{whole}");
    fs::write(&file, &whole[..ends[1] + 100]).unwrap();
    assert!(part("1/2").status.success());
    let second = files().into_iter().find(|path| *path != file).unwrap();
    let again = fs::read_to_string(&second).unwrap();
    assert!(again.starts_with(&whole[..ends[1]]));
    assert_eq!(again.matches("\"battleship-series\"").count(), ends.len());
    // The first copy of it was not dead after all.
    fs::write(&file, &whole).unwrap();
    for (typed, what) in [
        ("3/2", "has 2 parts"),
        ("1/3", "has 2 parts"),
        ("x", "write K/2"),
    ] {
        let refused = part(typed);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            String::from_utf8_lossy(&refused.stderr).contains(what),
            "{refused:?}"
        );
    }
    // The part that is missing is all that is played.
    let said = class.succeeds(&["play", "--on", "local"]);
    assert!(
        said.contains(" series of 2 parts are in the pool"),
        "{said}"
    );
    all_series_are_there_once(&class);
}

#[test]
#[ignore = "thorough"]
#[needs(NAMESPACES)]
fn parts_of_other_terms_are_refused() {
    let class = class_of(THREE);
    class.succeeds(&["play", "--on", "slurm", "--dry-run", "--shards", "1"]);
    let folder = class.path("cluster");
    let part = |class: &Class| class.command(&["part", folder.to_str().unwrap(), "1/1"]);
    part(&class).assert().success();
    class.set(&format!(
        "[game]\nrows = 6\ncols = 6\nship = ['2 R rowboat']\n{SETTINGS}"
    ));
    part(&class)
        .assert()
        .code(2)
        .stderr(contains("changed since this was planned"));
    let mut play = class.command(&["play", "--on", "local"]);
    play.assert().code(2).stderr(contains(
        "changed since this was planned; remove this folder",
    ));
    assert!(class.records().is_empty());
}

#[test]
#[needs(NAMESPACES)]
fn a_night_that_version_1_0_0_rc_1_planned_is_refused_and_left_as_it_is() {
    let class = class_of(&THREE[..1]);
    let folder = class.path("cluster");
    fs::create_dir(&folder).unwrap();
    let plan = r#"{"version":1,"terms":"0123456789abcdef","parts":1,"bots":[],"pairs":[]}"#;
    fs::write(folder.join("plan.json"), plan).unwrap();
    let play = class.command(&["play", "--on", "local"]).assert().code(2);
    play.stderr(contains(
        "let that version finish it, or remove this folder",
    ));
    assert_eq!(fs::read_to_string(folder.join("plan.json")).unwrap(), plan);
}

/// The folder with what was played was once removed, though another program held the records of the bots.
#[test]
#[ignore = "thorough"]
#[needs(NAMESPACES)]
fn what_a_part_has_played_waits_for_another_program_that_plays_the_same_bots() {
    let class = class_of(&THREE[..1]);
    // Makes the records.
    class.succeeds(&["play", "--most", "2"]);
    let files: Vec<File> = class
        .records()
        .iter()
        .map(|(path, _)| File::open(path).unwrap())
        .collect();
    for file in &files {
        file.lock().unwrap();
    }
    let play = class
        .command(&["play", "--on", "local", "--shards", "1"])
        .assert()
        .code(1);
    play.stderr(contains("another program plays these two").and(contains("series wait in")));
    drop(files);
    let before = all_series_are_there_once(&class);
    let said = class.succeeds(&["play", "--on", "local"]);
    assert!(said.starts_with("nothing to play"), "{said}");
    assert!(
        all_series_are_there_once(&class) > before,
        "they are in the pool"
    );
    assert_eq!(class.plays(), 0);
}
