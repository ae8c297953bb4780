//! Records of versions since 1.0.0-rc.1, which every command still reads and none continues.

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::UNIX;

use testkit::programs::{project_file, text_of};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, RECORDS, an_old_record_is_read, 2);
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            an_old_contest_is_not_continued,
            a_contest_of_other_programs_names_its_version,
            a_contest_of_0_1_is_refused
        );
        rows!(tests, GONE, games_by_a_gone_option_are_ranked_only);
    });
}

/// Records as versions before 1.0.0 and 1.0.0-rc.1 wrote them, each with one of its players.
const RECORDS: [(&str, &str, &str); 7] = [
    ("cup of 1.0.0-rc.1", include_str!("old/cup.jsonl"), "two"),
    (
        "twist",
        include_str!("../../crates/pages/tests/corpus/twist.jsonl"),
        "awful",
    ),
    (
        "match",
        include_str!("../../crates/pages/tests/corpus/match.jsonl"),
        "awful",
    ),
    (
        "swiss",
        include_str!("../../crates/pages/tests/corpus/swiss.jsonl"),
        "crasher",
    ),
    (
        "games",
        include_str!("../../crates/pages/tests/corpus/games.jsonl"),
        "awful",
    ),
    (
        "match of 1.0.0-rc.1",
        include_str!("old/match.jsonl"),
        "one",
    ),
    (
        "shard of 1.0.0-rc.1",
        include_str!("old/shard-1.jsonl"),
        "one",
    ),
];

/// The sentence about a contest that 1.0.0 began.
const REFUSED: &str = "it is read, but neither continued nor merged";

fn an_old_record_is_read((name, text, player): (&str, &str, &str)) {
    let dir = Dir::new();
    dir.file("old", text);
    let games = text
        .lines()
        .filter(|line| line.contains("battleship-game"))
        .count();
    assert_eq!(dir.run("list old").succeeds().stdout.lines().count(), games);
    for words in [
        "replay old --game 1 --delay 1ms",
        "report old --game 2 --out game.svg",
        "report old --game 2 --out game.html",
        "report old --out page.html",
    ] {
        dir.run(words).succeeds();
    }
    dir.run(format!("explain old --player {player}"))
        .succeeds()
        .prints(" in old: ");
    if name == "games" {
        return;
    }
    dir.run("rank old").succeeds().prints("games");
    dir.run("merge old --out merged").fails(2, REFUSED);
    assert!(!dir.path("merged").exists());
}

fn an_old_contest_is_not_continued() {
    let dir = Dir::new();
    let text = text_of(project_file("tests/record/old/match.jsonl"));
    dir.file("match.jsonl", &text);
    dir.run("match awful mediocre --resume --out match.jsonl")
        .fails(2, REFUSED);
    assert_eq!(dir.text("match.jsonl"), text);
}

/// The shipped players of another version are other programs: what is printed then can be done.
fn a_contest_of_other_programs_names_its_version() {
    let dir = Dir::new();
    let row = text_of(project_file("tests/record/old/row.sh"));
    dir.file("row.sh", &row);
    let words = "match 'one=sh row.sh' 'two=sh row.sh' --games 4 --series 2 -q --out m";
    dir.run(words).small().succeeds();
    let version = format!("\"referee\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let text = dir.text("m").replacen(&version, "\"referee\":\"0.9.0\"", 1);
    dir.file("m", &text).file("row.sh", row + "#");
    let done = dir.run(words).args("--resume").small().ends();
    done.exits(2).warns("one: row.sh has changed since game 4");
    done.warns("Continue it with what it began with, the same files and version 0.9.0 of the referee, or begin again in");
    assert_eq!(dir.text("m"), text);
}

fn a_contest_of_0_1_is_refused() {
    let dir = Dir::new();
    let text = RECORDS[0].1.replacen("\"version\":3", "\"version\":2", 1);
    dir.file("old", &text);
    let sentence =
        "old, line 1: version 2 of the format, which only version 0.1 of the referee reads";
    for words in [
        "list old",
        "rank old",
        "replay old --game 1",
        "merge old --out merged",
        "match awful mediocre --resume --out old",
    ] {
        dir.run(words).fails(2, sentence);
    }
    assert_eq!(dir.text("old"), text);
}

/// Options of 1.0.0: ships that may touch at corners, and salvos of which only the hits are
/// counted. An option of today, what a record has of it, and what it had of the other.
const GONE: [(&str, &str, &str); 2] = [
    (
        "--apart",
        r#""options":{"apart":"all"}"#,
        r#""options":{"apart":"sides"}"#,
    ),
    (
        "--salvo 3",
        r#""options":{"shots":3}"#,
        r#""options":{"shots":3,"count":true}"#,
    ),
];

fn games_by_a_gone_option_are_ranked_only((option, today, before): (&str, &str, &str)) {
    let dir = Dir::new();
    let words = format!("match awful mediocre --games 2 --seed 1 {option} --out record");
    dir.run(&words).succeeds();
    let record = dir.text("record").replace(today, before);
    assert_eq!(record.matches(before).count(), 3, "{record}");
    dir.file("record", &record);
    dir.run("list record").succeeds().prints("awful - mediocre");
    dir.run("rank record").succeeds().prints("2 games");
    let sentence = "version 1.0.0 played this game by `--apart=sides` or `--salvo-results count`";
    dir.run("replay record --game 1").fails(2, sentence);
    dir.run(format!("{words} --resume")).fails(2, " there, ");
    assert_eq!(dir.text("record"), record);
}
