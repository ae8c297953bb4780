//! The programs that the tests run, and files of the project.

use std::path::{Path, PathBuf};

use crate::wine;

/// A command that runs one of the programs, without arguments.
pub fn program(name: &str) -> std::process::Command {
    if wine::is_used() {
        wine::command(name)
    } else {
        std::process::Command::new(built(name))
    }
}

/// A placement of the standard fleet: each ship in a row of its own, at the left.
pub const PLACEMENT: &str = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h";

/// A program that is built beside the tests, by its path from there.
pub fn built(path: &str) -> String {
    if wine::is_used() {
        return wine::windows_path(&wine::built(path));
    }
    let program = profile_folder().join(path);
    assert!(
        program.is_file(),
        "cargo build --workspace --bins --examples builds {}",
        program.display()
    );
    program.to_str().unwrap().to_owned()
}

/// Whether a program is built beside the tests.
pub fn is_built(path: &str) -> bool {
    profile_folder().join(path).is_file()
}

/// Returns the folder in which cargo has put what it built with the tests.
pub(crate) fn profile_folder() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.parent().unwrap().parent().unwrap().to_owned()
}

/// Returns cargo's target folder.
pub fn target() -> PathBuf {
    profile_folder().parent().unwrap().to_owned()
}

/// Puts the referee into `folder` too. Returns where it is there.
#[cfg(target_os = "linux")]
pub fn referee_in(folder: &Path) -> PathBuf {
    let referee = built("referee");
    let there = folder.join("referee");
    // A link costs nothing, where both are on one disk.
    if std::fs::hard_link(&referee, &there).is_err() {
        // Not by this process: what another test starts meanwhile would hold the file open, and it
        // could not be run.
        let copied = std::process::Command::new("cp")
            .arg(referee)
            .arg(&there)
            .status()
            .unwrap();
        assert!(copied.success(), "{copied}");
    }
    there
}

/// A file of the project.
pub fn project_file(path: impl AsRef<Path>) -> PathBuf {
    let kit = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Without `..`, which a sandbox does not resolve.
    let project = kit.ancestors().nth(2).expect("the kit is in tests/kit");
    project.join(path)
}

/// Returns the text of a file.
pub fn text_of(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The first fenced block of `language` in `text` after `heading`.
pub fn block<'t>(text: &'t str, heading: &str, language: &str) -> &'t str {
    let after = text.split_once(heading).unwrap().1;
    let opening = format!("```{language}\n");
    after
        .split_once(opening.as_str())
        .unwrap()
        .1
        .split_once("\n```")
        .unwrap()
        .0
}

/// The example in Python, as a player.
pub fn python() -> String {
    format!(
        "python3 '{}'",
        project_file("examples/python/bot.py").display()
    )
}

/// The example in C++, compiled into `folder`, as a player.
pub fn cpp(folder: &Path) -> String {
    let program = folder.join("bot");
    let compiled = std::process::Command::new("c++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O2", "-o"])
        .args([&program, &project_file("examples/cpp/bot.cpp")])
        .output()
        .expect("the tests need a C++ compiler that answers to c++ (on Debian: apt install g++)");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    program.display().to_string()
}
