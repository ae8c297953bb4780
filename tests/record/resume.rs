//! The possible faults of the record of a contest: no game that was played may be lost, and no file
//! that is not a record of this contest may be touched.

use std::fs::{self, File};

use testkit::list::Tests;
use testkit::record::Record;
use testkit::run::{Dir, Done};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_complete_record_is_left_alone,
        an_extended_match_is_one_of_that_length,
        a_decision_cuts_nothing_off,
        a_lost_series_is_played_again,
        another_contests_record_is_not_touched,
        a_locked_record_is_left_alone
    );
    rows!(tests, DAMAGED, a_damaged_line_is_named);
    rows!(tests, FOREIGN, a_file_without_a_header_is_not_touched);
}

const MATCH: &str = "match awful mediocre --seed 1 --series 10 -q --out m";

fn play(dir: &Dir, more: &str) -> Done {
    dir.run(format!("{MATCH} {more}")).ends()
}

/// A folder with the record of a match of this many games.
fn played(games: u32) -> Dir {
    let dir = Dir::new();
    dir.ran(format!("{MATCH} --games {games}"));
    dir
}

/// The contest is refused with this sentence, and the record does not change.
#[track_caller]
fn refuses(dir: &Dir, more: &str, sentence: &str) {
    let before = fs::read(dir.path("m")).unwrap();
    play(dir, more)
        .exits(2)
        .warns(&format!("referee: m{sentence}"));
    assert_eq!(fs::read(dir.path("m")).unwrap(), before);
}

fn a_complete_record_is_left_alone() {
    let dir = played(20);
    let before = dir.text("m");
    play(&dir, "--games 20 --resume").exits(0).is_quiet();
    let advice = " exists; --resume continues the contest in it, --force replaces it, another --out starts a new one\n";
    refuses(&dir, "--games 20", advice);
    let fewer = ": the record is of 20 games each and 10 are asked for; ask for 20 or more";
    play(&dir, "--games 10 --resume")
        .exits(2)
        .warns(&fewer[2..]);
    play(&dir, "--games 20 --force --resume")
        .exits(2)
        .warns("--force")
        .warns("--resume");
    assert_eq!(dir.text("m"), before);
}

/// The first header was once taken for the one that counts: games of an extension were cut off, or
/// not played. The last series of 26 games is played again, since it is longer now.
fn an_extended_match_is_one_of_that_length() {
    let whole = played(60).record("m");
    for (games, place) in [(30, 1 + 3 * 11), (26, 1 + 2 * 11)] {
        let dir = played(games);
        play(&dir, "--games 60 --resume").exits(0).is_quiet();
        let mut extended = dir.record("m");
        let header = extended.lines.remove(place);
        assert_eq!([&extended.lines[0]["games"], &header["games"]], [games, 60]);
        extended.lines[0] = header;
        assert_eq!(extended, whole);
        // One that was stopped continues to its new length, which is in the record.
        let text = dir.text("m");
        dir.file("m", &text[..text.len() - 3]);
        play(&dir, "--resume").exits(0).is_quiet();
        assert_eq!(dir.record("m"), Record::parse(&text));
    }
}

/// A sequential test that decides early once had the record cut off at that place.
fn a_decision_cuts_nothing_off() {
    let dir = played(60);
    let before = dir.text("m");
    play(&dir, "--games 60 --resume --sprt elo0=0,elo1=200").exits(0);
    assert_eq!(dir.text("m"), before);
}

fn a_lost_series_is_played_again() {
    let dir = played(40);
    let text = dir.text("m");
    let mut lines: Vec<_> = text.split_inclusive('\n').collect();
    lines.drain(12..23);
    dir.file("m", lines.concat());
    play(&dir, "--games 40 --resume").exits(0).is_quiet();
    assert_eq!(dir.record("m"), Record::parse(&text));
    let again = dir.text("m");
    assert!(
        lines.iter().all(|line| again.contains(line)),
        "what was there stays"
    );
}

fn another_contests_record_is_not_touched() {
    let dir = played(20);
    let other = " is of another contest; what differs: ";
    refuses(
        &dir,
        "--games 20 --resume --limit 4s",
        &format!(
            "{other}limit_ms: 5000 there, 4000 here. Choose another file, or ask for the same contest\n"
        ),
    );
    refuses(
        &dir,
        "--games 20 --resume --shard 1/2",
        &format!("{other}shard: none there, 1/2 here"),
    );
    let words = "match awful good --seed 1 --games 20 --series 4 -q --out m --resume";
    let done = dir.run(words).fails(2, "series: 10 there, 4 here");
    for part in ["command", "name"] {
        done.warns(&format!(
            "players 2: {part}: \"mediocre\" there, \"good\" here"
        ));
    }
}

fn a_locked_record_is_left_alone() {
    let dir = played(20);
    let other = File::open(dir.path("m")).unwrap();
    let sentence =
        "referee: another referee is writing m; wait until it has ended, or choose another --out\n";
    other.lock().unwrap();
    play(&dir, "--games 40 --resume").exits(2).warns(sentence);
    play(&dir, "--games 40").exits(2).warns(sentence);
    // A reader keeps others from writing.
    other.unlock().unwrap();
    other.lock_shared().unwrap();
    play(&dir, "--games 40 --resume").exits(2).warns(sentence);
}

/// A line, what takes the place of which part of it, and what is printed.
const DAMAGED: [(&str, (usize, &str, &str), &str); 7] = [
    (
        "half a line",
        (5, "}\n", "\n"),
        ", line 5: this is not a line of a record: EOF while parsing an object, at column ",
    ),
    (
        "another number of games",
        (12, "\"games\":10", "\"games\":8"),
        ", line 12: series 1 ends with 8 games, but those before it are others",
    ),
    (
        "a later version",
        (7, "\"version\":1", "\"version\":2"),
        ", line 7: version 2 of the format; this referee reads versions up to 1",
    ),
    (
        "a header of a later version",
        (1, "\"version\":4", "\"version\":5"),
        ", line 1: version 5 of the format; this referee reads versions up to 4",
    ),
    (
        "a missing field",
        (2, "\"shots\"", "\"shorts\""),
        ", line 2: this is not a line of a record: missing field `shots`",
    ),
    // It was once cut off when the contest continued; it was appended by an earlier version.
    (
        "a single game",
        (2, "\"contest\":", "\"other\":"),
        ", line 2: a game of no contest; move it to a file of its own",
    ),
    ("a line behind a gap", (40, "}\n", "\n"), ", line 29: "),
];

fn a_damaged_line_is_named(
    (name, (number, from, to), sentence): (&str, (usize, &str, &str), &str),
) {
    let dir = played(40);
    let text = dir.text("m");
    let mut lines: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect();
    lines[number - 1] = lines[number - 1].replacen(from, to, 1);
    if name.ends_with("gap") {
        lines.drain(12..23);
    }
    dir.file("m", lines.concat());
    refuses(&dir, "--games 60 --resume", sentence);
}

const FOREIGN: [&str; 4] = [
    "my thesis",
    "my thesis\n",
    "{\"format\":\"battleship-game\"",
    "\0\0\0\0\u{feff}",
];

fn a_file_without_a_header_is_not_touched(text: &str) {
    let dir = Dir::new();
    dir.file("m", text);
    refuses(
        &dir,
        "--games 20 --resume",
        " is not a record of a contest: its first line is not a header\n",
    );
}
