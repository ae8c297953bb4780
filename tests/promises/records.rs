//! Records of each version so far, which every command still reads. Those of 1.0.0-rc.1 are continued too, with the same
//! programs.

use std::path::Path;

use predicates::str::contains;

use crate::common::{Folder, SMALL, project_file, referee, text_of};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        shards_are_merged,
        games_by_options_that_went_are_listed_and_ranked_but_not_replayed_or_resumed
    );
    rows!(tests, RECORDS, a_record_is_read);
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_contest_that_version_0_1_began_is_left_as_it_is,
            a_contest_of_other_programs_says_which_version_continues_it
        );
        rows!(tests, BEGUN, a_contest_continues_with_the_same_programs);
    });
}

/// Records as version 0.1 wrote them: of a contest in each version of the format, by both rules, and single games; and as
/// version 1.0.0-rc.1 did. Each with one of its players.
const RECORDS: [(&str, &str, &str); 9] = [
    (
        "version1",
        include_str!("../../crates/engine/tests/corpus/version1.jsonl"),
        "awful",
    ),
    (
        "version2",
        include_str!("../../crates/engine/tests/corpus/version2.jsonl"),
        "awful",
    ),
    (
        "match",
        include_str!("../../crates/engine/tests/corpus/match.jsonl"),
        "awful",
    ),
    (
        "swiss",
        include_str!("../../crates/engine/tests/corpus/swiss.jsonl"),
        "crasher",
    ),
    (
        "games",
        include_str!("../../crates/engine/tests/corpus/games.jsonl"),
        "awful",
    ),
    (
        "twist",
        include_str!("../../crates/engine/tests/corpus/twist.jsonl"),
        "awful",
    ),
    (
        "match of 1.0.0-rc.1",
        include_str!("records/1.0.0-rc.1/match.jsonl"),
        "one",
    ),
    (
        "shard of 1.0.0-rc.1",
        include_str!("records/1.0.0-rc.1/shard-1.jsonl"),
        "one",
    ),
    (
        "cup of 1.0.0-rc.1",
        include_str!("records/1.0.0-rc.1/cup.jsonl"),
        "two",
    ),
];

/// The message about a contest in an earlier version of the format.
const REFUSED: &str = "it is read, but neither continued nor merged";

/// Runs a command that succeeds in `folder`; returns what it printed.
fn run(folder: &Folder, arguments: &[&str]) -> String {
    let output = referee()
        .args(arguments)
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn a_record_is_read((name, text, player): (&str, &str, &str)) {
    let folder = Folder::new();
    folder.file("old.jsonl", text);
    let run = |arguments: &[&str]| run(&folder, arguments);
    let listed = run(&["list", "old.jsonl"]);
    let games = text
        .lines()
        .filter(|line| line.contains("battleship-game"))
        .count();
    assert_eq!(listed.lines().count(), games, "{listed}");
    run(&["replay", "old.jsonl", "--game", "1", "--delay", "1ms"]);
    run(&["replay", "old.jsonl", "--game", "2", "--svg", "game.svg"]);
    run(&["replay", "old.jsonl", "--game", "2", "--html", "game.html"]);
    run(&["report", "old.jsonl", "--out", "page.html"]);
    let explained = run(&["explain", "old.jsonl", "--player", player]);
    assert!(explained.contains(" in old.jsonl: "), "{explained}");
    if name != "games" {
        let ranked = run(&["rank", "old.jsonl"]);
        assert!(ranked.contains("games"), "{ranked}");
        let merge = ["merge", "old.jsonl", "--out", "merged.jsonl"];
        if name.starts_with("shard") {
            let mut command = referee();
            command.args(merge).current_dir(folder.path(""));
            command
                .assert()
                .code(2)
                .stderr(contains("name the records that have them"));
        } else if text.starts_with(r#"{"format":"battleship-contest","version":3,"#) {
            run(&merge);
            assert_eq!(
                text_of(folder.path("merged.jsonl")).lines().count(),
                text.lines().count()
            );
        } else {
            let mut command = referee();
            command.args(merge).current_dir(folder.path(""));
            command.assert().code(2).stderr(contains(REFUSED));
            assert!(!Path::new(&folder.path("merged.jsonl")).exists());
        }
    }
}

/// A folder with what 1.0.0-rc.1 wrote of contests of a bot that is beside it, and that bot. No byte of it may change: its
/// digest is in the records.
fn folder_of_contests() -> Folder {
    let folder = Folder::new();
    let records = project_file("tests/promises/records");
    folder.file("row.sh", &text_of(records.join("row.sh")));
    for name in ["match.jsonl", "shard-1.jsonl", "shard-2.jsonl", "cup.jsonl"] {
        folder.file(name, &text_of(records.join("1.0.0-rc.1").join(name)));
    }
    folder
}

/// The options with which all these contests were begun, besides the small board.
const TERMS: [&str; 6] = ["--games", "4", "--series", "2", "--resume", "--quiet"];

/// The fields of a record without those that say when and by which referee it was written.
fn games_in(record: &str) -> Vec<serde_json::Value> {
    let mut lines = crate::common::contest::without_times(record);
    for line in &mut lines {
        line["referee"] = serde_json::Value::Null;
    }
    lines
}

fn shards_are_merged() {
    let folder = folder_of_contests();
    run(
        &folder,
        &[
            "merge",
            "shard-2.jsonl",
            "shard-1.jsonl",
            "--out",
            "both.jsonl",
        ],
    );
    let (both, whole) = (
        text_of(folder.path("both.jsonl")),
        text_of(folder.path("match.jsonl")),
    );
    assert_eq!(games_in(&both), games_in(&whole));
}

/// The contests that 1.0.0-rc.1 began: the file, and what to type.
const BEGUN: [(&str, &str, &[&str]); 3] = [
    ("a match", "match.jsonl", &["match"]),
    ("a shard", "shard-2.jsonl", &["match", "--shard", "2/2"]),
    (
        "a tournament",
        "cup.jsonl",
        &[
            "tournament",
            "three=sh row.sh",
            "--format",
            "swiss",
            "--rounds",
            "2",
            "--games",
            "2",
        ],
    ),
];

/// It continues as the version that began it would have played it: with the same seeds, and in the same format.
fn a_contest_continues_with_the_same_programs((_, file, arguments): (&str, &str, &[&str])) {
    let folder = folder_of_contests();
    let whole = text_of(folder.path(file));
    let lines: Vec<&str> = whole.lines().collect();
    // Everything but the last game, of which half a line is there, and the end of its series.
    let (kept, [game, _]) = lines.split_at(lines.len() - 2) else {
        panic!("{whole}")
    };
    let cut = format!("{}\n{}", kept.join("\n"), &game[..game.len() / 2]);
    folder.file(file, &cut);
    let mut words = vec![
        arguments[0],
        "one=sh row.sh",
        "two=sh row.sh",
        "--out",
        file,
    ];
    words.extend(&arguments[1..]);
    // The options of this contest come before those that all of them have.
    let terms = SMALL
        .chunks(2)
        .chain(TERMS.chunks(2))
        .filter(|pair| !arguments.contains(&pair[0]));
    words.extend(terms.flatten());
    run(&folder, &words);
    assert_eq!(games_in(&text_of(folder.path(file))), games_in(&whole));
}

fn a_contest_that_version_0_1_began_is_left_as_it_is() {
    let folder = Folder::new();
    let text = include_str!("../../crates/engine/tests/corpus/twist.jsonl");
    folder.file("old.jsonl", text);
    let play = |more: &[&str]| {
        let mut command = referee();
        command.args([
            "match", "awful", "mediocre", "--games", "2", "--series", "2", "--seed", "1",
        ]);
        command
            .args(["--rules", "twist", "--max-turns", "12", "--quiet"])
            .args(more);
        command.current_dir(folder.path("")).assert()
    };
    let what = format!(
        "old.jsonl has version 1 of the format: {REFUSED}. Begin the contest in another file, or use version 0.1.0 of"
    );
    play(&["--resume", "--out", "old.jsonl"])
        .code(2)
        .stderr(contains(what));
    assert_eq!(text_of(folder.path("old.jsonl")), text);
    play(&["--out", "new.jsonl"]).success();
}

/// The shipped players of another version are other programs: what is said then can be done.
fn a_contest_of_other_programs_says_which_version_continues_it() {
    let folder = folder_of_contests();
    let begun = text_of(folder.path("match.jsonl")).replace("1.0.0-rc.1", "1.0.0-rc.0");
    folder.file("match.jsonl", &begun);
    folder.file("row.sh", &(text_of(folder.path("row.sh")) + "#"));
    let mut command = referee();
    command
        .args([
            "match",
            "one=sh row.sh",
            "two=sh row.sh",
            "--out",
            "match.jsonl",
        ])
        .args(SMALL);
    let output = command
        .args(TERMS)
        .current_dir(folder.path(""))
        .assert()
        .code(2);
    output.stderr(contains("one: row.sh has changed since game 4")).stderr(contains(
        "Continue it with what it began with, the same files and version 1.0.0-rc.0 of the referee, or begin again in",
    ));
    assert_eq!(text_of(folder.path("match.jsonl")), begun);
}

/// Ships that may touch at corners, and salvos of which only the hits are counted, were options of 1.0.0.
fn games_by_options_that_went_are_listed_and_ranked_but_not_replayed_or_resumed() {
    let words = ["match", "awful", "mediocre", "--games", "2", "--seed", "1"];
    let rows: [(&[&str], &str, &str); 2] = [
        (
            &["--apart"],
            r#""options":{"apart":"all"}"#,
            r#""options":{"apart":"sides"}"#,
        ),
        (
            &["--salvo", "3"],
            r#""options":{"shots":3}"#,
            r#""options":{"shots":3,"count":true}"#,
        ),
    ];
    for (options, today, before) in rows {
        let folder = Folder::new();
        let out = ["--out", "record.jsonl"];
        run(&folder, &[&words[..], options, &out].concat());
        let path = folder.path("record.jsonl");
        let record = std::fs::read_to_string(&path).unwrap();
        let record = record.replace(today, before);
        assert_eq!(record.matches(before).count(), 3, "{record}");
        std::fs::write(&path, &record).unwrap();
        assert!(run(&folder, &["list", "record.jsonl"]).contains("awful - mediocre"));
        assert!(run(&folder, &["rank", "record.jsonl"]).contains("2 games"));
        let refused = |words: &[&str], why: &str| {
            referee()
                .current_dir(folder.path(""))
                .args(words)
                .assert()
                .code(2)
                .stderr(contains(why));
        };
        refused(
            &["replay", "record.jsonl", "--game", "1"],
            "version 1.0.0 played this game by `--apart=sides` or `--salvo-results count`",
        );
        refused(
            &[&words[..], options, &out, &["--resume"]].concat(),
            "strict: true there, false here",
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), record);
    }
}
