//! Files that are written: nothing is overwritten unasked, and what cannot be written is named.

use std::process::Command;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::{Folder, referee, text_of};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_game_is_appended_to_records_of_single_games_only,
        a_contest_that_does_not_begin_leaves_no_record,
        a_record_is_replaced_or_continued
    );
    rows!(tests, OUTPUTS, a_file_that_exists_is_replaced_only_by_force);
    rows!(tests, OUTPUTS, a_limit_of_file_sizes_is_reported);
    tests.needing(&[UNIX], |tests| {
        rows!(
            tests,
            OUTPUTS,
            what_is_not_a_file_is_named_and_never_waited_for
        );
    });
}

/// Each option that writes a file, with a command that has it at its end; `@` is the option's file.
const OUTPUTS: [(&str, &[&str]); 6] = [
    (
        "--out",
        &[
            "match", "awful", "mediocre", "--games", "2", "--seed", "1", "-q", "--out", "@",
        ],
    ),
    (
        "--record",
        &[
            "play",
            "awful",
            "mediocre",
            "--no-pause",
            "--seed",
            "1",
            "--record",
            "@",
        ],
    ),
    (
        "--transcript",
        &[
            "play",
            "awful",
            "mediocre",
            "--no-pause",
            "--seed",
            "1",
            "--transcript",
            "@",
        ],
    ),
    (
        "--log",
        &[
            "play", "awful", "mediocre", "--rules", "twist", "--seed", "1", "--json", "--log", "@",
        ],
    ),
    ("--to", &["replay", "cup.jsonl", "--to", "@"]),
    ("merge --out", &["merge", "cup.jsonl", "--out", "@"]),
];

/// A twist game between these players has no winner.
const PLAYED: [i32; 2] = [0, 3];

/// A folder with the record of a contest, `cup.jsonl`.
fn folder() -> Folder {
    let folder = Folder::new();
    let play = [
        "match",
        "awful",
        "mediocre",
        "--games",
        "2",
        "--seed",
        "1",
        "-q",
        "--out",
        "cup.jsonl",
    ];
    referee()
        .current_dir(folder.path(""))
        .args(play)
        .assert()
        .code(0);
    folder
}

fn run(folder: &Folder, command: &[&str], file: &str) -> assert_cmd::assert::Assert {
    let words = command
        .iter()
        .map(|word| if *word == "@" { file } else { word });
    referee()
        .current_dir(folder.path(""))
        .args(words)
        .timeout(std::time::Duration::from_secs(60))
        .assert()
}

fn a_file_that_exists_is_replaced_only_by_force((option, command): (&str, &[&str])) {
    let folder = folder();
    folder.file("strategy.py", "mine");
    let option = option.trim_start_matches("merge ");
    let says = contains("strategy.py exists").and(contains("--force"));
    let says = says.and(if command[0] == "play" {
        contains(option)
    } else {
        contains("strategy.py")
    });
    run(&folder, command, "strategy.py").code(2).stderr(says);
    assert_eq!(text_of(folder.path("strategy.py")), "mine");
    run(&folder, &[command, &["--force"]].concat(), "strategy.py").code(&PLAYED[..]);
    assert!(!text_of(folder.path("strategy.py")).contains("mine"));
    // An empty file has nothing to lose.
    folder.file("empty", "");
    run(&folder, command, "empty").code(&PLAYED[..]);
    assert!(!text_of(folder.path("empty")).is_empty());
}

fn what_is_not_a_file_is_named_and_never_waited_for((option, command): (&str, &[&str])) {
    let folder = folder();
    assert!(
        Command::new("mkfifo")
            .arg(folder.path("pipe"))
            .status()
            .unwrap()
            .success()
    );
    std::fs::create_dir(folder.path("folder")).unwrap();
    let option = option.trim_start_matches("merge ");
    for (file, kind) in [
        ("pipe", "a named pipe"),
        ("folder", "a folder"),
        ("/dev/zero", "a device"),
    ] {
        let says = contains(format!(
            "{option} {file} is {kind}, not a file; name a file"
        ));
        run(&folder, command, file).code(2).stderr(says);
    }
}

/// A game that was appended to the record of a contest once kept the contest from continuing.
fn a_game_is_appended_to_records_of_single_games_only() {
    let folder = folder();
    let (_, play) = OUTPUTS[1];
    let before = text_of(folder.path("cup.jsonl"));
    run(&folder, play, "cup.jsonl")
        .code(2)
        .stderr(contains("--record cup.jsonl is the record of a contest"));
    assert_eq!(text_of(folder.path("cup.jsonl")), before);
    // Parts of such a record are not others.
    folder.file("part.jsonl", before.split_once('\n').unwrap().1);
    run(&folder, play, "part.jsonl")
        .code(2)
        .stderr(contains("is the record of a contest"));
    for _ in 0..2 {
        run(&folder, play, "games.jsonl").code(0);
    }
    assert_eq!(text_of(folder.path("games.jsonl")).lines().count(), 2);
    run(&folder, &[play, &["--force"]].concat(), "games.jsonl").code(0);
    assert_eq!(text_of(folder.path("games.jsonl")).lines().count(), 1);
}

fn a_contest_that_does_not_begin_leaves_no_record() {
    let folder = folder();
    for out in ["new.jsonl", "empty.jsonl"] {
        if out == "empty.jsonl" {
            folder.file(out, "");
        }
        let play = [
            "match",
            "awful",
            "broken=sh -c 'exit 3'",
            "--games",
            "2",
            "-q",
            "--out",
            "@",
        ];
        run(&folder, &play, out).code(4);
        let is_there = std::path::Path::new(&folder.path(out)).exists();
        assert_eq!(
            is_there,
            out == "empty.jsonl",
            "only what was there before stays: {out}"
        );
    }
}

fn a_record_is_replaced_or_continued() {
    let folder = folder();
    let (_, play) = OUTPUTS[0];
    let both = contains("--force").and(contains("--resume"));
    run(
        &folder,
        &[play, &["--force", "--resume"]].concat(),
        "cup.jsonl",
    )
    .code(2)
    .stderr(both);
}

/// The referee was once ended by the signal, without a word.
fn a_limit_of_file_sizes_is_reported((option, command): (&str, &[&str])) {
    let folder = folder();
    let words: Vec<&str> = command
        .iter()
        .map(|word| if *word == "@" { "out" } else { word })
        .collect();
    let longer = if command[0] == "match" {
        " --games 40"
    } else {
        ""
    };
    let words: Vec<&str> = words
        .into_iter()
        .filter(|word| longer.is_empty() || !["--games", "2"].contains(word))
        .collect();
    let words = shlex::try_join(words).unwrap();
    let script = format!(
        "ulimit -f 1; exec '{}' {words}{longer}",
        env!("CARGO_BIN_EXE_referee")
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{option}: {said}");
    assert!(
        said.contains("File too large") && said.contains("(ulimit -f)"),
        "{option}: {said}"
    );
}
