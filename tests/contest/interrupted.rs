//! Matches that are killed, interrupted, or lose their referee.

use std::path::Path;
use std::process::{Child, Stdio};

use super::matches::small_match;
use crate::common::arena::until;
use crate::common::contest::{lines_in, without_times};
#[cfg(target_os = "linux")]
use crate::common::{Folder, referee_in};
use crate::common::{SMALL, program, text_of};
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_match_that_is_killed_continues_without_losing_a_game,
            an_interrupted_match_saves_what_it_has_and_says_how_to_continue
        );
    });
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX], |tests| {
            rows!(
                tests,
                REPLACED,
                a_match_whose_referee_is_replaced_ends_and_says_so
            );
        });
    }
}

/// Kills the referee as soon as the record in `file` has this many lines.
fn kill_after(mut referee: Child, file: &Path, lines: usize) {
    until("games are recorded", || lines_in(file) >= lines);
    referee.kill().unwrap();
    referee.wait().unwrap();
}

/// A match, started.
fn start_match(file: &Path, options: &[&str], stderr: Stdio) -> Child {
    program("referee")
        .args([
            "match", "awful", "mediocre", "--quiet", "--games", "60", "--series", "4",
        ])
        .args(SMALL)
        .arg("--out")
        .arg(file)
        .args(options)
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap()
}

fn a_match_that_is_killed_continues_without_losing_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    small_match(&whole, &[]).assert().success();
    let whole = without_times(&text_of(&whole));
    let mut rng = battleship::seeded::SeededRng::new(4);
    for run in 0..8 {
        let file = folder.path().join(format!("run {run}"));
        // 60 games, 15 series and the beginning make 76 lines.
        let lines = 1 + rng.below(75);
        kill_after(start_match(&file, &[], Stdio::null()), &file, lines);
        if rng.coin() {
            let left = start_match(&file, &["--resume", "--jobs", "1"], Stdio::null());
            kill_after(left, &file, (lines_in(&file) + rng.below(15)).min(76));
        }
        small_match(&file, &["--resume"]).assert().success();
        assert_eq!(without_times(&text_of(&file)), whole, "run {run}");
    }
}

/// The replacement of the program of a referee, and the options with which it plays.
#[cfg(target_os = "linux")]
const REPLACED: [(&str, bool, &[&str]); 3] = [
    ("by another file", false, &[]),
    ("moved away", true, &[]),
    ("moved away without supervisors", true, &["--portable"]),
];

/// As by a build or an update meanwhile: the shipped players would be others from then on.
#[cfg(target_os = "linux")]
fn a_match_whose_referee_is_replaced_ends_and_says_so(
    (_, is_moved, options): (&str, bool, &[&str]),
) {
    let folder = Folder::new();
    let referee = referee_in(folder.path("").as_ref());
    let mut command = std::process::Command::new(&referee);
    command.args([
        "match", "awful", "mediocre", "--games", "100000", "--series", "2", "--quiet",
    ]);
    command
        .args(SMALL)
        .args(["--out", "m.jsonl"])
        .args(options)
        .current_dir(folder.path(""));
    let playing = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("games are recorded", || {
        lines_in(folder.path("m.jsonl")) > 1
    });
    if is_moved {
        std::fs::rename(&referee, folder.path("old")).unwrap();
    } else {
        std::fs::rename(folder.file("new", ""), &referee).unwrap();
    }
    let output = playing.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("was replaced or removed while it ran"),
        "{said}"
    );
}

/// Ctrl-C once: the running games are played to their end, and what was played is saved.
fn an_interrupted_match_saves_what_it_has_and_says_how_to_continue() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, file) = (folder.path().join("whole"), folder.path().join("match"));
    small_match(&whole, &[]).assert().success();
    let child = start_match(&file, &["--json"], Stdio::piped());
    until("games are recorded", || lines_in(&file) > 10);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("games; this continues:\n"), "{stderr}");
    assert!(stderr.trim_end().ends_with("--resume"), "{stderr}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["finish"], "interrupted");
    // Every game that was played is in the record.
    let saved = without_times(&text_of(&file));
    let games = saved
        .iter()
        .filter(|line| line["format"] == "battleship-game")
        .count();
    assert_eq!(summary["games"], games);

    small_match(&file, &["--resume"]).assert().success();
    assert_eq!(
        without_times(&text_of(&file)),
        without_times(&text_of(&whole))
    );
}
