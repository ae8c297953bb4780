//! Records of each version so far, which every command still reads. Those of 1.0.0-rc.1 are continued too, with the same
//! programs.

use testkit::list::Tests;
use testkit::record::Record;
use testkit::run::{Dir, Done};
use testkit::tools::UNIX;

use testkit::programs::{project_file, text_of};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, RECORDS, an_old_record_is_read);
    tests.needing(&[UNIX], |tests| {
        rows!(tests, BEGUN, an_old_contest_continues);
        add!(
            tests,
            old_shards_are_merged,
            a_contest_of_other_programs_names_its_version,
            a_contest_of_0_1_is_not_continued
        );
        rows!(tests, GONE, games_by_a_gone_option_are_ranked_only);
    });
}

/// Records as versions 0.1 and 1.0.0-rc.1 wrote them, each with one of its players.
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
        include_str!("old/match.jsonl"),
        "one",
    ),
    (
        "shard of 1.0.0-rc.1",
        include_str!("old/shard-1.jsonl"),
        "one",
    ),
    ("cup of 1.0.0-rc.1", include_str!("old/cup.jsonl"), "two"),
];

/// The sentence about a contest in an earlier version of the format.
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
        "replay old --game 2 --svg game.svg",
        "replay old --game 2 --html game.html",
        "report old --out page.html",
    ] {
        dir.run(words).succeeds();
    }
    dir.run(&format!("explain old --player {player}"))
        .succeeds()
        .prints(" in old: ");
    if name == "games" {
        return;
    }
    dir.run("rank old").succeeds().prints("games");
    let merge = dir.run("merge old --out merged");
    if name.starts_with("shard") {
        merge.fails(2, "name the records that have them");
    } else if text.starts_with(r#"{"format":"battleship-contest","version":3,"#) {
        merge.succeeds();
        assert_eq!(dir.text("merged").lines().count(), text.lines().count());
    } else {
        merge.fails(2, REFUSED);
        assert!(!dir.path("merged").exists());
    }
}

/// A folder with what 1.0.0-rc.1 wrote of contests of a bot that is beside it, and that bot. No byte of it may change: its
/// digest is in the records.
fn contests() -> Dir {
    let dir = Dir::new();
    for name in [
        "row.sh",
        "match.jsonl",
        "shard-1.jsonl",
        "shard-2.jsonl",
        "cup.jsonl",
    ] {
        dir.file(name, text_of(project_file("tests/record/old").join(name)));
    }
    dir
}

/// The lines of a record without those fields that name the referee that wrote it.
fn games(dir: &Dir, name: &str) -> Record {
    let mut record = dir.record(name);
    for line in &mut record.lines {
        line["referee"] = serde_json::Value::Null;
    }
    record
}

fn old_shards_are_merged() {
    let dir = contests();
    dir.run("merge shard-2.jsonl shard-1.jsonl --out both")
        .succeeds();
    assert_eq!(games(&dir, "both"), games(&dir, "match.jsonl"));
}

/// The contests that 1.0.0-rc.1 began: the file, and what to type.
const BEGUN: [(&str, &str); 3] = [
    ("match.jsonl", "match --games 4"),
    ("shard-2.jsonl", "match --shard 2/2 --games 4"),
    (
        "cup.jsonl",
        "tournament 'three=sh row.sh' --format swiss --rounds 2 --games 2",
    ),
];

fn continued(dir: &Dir, file: &str, words: &str) -> Done {
    let (command, rest) = words.split_once(' ').unwrap();
    let run = dir
        .run(command)
        .args("'one=sh row.sh' 'two=sh row.sh'")
        .args(rest);
    run.args(&format!("--series 2 -q --resume --out {file}"))
        .small()
        .ends()
}

/// It continues as the version that began it would have played it: with the same seeds, and in the same format.
fn an_old_contest_continues((file, words): (&str, &str)) {
    let dir = contests();
    let whole = games(&dir, file);
    let text = dir.text(file);
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    // Everything but the last game, of which half a line is there, and the end of its series.
    let (kept, rest) = lines.split_at(lines.len() - 2);
    dir.file(file, kept.concat() + &rest[0][..rest[0].len() / 2]);
    continued(&dir, file, words).exits(0);
    assert_eq!(games(&dir, file), whole);
}

/// The shipped players of another version are other programs: what is printed then can be done.
fn a_contest_of_other_programs_names_its_version() {
    let dir = contests();
    let text = dir.text("match.jsonl").replace("1.0.0-rc.1", "1.0.0-rc.0");
    dir.file("match.jsonl", &text)
        .file("row.sh", dir.text("row.sh") + "#");
    let done = continued(&dir, "match.jsonl", BEGUN[0].1);
    done.exits(2).warns("one: row.sh has changed since game 4");
    done.warns("Continue it with what it began with, the same files and version 1.0.0-rc.0 of the referee, or begin again in");
    assert_eq!(dir.text("match.jsonl"), text);
}

fn a_contest_of_0_1_is_not_continued() {
    let dir = Dir::new();
    let text = RECORDS[5].1;
    let words =
        "match awful mediocre --games 2 --series 2 --seed 1 --rules twist --max-turns 12 -q --out";
    let sentence = format!(
        "old has version 1 of the format: {REFUSED}. Begin the contest in another file, or use version 0.1.0 of"
    );
    dir.file("old", text)
        .run(&format!("{words} old --resume"))
        .fails(2, &sentence);
    assert_eq!(dir.text("old"), text);
    dir.run(&format!("{words} new")).succeeds();
}

/// Options of 1.0.0: ships that may touch at corners, and salvos of which only the hits are counted. An option of today, what
/// a record has of it, and what it had of the other.
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
    dir.run(&format!("{words} --resume"))
        .fails(2, "strict: true there, false here");
    assert_eq!(dir.text("record"), record);
}
