//! The black-box tests of classes: submissions of every kind, night after night. They run `referee class`, which starts the
//! `referee-class` that is built beside it.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[macro_use]
extern crate testkit;

mod bounds;
mod codes;
mod followed;
mod handed_in;
mod hostile;
mod house_rules;
mod imported;
mod kills;
mod machine;
mod modules;
mod names;
mod neighbours;
mod nights;
mod pages;
mod refusals;
mod submissions;
mod suspicious;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use testkit::contest::without_times;
use testkit::list::Tests;
use testkit::programs::referee;

fn list(tests: &mut Tests) {
    bounds::tests(tests);
    codes::tests(tests);
    followed::tests(tests);
    handed_in::tests(tests);
    hostile::tests(tests);
    house_rules::tests(tests);
    imported::tests(tests);
    kills::tests(tests);
    machine::tests(tests);
    modules::tests(tests);
    names::tests(tests);
    neighbours::tests(tests);
    nights::tests(tests);
    pages::tests(tests);
    refusals::tests(tests);
    suspicious::tests(tests);
}

/// The settings of the classes here: few games, so that a night is short.
const SETTINGS: &str = "\
[build]
time = '120s'
size = 20
[play]
series = 2
provisional = 4
staff-games = 4
most-staff-games = 4
interval = 1000
[[staff]]
name = 'awful'
command = 'awful'
[[staff]]
name = 'mediocre'
command = 'mediocre'
rating = 1000
[[grade]]
against = 'awful'
above = 0.1
points = 40
[[grade]]
against = 'mediocre'
above = 0.99
points = 60
hidden = true
";

/// The folder of a class, in one whose name needs quotation marks.
pub(crate) struct Class {
    folder: TempDir,
    name: &'static str,
}

impl Class {
    /// Makes a class with these students: their ids, names and teams.
    pub(crate) fn new(settings: &str, students: &[(&str, &str, &str)]) -> Class {
        Class::called("the teacher's class", settings, students)
    }

    /// The same in a folder of another name: schedulers take fewer characters than file systems.
    pub(crate) fn called(
        name: &'static str,
        settings: &str,
        students: &[(&str, &str, &str)],
    ) -> Class {
        let class = Class {
            folder: tempfile::tempdir().unwrap(),
            name,
        };
        class.succeeds(&["init", "CS 32"]);
        class.set(settings);
        let lines = students
            .iter()
            .map(|(id, name, team)| format!("{id},{name},{team}\n"));
        let roster = format!("id,name,team\n{}", lines.collect::<String>());
        fs::write(class.path("roster.csv"), roster).unwrap();
        class
    }

    pub(crate) fn set(&self, settings: &str) {
        let config = format!("name = 'CS 32'\ndeadline = 2026-12-01T23:59:00Z\n{settings}");
        fs::write(self.path("class.toml"), config).unwrap();
    }

    /// Returns a path in the folder of the class.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(self.name).join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> assert_cmd::Command {
        let mut command = referee();
        command
            .arg("class")
            .args(arguments)
            .arg("-C")
            .arg(self.path(""))
            .current_dir(&self.folder);
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a step that has to succeed; returns what it printed.
    pub(crate) fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Plays until nothing is left; returns the number of series.
    pub(crate) fn plays(&self) -> u64 {
        let said = self.succeeds(&["play"]);
        if said.starts_with("nothing to play") {
            return 0;
        }
        let (series, rest) = said.split_once(" series, ").unwrap();
        assert!(rest.contains("nothing is left to play"), "{said}");
        // Asked again, the class says the same.
        assert!(
            self.succeeds(&["status"]).contains("left        nothing"),
            "{said}"
        );
        series.parse().unwrap()
    }

    /// Returns all records with their bytes, by their paths in the folder of games.
    pub(crate) fn records(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut records = Vec::new();
        collect(&self.path("games"), &mut records);
        records.sort();
        records
    }

    /// Returns the records without times, and without what only the folder of the class says.
    pub(crate) fn games(&self) -> Vec<Vec<Value>> {
        let read = |path: &Path| {
            let plain = tempfile::tempdir().unwrap();
            let out = plain.path().join("plain.jsonl");
            referee()
                .arg("merge")
                .arg(path)
                .arg("--out")
                .arg(&out)
                .assert()
                .success();
            without_times(&fs::read_to_string(out).unwrap())
        };
        let mut all: Vec<_> = self.records().iter().map(|(path, _)| read(path)).collect();
        all.sort_by_key(|record| record[0].to_string());
        all
    }

    /// Has this class play the games of `other`, whose seeds follow from another secret.
    pub(crate) fn takes_secret_of(&self, other: &Class) {
        fs::copy(other.path("class.secret"), self.path("class.secret")).unwrap();
    }

    /// Returns the page of a student.
    pub(crate) fn page_of(&self, id: &str) -> String {
        let list = fs::read_to_string(self.path("private/pages.csv")).unwrap();
        let line = list
            .lines()
            .find(|line| line.starts_with(&format!("{id},")))
            .unwrap();
        let (_, name) = line.rsplit_once(',').unwrap();
        fs::read_to_string(self.path("private").join(name)).unwrap()
    }

    pub(crate) fn public_page(&self) -> String {
        fs::read_to_string(self.path("site/index.html")).unwrap()
    }
}

fn collect(folder: &Path, records: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            collect(&entry.path(), records);
        } else {
            records.push((entry.path(), fs::read(entry.path()).unwrap()));
        }
    }
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
