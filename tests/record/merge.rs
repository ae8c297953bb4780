//! The records of shards, put together.

use std::fs::{self, File};

use testkit::list::Tests;
use testkit::run::Dir;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        shards_become_the_record_of_one_run,
        contradicting_records_need_an_option,
        what_cannot_be_merged_is_named,
        missing_shards_are_words_to_type,
        a_record_being_written_is_not_merged,
        merging_writes_over_nothing
    );
}

const MATCH: &str = "match awful mediocre --seed 1 --series 10 --games 60 -q";

/// A folder with the records 1, 2 and 3 of the shards of a match of six series.
fn shards() -> Dir {
    let dir = Dir::new();
    for shard in 1..=3 {
        dir.ran(format!("{MATCH} --shard {shard}/3 --out {shard}"));
    }
    dir
}

/// The files cannot be merged, which this sentence explains, and nothing is left behind.
#[track_caller]
fn refuses(dir: &Dir, files: &str, sentence: &str) {
    dir.run(format!("merge {files} -o out"))
        .fails(2, &format!("referee: {sentence}"));
    assert!(!dir.path("out").exists());
}

fn shards_become_the_record_of_one_run() {
    let dir = shards();
    // The series of one are there twice.
    let done = dir.run("merge 3 1 2 1 -o out").succeeds();
    done.warns("referee: series 1 and 4 are in more than one place; each counts once\n")
        .warns("referee: out: 6 series, 60 games of 4 files\n");
    dir.ran(format!("{MATCH} --out whole"));
    assert_eq!(dir.record("out"), dir.record("whole"));
    // The lines are copied, not rewritten: those of the shards and no others.
    let lines = |files: &[&str]| {
        let texts = files.iter().map(|file| dir.text(file));
        let mut lines: Vec<_> = texts
            .flat_map(|text| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
            .collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&["out"]), lines(&["1", "2", "3"]));
}

fn contradicting_records_need_an_option() {
    let dir = shards();
    let other = dir
        .text("2")
        .replacen("\"winner\":\"mediocre\"", "\"winner\":\"awful\"", 1);
    assert_ne!(other, dir.text("2"));
    dir.file("other", other);
    refuses(
        &dir,
        "1 2 other 3",
        "2 and other contradict each other: series 2, game 11 of the two players: won by mediocre",
    );
    dir.run("merge 1 2 other 3 -o out --keep-first").succeeds();
    dir.ran(format!("{MATCH} --out whole"));
    assert_eq!(dir.record("out"), dir.record("whole"));
}

fn what_cannot_be_merged_is_named() {
    let dir = shards();
    dir.file("notes", "to do: merge\n").file("empty", "");
    dir.file(
        "damaged",
        dir.text("3").replacen("\"shots\"", "\"shorts\"", 1),
    );
    let torn = dir.text("2");
    dir.file("torn", &torn[..torn.len() - 5]);
    dir.file(
        "other",
        torn.replacen("\"limit_ms\":5000", "\"limit_ms\":4000", 1),
    );
    for (files, sentence) in [
        (
            "1 other 3",
            "other is of another contest than 1; what differs, with the latter as here: limit_ms: 4000 there, 5000 here\n",
        ),
        (
            "1 3",
            "series 2 and 5 are missing; name the records that have them, or see with --missing which shards to play again\n",
        ),
        (
            "1 torn 3",
            "series 5 is missing; name the records that have them, or see with",
        ),
        ("1 none", "none: No such file or directory (os error 2)\n"),
        (
            "1 notes",
            "notes is not a record of a contest: its first line is not a header\n",
        ),
        (
            "1 empty",
            "empty is not a record of a contest: its first line is not a header\n",
        ),
        (
            "1 damaged",
            "damaged, line 2: this is not a line of a record: missing field `shots`",
        ),
    ] {
        refuses(&dir, files, sentence);
    }
}

fn missing_shards_are_words_to_type() {
    let dir = shards();
    let torn = dir.text("2");
    dir.file("torn", &torn[..torn.len() - 5]);
    for (files, words) in [
        ("1 2 3", ""),
        ("2", "--shard 1/3\n--shard 3/3\n"),
        ("1 torn 3", "--shard 2/3\n"),
    ] {
        dir.run(format!("merge {files} --missing"))
            .succeeds()
            .is_quiet()
            .prints_all(words);
    }
    dir.ran(format!("{MATCH} --out whole"));
    let whole = dir.text("whole");
    dir.file("whole", &whole[..whole.len() - 5]);
    dir.run("merge whole --missing")
        .fails(2, "series 6 is missing; name the records that have them\n");
    dir.run("merge 1 --missing -o out")
        .fails(2, "cannot be used with");
}

fn a_record_being_written_is_not_merged() {
    let dir = shards();
    let written = File::open(dir.path("2")).unwrap();
    written.lock().unwrap();
    refuses(
        &dir,
        "1 2 3",
        "another referee is writing 2; wait until it has ended\n",
    );
    // Reading is not a reason to wait.
    written.unlock().unwrap();
    written.lock_shared().unwrap();
    dir.run("merge 1 2 3 -o out").succeeds();
}

fn merging_writes_over_nothing() {
    let dir = shards();
    dir.file("out", "precious");
    dir.run("merge 1 2 3 -o out").fails(
        2,
        "referee: --out out exists, and files are not overwritten; name another file, or replace this one with --force\n",
    );
    assert_eq!(dir.text("out"), "precious");
    fs::rename(dir.path("2"), dir.path("out")).unwrap();
    let before = dir.text("out");
    dir.run("merge 1 ./out 3 -o out").fails(
        2,
        "referee: out is one of the records to merge; choose another --out\n",
    );
    assert_eq!(dir.text("out"), before);
    dir.run("merge 1 -o no/such/folder").fails(2, "");
}
