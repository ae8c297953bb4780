//! The refusals of a class, and their messages.

use std::fs;

use predicates::str::contains;

use testkit::list::Tests;
use testkit::programs::referee;

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, what_is_wrong_is_named);
}

fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let status = |text: &'static str| {
        let mut command = referee();
        command
            .args(["class", "status"])
            .current_dir(&folder)
            .assert()
            .code(2)
            .stderr(contains(text));
    };
    status("there is no");
    status("referee class init");
    let mut init = referee();
    init.args(["class", "init"])
        .current_dir(&folder)
        .assert()
        .success();
    let mut again = referee();
    again
        .args(["class", "init"])
        .current_dir(&folder)
        .assert()
        .code(2)
        .stderr(contains("exists"));
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("roster.csv", "id\nada\nada\n");
    status("roster.csv, line 3: the id \"ada\" is in line 2 too");
    write("roster.csv", "id\nada\nawful\n");
    status("awful is a student or a team of the roster, too");
    write("roster.csv", "id\nada\n");
    for (text, what) in [
        (
            "[game]\nrulez = 'twist'",
            "class.toml, [game]: there is no \"rulez\"",
        ),
        ("[game]\nrules = 'chess'", "class.toml, [game]: "),
        ("[game]\nlimit = 'soon'", "class.toml, [game]: "),
        (
            "[play]\nseries = 3",
            "class.toml: series = 3: write an even number",
        ),
        ("[[staff]]\nname = 'x'\ncommand = 'human'", "x is a person"),
    ] {
        write("class.toml", &format!("name = 'x'\n{text}\n"));
        status(what);
    }
    write("class.toml", "name = 'x'\n");
    let step = |words: &[&str], what: &'static str| {
        let mut command = referee();
        command
            .arg("class")
            .args(words)
            .current_dir(&folder)
            .assert()
            .code(2)
            .stderr(contains(what));
    };
    step(&["add", "bob", "class.toml"], "no student of");
    step(
        &["add", "ada", "class.toml"],
        "this is not a folder or a .zip",
    );
    step(&["add", "ada", "nothing.zip"], "nothing.zip: ");
    step(
        &["add", "ada", "submissions", "--at", "soon"],
        "\"soon\" is not a time",
    );
    step(&["import", "nothing.zip"], "nothing.zip: ");
    step(
        &["import", "class.toml"],
        "class.toml: \"class.toml\" is not a folder or a .zip",
    );
    step(&["extend", "bob", "2026-12-03T10:00:00Z"], "no student of");
    step(
        &["extend", "ada", "2026-12-03T10:00:00Z"],
        "there is no deadline",
    );
    step(
        &["play", "--until", "soon"],
        "--until soon: write a time of day",
    );
    step(&["dispute", "ada", "17"], "write OPPONENT:NUMBER");
    step(
        &["dispute", "ada", "bob:1"],
        "no bot of the class is called",
    );
    step(&["grade"], "there is no [[grade]]");
    for own in [
        "class.toml",
        "class.db",
        "roster.csv",
        "./class.secret",
        "submissions/x.csv",
    ] {
        let what = "is a file of the class; name another one";
        step(&["grade", "--force", "--csv", own], what);
    }
    step(&["grade", "--csv", "g.csv"], "there is no [[grade]]");
    step(&["check", "bob"], "no student of the roster has the id");
}
