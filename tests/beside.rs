//! Programs beside the referee: which one is started, and what is said of one that is not there.

#![cfg(unix)]

use testkit::list::Tests;
use testkit::programs::referee_in;
use testkit::run::{Dir, Run};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_program_beside_the_referee_comes_first,
            the_current_folder_is_no_place_for_programs,
            a_program_of_another_version_is_refused,
            help_marks_absent_programs,
            ctrl_c_reaches_the_program
        );
        rows!(tests, ABSENT, an_absent_program_is_named);
    });
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A folder with the referee alone in `bin`, and an empty folder `here`.
fn folder() -> Dir {
    let dir = Dir::new();
    dir.file("here/notes.txt", "").file("bin/notes.txt", "");
    referee_in(&dir.path("bin"));
    dir
}

/// Makes a program that prints this version, and otherwise does this.
fn program(dir: &Dir, path: &str, version: &str, does: &str) {
    let name = path.rsplit('/').next().unwrap();
    let script =
        format!("#!/bin/sh\n[ \"$1\" != --version ] || exec echo '{name} {version}'\n{does}\n");
    dir.file(path, script).executable(path);
}

/// The words of a program, so that it can be told from another.
const ECHO: &str = "echo \"$0 $*\"; exit 7";

/// Runs the referee in `here`, with `other` on the PATH in front of `more`.
fn run<'d>(dir: &'d Dir, more: &str, words: &str) -> Run<'d> {
    let referee = dir.path("bin/referee");
    let path = format!("{}{more}:/usr/bin:/bin", dir.path("other").display());
    dir.program(referee.to_str().unwrap(), words)
        .env("PATH", path)
        .within("here")
}

fn a_program_beside_the_referee_comes_first() {
    let dir = folder();
    // What no one can run does not hide what is on the PATH.
    dir.file("bin/referee-class", "not a program");
    for place in ["other", "bin"] {
        program(&dir, &format!("{place}/referee-class"), VERSION, ECHO);
        let done = run(&dir, "", "class play --until 06:00").ends();
        let words = format!("/{place}/referee-class play --until 06:00\n");
        done.exits(7).prints(&words);
    }
    run(&dir, "", "help class init")
        .ends()
        .prints("/bin/referee-class init --help\n");
}

/// Words that need a program, and the package of it. One that runs modules is beside the referee or
/// nowhere.
const ABSENT: [(&str, &str); 4] = [
    ("class status", "class"),
    ("help web", "web"),
    ("play human good --web", "web"),
    ("play bot.wasm good", "wasm"),
];

fn an_absent_program_is_named((words, package): (&str, &str)) {
    let dir = folder();
    program(&dir, "other/referee-wasm", VERSION, ECHO);
    let way = format!("cargo install --locked --path programs/{package}");
    let done = run(&dir, "", words).fails(2, &way);
    done.warns("is not installed");
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}

fn the_current_folder_is_no_place_for_programs() {
    let dir = folder();
    program(&dir, "here/referee-class", VERSION, ECHO);
    let here = format!(":{}", dir.path("here").display());
    for more in ["", ":.", ":", "::", &here] {
        run(&dir, more, "class status").fails(2, "is not installed");
    }
}

fn a_program_of_another_version_is_refused() {
    let dir = folder();
    let path = "other/referee-class";
    program(&dir, path, "0.9.0", ECHO);
    run(&dir, "", "class status")
        .fails(2, path)
        .warns("version \"0.9.0\"")
        .warns(VERSION);
    dir.file(path, "#!/bin/sh\nexit 1\n").executable(path);
    run(&dir, "", "class status").fails(2, "no version of its own");
}

fn help_marks_absent_programs() {
    let dir = folder();
    program(&dir, "other/referee-class", VERSION, ECHO);
    let help = run(&dir, "", "--help").succeeds().stdout;
    for (word, is_marked) in [("class", false), ("wasm", true), ("web", true)] {
        let word = format!("  {word} ");
        let line = help.lines().find(|line| line.starts_with(&word)).unwrap();
        assert_eq!(line.ends_with("(not installed)"), is_marked, "{line}");
    }
}

fn ctrl_c_reaches_the_program() {
    let dir = folder();
    let waits = "trap 'exit 130' INT\n: > ready\nwhile :; do sleep 0.01; done";
    program(&dir, "bin/referee-class", VERSION, waits);
    let is_ready = || dir.path("here/ready").exists();
    run(&dir, "", "class status")
        .interrupted(is_ready)
        .exits(130);
}
