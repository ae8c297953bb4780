//! Records on a disk that is full.

use std::path::Path;

use crate::common::contest::{match_in_tens, without_times};
use crate::common::disks::run_where_disks_are_tiny;
use crate::common::text_of;
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::{MOUNT, UNSHARE};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[MOUNT, UNSHARE], |tests| {
        add!(
            tests,
            a_full_disk_stops_a_contest_that_continues_once_there_is_room,
            a_disk_that_is_full_from_the_start_leaves_no_record,
            a_merged_record_that_does_not_fit_is_not_left_half_written
        );
    });
}

/// The lines that a match of this many games has if nothing goes wrong; its record is in `match.jsonl` then.
fn undisturbed(games: &str, folder: &Path) -> Vec<Value> {
    let path = folder.join("match.jsonl");
    assert!(
        match_in_tens(games, &path)
            .output()
            .unwrap()
            .status
            .success()
    );
    without_times(&text_of(path))
}

const FILL_AND_MAKE_ROOM: &str = r#"
mount -t tmpfs -o size=700k tiny "$tiny"
play() { "$referee" match awful mediocre --seed 1 --series 10 --games 400 --quiet --out "$tiny/match.jsonl" "$@"; }
code=0
play 2>full.txt >&2 || code=$?
echo $code >code.txt
cp "$tiny/match.jsonl" full.jsonl
mount -o remount,size=64m tiny "$tiny"
play --resume >/dev/null
cp "$tiny/match.jsonl" whole.jsonl
"#;

fn a_full_disk_stops_a_contest_that_continues_once_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_where_disks_are_tiny(folder, FILL_AND_MAKE_ROOM);
    let path = folder.join("tiny/match.jsonl");
    assert_eq!(text_of(folder.join("code.txt")), "1\n");
    assert_eq!(
        text_of(folder.join("full.txt")),
        format!(
            "referee: {}: No space left on device; every series up to here is safe in it. Make room, \
             then continue with --resume\n",
            path.display()
        )
    );
    let (full, whole) = (
        text_of(folder.join("full.jsonl")),
        text_of(folder.join("whole.jsonl")),
    );
    let series = full.lines().count() / 11;
    assert!((1..40).contains(&series), "{series}");
    assert_eq!(full.lines().count(), 1 + 11 * series);
    assert!(full.ends_with('\n') && full.lines().last().unwrap().contains("battleship-series"));
    assert!(whole.starts_with(&full));
    assert!(without_times(&whole) == undisturbed("400", folder));
}

fn a_disk_that_is_full_from_the_start_leaves_no_record() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = r#"
mount -t tmpfs -o size=8k tiny "$tiny"
head -c 8192 /dev/zero >"$tiny/zeros"
code=0
"$referee" match awful mediocre --seed 1 --series 10 --games 20 --quiet --out "$tiny/match.jsonl" 2>full.txt || code=$?
echo $code >code.txt
mount -o remount,size=64m tiny "$tiny"
"$referee" match awful mediocre --seed 1 --series 10 --games 20 --quiet --out "$tiny/match.jsonl" >/dev/null
cp "$tiny/match.jsonl" whole.jsonl
"#;
    run_where_disks_are_tiny(folder, script);
    assert_eq!(text_of(folder.join("code.txt")), "1\n");
    assert!(text_of(folder.join("full.txt")).contains("match.jsonl: No space left on device"));
    assert!(without_times(&text_of(folder.join("whole.jsonl"))) == undisturbed("20", folder));
}

fn a_merged_record_that_does_not_fit_is_not_left_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    undisturbed("100", folder);
    let script = r#"
mount -t tmpfs -o size=100k tiny "$tiny"
code=0
"$referee" merge match.jsonl --out "$tiny/merged.jsonl" 2>full.txt || code=$?
echo $code >code.txt
ls "$tiny" >left.txt
"#;
    run_where_disks_are_tiny(folder, script);
    assert_eq!(text_of(folder.join("code.txt")), "1\n");
    assert_eq!(text_of(folder.join("left.txt")), "");
    let said = text_of(folder.join("full.txt"));
    assert!(
        said.ends_with("merged.jsonl: No space left on device; make room, then merge again\n"),
        "{said}"
    );
}
