//! The possible faults of the record of a contest: no game that was played may be lost, and no file that is not a record of
//! this contest may be touched.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::contest::{match_in_tens, without_times};
use crate::common::{program, text_of};
use serde_json::Value;
use tempfile::TempDir;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_record_that_was_cut_short_anywhere_is_completed,
            a_complete_record_is_left_as_it_is,
            an_extended_match_is_a_match_of_that_length,
            a_series_that_an_extension_makes_longer_is_played_again,
            a_match_that_was_extended_and_stopped_continues_to_its_new_length,
            fewer_games_than_there_are_is_refused,
            a_decision_does_not_cut_off_what_was_played_behind_it,
            a_record_is_not_written_over_without_resume,
            the_record_of_another_contest_is_refused_with_what_differs,
            a_file_that_is_not_a_record_is_not_touched,
            a_record_of_another_version_is_not_touched,
            a_damaged_line_is_named_and_nothing_is_changed,
            a_damaged_line_behind_a_gap_is_named_and_nothing_is_changed,
            a_single_game_in_the_record_is_not_lost,
            a_record_in_which_a_series_was_lost_gets_it_back,
            a_record_that_another_referee_writes_is_left_alone
        );
    });
}

/// A folder with the record of a match in it.
struct Fixture {
    folder: TempDir,
}

impl Fixture {
    fn new() -> Fixture {
        Fixture {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// With the record of a match of this many games, in series of ten.
    fn played(games: &str) -> Fixture {
        let fixture = Fixture::new();
        assert_eq!(fixture.play(games, &[]), (0, String::new()));
        fixture
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("match.jsonl")
    }

    /// Plays a match of this many games into the record; returns the exit code and what is said.
    fn play(&self, games: &str, options: &[&str]) -> (i32, String) {
        said(
            match_in_tens(games, Path::new("match.jsonl"))
                .args(options)
                .current_dir(self.folder.path()),
        )
    }

    fn resume(&self, games: &str) -> (i32, String) {
        self.play(games, &["--resume"])
    }

    fn text(&self) -> String {
        text_of(self.path())
    }

    fn write(&self, text: impl AsRef<[u8]>) {
        fs::write(self.path(), text).unwrap();
    }

    fn lines(&self) -> Vec<Value> {
        without_times(&self.text())
    }

    /// `play` fails with these words, and the record does not change.
    fn refuses(&self, games: &str, options: &[&str], words: &str) {
        let before = fs::read(self.path()).unwrap();
        let (code, said) = self.play(games, options);
        assert_eq!(
            (code, said.as_str()),
            (2, format!("referee: {words}\n").as_str())
        );
        assert!(
            fs::read(self.path()).unwrap() == before,
            "the record has changed"
        );
    }
}

fn said(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// The lines that a match of this many games has if nothing goes wrong.
fn undisturbed(games: &str) -> Vec<Value> {
    Fixture::played(games).lines()
}

fn a_record_that_was_cut_short_anywhere_is_completed() {
    let expected = undisturbed("40");
    let whole = Fixture::played("40");
    let text = whole.text();
    let line_starts: Vec<usize> = [0]
        .into_iter()
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    // In the header, behind it, in the first game, behind it, in the end of the first series, behind it, in the second
    // series, and in the very last line.
    let (header, end) = (line_starts[1], line_starts[11]);
    let behind = line_starts[12];
    let cuts = [
        0,
        1,
        header - 1,
        header,
        header + 9,
        line_starts[2],
        end + 5,
        behind - 1,
        behind,
        behind + 1,
        text.len() - 1,
    ];
    for cut in cuts {
        whole.write(&text[..cut]);
        assert_eq!(whole.resume("40"), (0, String::new()), "cut at {cut}");
        assert!(whole.lines() == expected, "cut at {cut}");
        // Complete games were not played again: their times are the same.
        let kept = if cut < behind {
            header.min(cut)
        } else {
            behind
        };
        assert!(
            whole.text().as_bytes()[..kept] == text.as_bytes()[..kept],
            "cut at {cut}"
        );
    }
}

fn a_complete_record_is_left_as_it_is() {
    let fixture = Fixture::played("40");
    let before = fixture.text();
    assert_eq!(fixture.resume("40"), (0, String::new()));
    assert_eq!(fixture.text(), before);
}

fn an_extended_match_is_a_match_of_that_length() {
    let fixture = Fixture::played("40");
    assert_eq!(fixture.resume("100"), (0, String::new()));
    let mut lines = fixture.lines();
    let (first, second) = (lines[0].take(), lines.remove(1 + 4 * 11));
    assert_eq!(
        (&first["games"], &second["games"]),
        (&40.into(), &100.into())
    );
    lines[0] = second;
    assert!(lines == undisturbed("100"));
}

fn a_series_that_an_extension_makes_longer_is_played_again() {
    let fixture = Fixture::played("36");
    assert_eq!(fixture.resume("60"), (0, String::new()));
    let mut lines = fixture.lines();
    lines[0] = lines.remove(1 + 3 * 11);
    assert!(lines == undisturbed("60"));
}

/// The first header was once taken for the one that counts: games of an extension were cut off, or not played.
fn a_match_that_was_extended_and_stopped_continues_to_its_new_length() {
    let fixture = Fixture::played("40");
    assert_eq!(fixture.resume("100"), (0, String::new()));
    let whole = fixture.lines();
    let words = "the record is of 100 games each and 56 are asked for; ask for 100 or more";
    fixture.refuses("56", &["--resume"], words);
    let text = fixture.text();
    fixture.write(&text[..text.len() - 3]);
    // Without --games, the record says how many.
    let mut command = program("referee");
    command.args([
        "match", "awful", "mediocre", "--seed", "1", "--series", "10", "--quiet", "--resume",
        "--out",
    ]);
    assert_eq!(said(command.arg(fixture.path())), (0, String::new()));
    assert!(fixture.lines() == whole);
}

fn fewer_games_than_there_are_is_refused() {
    let words = "the record is of 40 games each and 20 are asked for; ask for 40 or more";
    Fixture::played("40").refuses("20", &["--resume"], words);
}

/// A sequential test that decides early once had the record cut off at that place.
fn a_decision_does_not_cut_off_what_was_played_behind_it() {
    let fixture = Fixture::played("100");
    let before = fixture.text();
    let (code, said) = fixture.play("100", &["--resume", "--sprt", "elo0=0,elo1=200"]);
    assert_eq!(code, 0, "{said}");
    assert!(fixture.text() == before);
}

fn a_record_is_not_written_over_without_resume() {
    let words = "match.jsonl exists; --resume continues the contest in it, --force replaces it, another --out starts a new one";
    Fixture::played("20").refuses("20", &[], words);
}

fn the_record_of_another_contest_is_refused_with_what_differs() {
    let fixture = Fixture::played("20");
    let advice = "Choose another file, or ask for the same contest";
    let differs =
        |what: &str| format!("match.jsonl is of another contest; what differs: {what}. {advice}");
    fixture.refuses(
        "20",
        &["--resume", "--limit", "4s"],
        &differs("limit_ms: 5000 there, 4000 here"),
    );
    fixture.refuses(
        "20",
        &["--resume", "--shard", "1/2"],
        &differs("shard: none there, 1/2 here"),
    );
    let mut command = program("referee");
    command.args([
        "match", "awful", "good", "--seed", "1", "--games", "20", "--series", "4", "--resume",
        "--out",
    ]);
    let (code, said) = said(command.arg(fixture.path()));
    assert_eq!(code, 2);
    for what in [
        "players 2: command: \"mediocre\" there, \"good\" here",
        "players 2: name: \"mediocre\" there, \"good\" here",
        "series: 10 there, 4 here",
    ] {
        assert!(said.contains(what), "{said}");
    }
}

fn a_file_that_is_not_a_record_is_not_touched() {
    let game = Fixture::new();
    let record = game.folder.path().join("game.jsonl");
    let mut command = program("referee");
    command.args([
        "play",
        "awful",
        "awful",
        "--seed",
        "1",
        "--no-pause",
        "--record",
    ]);
    assert!(command.arg(&record).output().unwrap().status.success());
    let words = "match.jsonl is not a record of a contest: its first line is not a header";
    for text in [
        &b"my thesis"[..],
        b"my thesis\n",
        b"{\"format\":\"battleship-game\"",
        b"\0\0\0\0\xff\xfe",
        &fs::read(&record).unwrap(),
    ] {
        game.write(text);
        game.refuses("20", &["--resume"], words);
    }
}

fn a_record_of_another_version_is_not_touched() {
    let fixture = Fixture::played("20");
    fixture.write(fixture.text().replacen("\"version\":3", "\"version\":4", 1));
    let words = "match.jsonl, line 1: version 4 of the format; this referee reads versions up to 3";
    fixture.refuses("20", &["--resume"], words);
}

fn a_damaged_line_is_named_and_nothing_is_changed() {
    let fixture = Fixture::played("40");
    let text = fixture.text();
    let lines: Vec<&str> = text.lines().collect();
    let with = |number: usize, line: &str| {
        let mut lines = lines.clone();
        lines[number - 1] = line;
        fixture.write(lines.join("\n") + "\n");
    };
    with(5, lines[4].strip_suffix('}').unwrap());
    let words = "match.jsonl, line 5: this is not a line of a record: it is not whole, at column ";
    fixture.refuses(
        "60",
        &["--resume"],
        &format!("{words}{}", lines[4].len() - 1),
    );

    with(12, &lines[11].replace("\"games\":10", "\"games\":8"));
    let words = "match.jsonl, line 12: series 1 ends with 8 games, but those before it are others";
    fixture.refuses("60", &["--resume"], words);
    with(7, &lines[6].replacen("\"version\":1", "\"version\":2", 1));
    let words = "match.jsonl, line 7: version 2 of the format; this referee reads versions up to 1";
    fixture.refuses("60", &["--resume"], words);
}

/// A damaged line behind the place where the contest continues is not lost either.
fn a_damaged_line_behind_a_gap_is_named_and_nothing_is_changed() {
    let fixture = Fixture::played("40");
    let text = fixture.text();
    let mut lines: Vec<&str> = text.lines().collect();
    let short = &lines[40][..40];
    lines[40] = short;
    lines.drain(12..23);
    fixture.write(lines.join("\n") + "\n");
    let before = fixture.text();
    let (code, said) = fixture.resume("40");
    assert!(
        code == 2 && said.starts_with("referee: match.jsonl, line 30: "),
        "{said}"
    );
    assert!(fixture.text() == before);
}

/// It was once cut off when the contest continued.
fn a_single_game_in_the_record_is_not_lost() {
    let fixture = Fixture::played("20");
    // As an earlier version of the referee appended it.
    let mut command = program("referee");
    command.args(["play", "awful", "awful", "--json"]);
    let game = String::from_utf8(command.output().unwrap().stdout).unwrap();
    fixture.write(fixture.text() + &game);
    let words = "match.jsonl, line 24: a game of no contest; move it to a file of its own";
    fixture.refuses("40", &["--resume"], words);
}

fn a_record_in_which_a_series_was_lost_gets_it_back() {
    let fixture = Fixture::played("40");
    let expected = fixture.lines();
    let text = fixture.text();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.drain(12..23);
    fixture.write(lines.join("\n") + "\n");
    assert_eq!(fixture.resume("40"), (0, String::new()));
    assert!(fixture.lines() == expected);
    assert!(lines.iter().all(|line| fixture.text().contains(line)));
}

fn a_record_that_another_referee_writes_is_left_alone() {
    let fixture = Fixture::played("20");
    let other = File::open(fixture.path()).unwrap();
    other.lock().unwrap();
    let words =
        "another referee is writing match.jsonl; wait until it has ended, or choose another --out";
    fixture.refuses("40", &["--resume"], words);
    fixture.refuses("40", &[], words);
    // A reader keeps others from writing.
    other.unlock().unwrap();
    other.lock_shared().unwrap();
    fixture.refuses("40", &["--resume"], words);
}
