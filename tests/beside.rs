//! Programs beside the referee: which one is started, and what is said of one that is not there.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use testkit::list::Tests;
use testkit::programs::{Folder, built};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_program_beside_the_referee_comes_before_one_on_the_path,
            an_absent_program_is_named_with_the_way_to_get_it,
            the_current_folder_is_no_place_for_programs,
            a_program_of_another_version_is_refused,
            modules_are_run_by_the_program_beside_the_referee_alone,
            help_marks_programs_that_are_not_installed,
            ctrl_c_reaches_the_program,
            what_hides_a_program_on_the_path_is_a_program,
            help_is_that_of_the_command_of_the_program
        );
    });
}

/// A folder with the referee alone in `bin`, and an empty folder `other`.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["bin", "other", "here"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let copied = Command::new("cp")
        .arg(built("referee"))
        .arg(folder.path("bin/referee"))
        .status();
    assert!(copied.unwrap().success());
    folder
}

/// Writes a program that prints this version, and otherwise its words, and ends with 7.
fn program(path: &str, version: &str) {
    let name = Path::new(path).file_name().unwrap().to_str().unwrap();
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{name} {version}'; exit; fi\necho \"{path} $*\"\nexit 7\n"
    );
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the referee in `here`, with `other` on the PATH in front of `more`.
fn runs(folder: &Folder, more: &str, words: &[&str]) -> Output {
    Command::new(folder.path("bin/referee"))
        .args(words)
        .env(
            "PATH",
            format!("{}{more}:/usr/bin:/bin", folder.path("other")),
        )
        .current_dir(folder.path("here"))
        .output()
        .unwrap()
}

/// Runs `referee class` with words of its own; returns the exit code, the output and the messages.
fn class(folder: &Folder, more: &str) -> (i32, String, String) {
    let output = runs(folder, more, &["class", "play", "--until", "06:00"]);
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn a_program_beside_the_referee_comes_before_one_on_the_path() {
    let folder = folder();
    program(&folder.path("other/referee-class"), VERSION);
    let (code, said, _) = class(&folder, "");
    assert_eq!(code, 7);
    assert!(
        said.ends_with("other/referee-class play --until 06:00\n"),
        "{said}"
    );
    program(&folder.path("bin/referee-class"), VERSION);
    let (code, said, _) = class(&folder, "");
    assert_eq!(code, 7);
    assert!(
        said.ends_with("bin/referee-class play --until 06:00\n"),
        "{said}"
    );
}

fn an_absent_program_is_named_with_the_way_to_get_it() {
    let folder = folder();
    for (words, package) in [
        (&["class", "status"][..], "class"),
        (&["help", "cluster"], "cluster"),
        (&["play", "human", "good", "--web"], "web"),
        (&["play", "bot.wasm", "good"], "wasm"),
    ] {
        let output = runs(&folder, "", words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        let way = format!("cargo install --path programs/{package}");
        assert!(said.contains(&way), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

fn the_current_folder_is_no_place_for_programs() {
    let folder = folder();
    program(&folder.path("here/referee-class"), VERSION);
    let here = format!(":{}", folder.path("here"));
    for more in ["", ":.", ":", "::", &*here] {
        let (code, said, error) = class(&folder, more);
        assert_eq!(code, 2, "{more:?}: {said}{error}");
        assert!(error.contains("is not installed"), "{error}");
    }
}

fn a_program_of_another_version_is_refused() {
    let folder = folder();
    let path = folder.path("other/referee-class");
    program(&path, "0.9.0");
    let (code, _, error) = class(&folder, "");
    assert_eq!(code, 2);
    assert!(
        error.contains(&path) && error.contains("version \"0.9.0\"") && error.contains(VERSION),
        "{error}"
    );
    fs::write(&path, "#!/bin/sh\nexit 1\n").unwrap();
    let (code, _, error) = class(&folder, "");
    assert_eq!(code, 2);
    assert!(error.contains("no version of its own"), "{error}");
}

fn modules_are_run_by_the_program_beside_the_referee_alone() {
    let folder = folder();
    program(&folder.path("other/referee-wasm"), VERSION);
    let output = runs(&folder, "", &["play", "bot.wasm", "good"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("is not installed"), "{said}");
}

fn help_marks_programs_that_are_not_installed() {
    let folder = folder();
    program(&folder.path("other/referee-class"), VERSION);
    let output = runs(&folder, "", &["--help"]);
    let help = String::from_utf8(output.stdout).unwrap();
    let line = |word: &str| {
        help.lines()
            .find(|line| line.trim_start().starts_with(&format!("{word} ")))
            .unwrap()
    };
    assert!(!line("class").contains("not installed"), "{help}");
    for word in ["cluster", "wasm", "web"] {
        assert!(line(word).ends_with("(not installed)"), "{help}");
    }
}

fn ctrl_c_reaches_the_program() {
    let folder = folder();
    let path = folder.path("bin/referee-class");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'referee-class {VERSION}'; exit; fi\n\
         trap 'exit 130' INT\necho ready\nwhile :; do sleep 0.01; done\n"
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(folder.path("bin/referee"))
        .arg("class")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    assert_eq!(line, "ready\n");
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

fn what_hides_a_program_on_the_path_is_a_program() {
    let folder = folder();
    fs::write(folder.path("bin/referee-class"), "not a program").unwrap();
    program(&folder.path("other/referee-class"), VERSION);
    let (code, said, _) = class(&folder, "");
    assert_eq!(code, 7);
    assert!(said.contains("other/referee-class"), "{said}");
}

fn help_is_that_of_the_command_of_the_program() {
    let folder = folder();
    program(&folder.path("bin/referee-class"), VERSION);
    let output = runs(&folder, "", &["help", "class", "init"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with("referee-class init --help\n"), "{said}");
}
