//! The records of shards, put together.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::contest::{match_in_tens, without_times};
use crate::common::{program, text_of};
use tempfile::TempDir;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            shards_that_ran_at_the_same_time_become_the_record_of_one_run,
            a_missing_shard_is_named_by_its_series,
            what_is_there_twice_is_named,
            another_contest_is_named_with_what_differs,
            a_contest_of_another_length_is_named_with_both,
            what_was_cut_short_is_missing_and_said_to_be,
            files_that_cannot_be_merged_are_named,
            a_record_that_is_being_written_is_waited_for,
            nothing_is_written_over
        );
    });
}

/// A match of 10 series in three shards, and the same in one run.
struct Shards {
    folder: TempDir,
}

impl Shards {
    /// Plays the shards, all at the same time.
    fn played() -> Shards {
        let shards = Shards {
            folder: tempfile::tempdir().unwrap(),
        };
        let running: Vec<_> = (1..=3)
            .map(|k| {
                let mut shard = match_in_tens("100", &shards.file(&format!("{k}.jsonl")));
                shard
                    .args(["--shard", &format!("{k}/3")])
                    .stdout(Stdio::null())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for mut shard in running {
            assert!(shard.wait().unwrap().success());
        }
        shards
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Merges those of the files into `out`; returns the exit code and what is said.
    fn merge(&self, files: &[&str], options: &[&str]) -> (i32, String) {
        said(
            program("referee")
                .current_dir(self.folder.path())
                .arg("merge")
                .args(files)
                .args(["-o", "out.jsonl"])
                .args(options),
        )
    }

    /// Refuses to merge those of the files with these words, and leaves nothing behind.
    fn refuses(&self, files: &[&str], options: &[&str], words: &str) {
        assert_eq!(
            self.merge(files, options),
            (2, format!("referee: {words}\n"))
        );
        assert!(!self.file("out.jsonl").exists());
    }

    /// Checks that `out` is what one run would have written, but for times.
    fn out_is_that_of_one_run(&self) {
        let one = self.file("one.jsonl");
        assert_eq!(run(&mut match_in_tens("100", &one)).0, 0);
        let expected = without_times(&text_of(one));
        assert_eq!(expected.len(), 111);
        assert_eq!(without_times(&text_of(self.file("out.jsonl"))), expected);
    }
}

fn run(command: &mut Command) -> (i32, Output) {
    let output = command.output().unwrap();
    (output.status.code().unwrap(), output)
}

fn said(command: &mut Command) -> (i32, String) {
    let (code, output) = run(command);
    (code, String::from_utf8(output.stderr).unwrap())
}

/// Lets `change` change what the file at `path` says.
fn edit(path: &Path, change: impl FnOnce(&str) -> String) {
    fs::write(path, change(&text_of(path))).unwrap();
}

const MISSING_ADVICE: &str = "name the records that have them";

fn shards_that_ran_at_the_same_time_become_the_record_of_one_run() {
    let shards = Shards::played();
    let merged = shards.merge(&["3.jsonl", "1.jsonl", "2.jsonl"], &[]);
    assert_eq!(
        merged,
        (
            0,
            "referee: out.jsonl: 10 series, 100 games of 3 files\n".to_owned()
        )
    );
    shards.out_is_that_of_one_run();
    // The lines are copied, not rewritten: those of the shards and no others.
    let lines = |name: &str| -> Vec<String> {
        text_of(shards.file(name))
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect()
    };
    let mut played = [lines("1.jsonl"), lines("2.jsonl"), lines("3.jsonl")].concat();
    let mut merged = lines("out.jsonl");
    played.sort();
    merged.sort();
    assert!(played == merged);
}

fn a_missing_shard_is_named_by_its_series() {
    let shards = Shards::played();
    let missing = "series 2, 5 and 8 are missing";
    shards.refuses(
        &["1.jsonl", "3.jsonl"],
        &[],
        &format!("{missing}; {MISSING_ADVICE}"),
    );
}

fn what_is_there_twice_is_named() {
    let shards = Shards::played();
    fs::copy(shards.file("1.jsonl"), shards.file("copy.jsonl")).unwrap();
    shards.refuses(
        &["1.jsonl", "2.jsonl", "3.jsonl", "copy.jsonl"],
        &[],
        "series 1, 4, 7 and 10 are in 1.jsonl and in copy.jsonl; leave one of them out",
    );
    shards.refuses(
        &["1.jsonl", "2.jsonl", "1.jsonl"],
        &[],
        "1.jsonl is named twice",
    );
}

fn another_contest_is_named_with_what_differs() {
    let shards = Shards::played();
    let mut other = match_in_tens("100", &shards.file("other.jsonl"));
    assert_eq!(run(other.args(["--shard", "2/3", "--limit", "4s"])).0, 0);
    shards.refuses(
        &["1.jsonl", "other.jsonl", "3.jsonl"],
        &[],
        "other.jsonl is of another contest than 1.jsonl; what differs, with the latter as here: limit_ms: 4000 there, 5000 here",
    );
}

fn a_contest_of_another_length_is_named_with_both() {
    let shards = Shards::played();
    let longer = shards.file("2.jsonl");
    let more = run(match_in_tens("120", &longer).args(["--shard", "2/3", "--resume"]));
    assert_eq!(more.0, 0, "{more:?}");
    shards.refuses(
        &["1.jsonl", "2.jsonl", "3.jsonl"],
        &[],
        "1.jsonl has 100 games of each encounter and 2.jsonl has 120; extend the shorter one with --resume --games 120",
    );
}

fn what_was_cut_short_is_missing_and_said_to_be() {
    let shards = Shards::played();
    edit(&shards.file("2.jsonl"), |text| {
        text[..text.len() - 5].to_owned()
    });
    let (code, said) = shards.merge(&["1.jsonl", "2.jsonl", "3.jsonl"], &[]);
    assert_eq!(code, 2);
    assert_eq!(
        said,
        format!("referee: series 8 is missing; {MISSING_ADVICE}\n")
    );
}

fn files_that_cannot_be_merged_are_named() {
    let shards = Shards::played();
    fs::write(shards.file("notes.txt"), "to do: merge\n").unwrap();
    fs::write(shards.file("empty.jsonl"), "").unwrap();
    shards.refuses(
        &["1.jsonl", "none.jsonl"],
        &[],
        "none.jsonl: No such file or directory",
    );
    for name in ["notes.txt", "empty.jsonl"] {
        let words = format!("{name} is not a record of a contest: its first line is not a header");
        shards.refuses(&["1.jsonl", name], &[], &words);
    }
    edit(&shards.file("3.jsonl"), |text| {
        text.replacen("\"shots\"", "\"shorts\"", 1)
    });
    let (code, said) = shards.merge(&["1.jsonl", "3.jsonl"], &[]);
    assert_eq!(code, 2);
    assert!(
        said.contains("3.jsonl, line 2: this is not a line of a record: `shots` is missing"),
        "{said}"
    );
    assert!(!shards.file("out.jsonl").exists());
}

fn a_record_that_is_being_written_is_waited_for() {
    let shards = Shards::played();
    let written = File::open(shards.file("2.jsonl")).unwrap();
    written.lock().unwrap();
    shards.refuses(
        &["1.jsonl", "2.jsonl", "3.jsonl"],
        &[],
        "another referee is writing 2.jsonl; wait until it has ended",
    );
    // Reading is not a reason to wait.
    written.unlock().unwrap();
    written.lock_shared().unwrap();
    assert_eq!(shards.merge(&["1.jsonl", "2.jsonl", "3.jsonl"], &[]).0, 0);
}

fn nothing_is_written_over() {
    let shards = Shards::played();
    fs::write(shards.file("out.jsonl"), "precious").unwrap();
    let refused = shards.merge(&["1.jsonl", "2.jsonl", "3.jsonl"], &[]);
    let words = "referee: out.jsonl exists; choose another --out, or replace it with --force\n";
    assert_eq!(refused, (2, words.to_owned()));
    assert_eq!(text_of(shards.file("out.jsonl")), "precious");

    fs::rename(shards.file("2.jsonl"), shards.file("out.jsonl")).unwrap();
    let before = text_of(shards.file("out.jsonl"));
    let refused = shards.merge(&["1.jsonl", "./out.jsonl", "3.jsonl"], &[]);
    let words = "referee: out.jsonl is one of the records to merge; choose another --out\n";
    assert_eq!(refused, (2, words.to_owned()));
    assert_eq!(text_of(shards.file("out.jsonl")), before);

    let missing = shards.merge(&["1.jsonl"], &["--out", "no/such/folder.jsonl"]);
    assert_eq!(missing.0, 2);
}
