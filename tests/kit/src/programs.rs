//! The programs that the tests run, and files of the project.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::wine;

/// The referee, without arguments.
pub fn referee() -> Command {
    Command::from_std(program("referee"))
}

/// A command that runs one of the programs, without arguments.
pub fn program(name: &str) -> std::process::Command {
    crate::list::STARTS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    if wine::is_used() {
        wine::command(name)
    } else {
        std::process::Command::new(built(name))
    }
}

/// A player that misbehaves as `flags` say.
pub fn misbehaving(flags: &str) -> String {
    format!("rogue={} {flags}", misbehaving_bot())
}

/// A placement of the standard fleet: each ship in a row of its own, at the left.
pub const PLACEMENT: &str = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h";

/// A player that places and orders as `words` say, at once.
pub fn scripted(name: &str, words: &[&str]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    format!("{name}={} script {}", test_bot(), words.join(" "))
}

/// The good player, with a tenth of the time to think: still better than mediocre, for tests in which how much
/// better is not the point.
pub fn good() -> String {
    format!("good={} --budget 0.1", built("good-bot"))
}

/// The program that misbehaves.
fn misbehaving_bot() -> String {
    test_bot() + " act"
}

/// The bot of the tests, in need of a word that says what kind of a bot it is.
pub fn test_bot() -> String {
    built("examples/test-bot")
}

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

/// A folder for the files of one test.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file; returns its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

/// Runs a program until it has written a line, and reads no more of it; returns the line and the exit code.
pub fn cut_off(command: &mut std::process::Command) -> (String, i32) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    (line, child.wait().unwrap().code().unwrap())
}

/// Plays a game with `--json` and returns its record and the exit code.
pub fn play(players: [&str; 2], options: &[&str]) -> (Value, i32) {
    let output = referee()
        .arg("play")
        .args(players)
        .arg("--json")
        .args(options)
        .output()
        .unwrap();
    let record = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {output:?}");
    });
    (record, output.status.code().unwrap())
}

/// The options of a short game.
pub const SMALL: [&str; 8] = [
    "--rows",
    "2",
    "--cols",
    "3",
    "--ship",
    "2 R rowboat",
    "--seed",
    "1",
];

/// Puts the referee into `folder` too. Returns where it is there.
#[cfg(target_os = "linux")]
pub fn referee_in(folder: &Path) -> PathBuf {
    let referee = built("referee");
    let there = folder.join("referee");
    // A link costs nothing, where both are on one disk.
    if std::fs::hard_link(&referee, &there).is_err() {
        // Not by this process: what another test starts meanwhile would hold the file open, and it could not be run.
        let copied = std::process::Command::new("cp")
            .arg(referee)
            .arg(&there)
            .status()
            .unwrap();
        assert!(copied.success(), "{copied}");
    }
    there
}

/// Text of the referee that quotes words as the shells of this system do, as it is on the system of the tested programs.
pub fn quoted_there(text: &str) -> String {
    if wine::is_used() {
        text.replace('\'', "\"")
    } else {
        text.to_owned()
    }
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
