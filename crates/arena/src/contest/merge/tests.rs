use std::fs;

use serde_json::{Value, json};

use super::*;
use crate::tests::READERS;

/// A match of four games in two series, and a Swiss tournament of two rounds with a series each.
const MATCH: &str = include_str!("../../../../pages/tests/corpus/match.jsonl");
const SWISS: &str = include_str!("../../../../pages/tests/corpus/swiss.jsonl");

/// Returns the record of these lines of `text`, from 0.
fn part(text: &str, lines: &[usize]) -> String {
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    lines.iter().map(|line| all[*line]).collect()
}

fn values(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns a line of a record; readers know it by its first field.
fn line_of(value: &Value) -> String {
    let mut rest = value.clone();
    let format = rest.as_object_mut().unwrap().remove("format").unwrap();
    format!("{{\"format\":{format},{}\n", &rest.to_string()[1..])
}

/// Merges records of these texts, called `0`, `1` and so on. Returns the lines of the one record
/// and the notes, or the error.
fn merged<T: AsRef<str>>(texts: &[T]) -> Result<(Vec<Value>, Vec<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    let write = |(index, text): (usize, &T)| {
        let path = folder.path().join(index.to_string());
        fs::write(&path, text.as_ref()).unwrap();
        path
    };
    let files: Vec<_> = texts.iter().enumerate().map(write).collect();
    let out = folder.path().join("out");
    let plain = |text: &String| text.replace(&format!("{}/", folder.path().display()), "");
    match merge(
        &files,
        &out,
        false,
        Contradictions::Refuse,
        READERS,
        &Interrupt::never().unwrap(),
    ) {
        Ok(merged) => {
            let lines = values(&fs::read_to_string(out).unwrap());
            let of_series = lines
                .iter()
                .filter(|line| line["format"] == "battleship-series");
            assert_eq!(of_series.count(), merged.series);
            Ok((lines, merged.notes.iter().map(plain).collect()))
        }
        Err(error) => {
            assert!(!out.exists(), "a file is left behind");
            Err(plain(&error.to_string()))
        }
    }
}

#[track_caller]
fn refuses<T: AsRef<str>>(texts: &[T], sentence: &str) {
    assert_eq!(merged(texts).unwrap_err(), sentence);
}

/// The first record's series counted without a word.
#[test]
fn records_that_contradict_each_other_are_refused() {
    let loser = MATCH.replacen("\"winner\":\"mediocre\"", "\"winner\":\"awful\"", 1);
    assert_ne!(loser, MATCH);
    let error = merged(&[MATCH, &loser]).unwrap_err();
    for words in [
        "0 and 1 contradict each other: series ",
        "won by mediocre (fleet_sunk) in the first, by awful (fleet_sunk) in the second",
        "--keep-first",
    ] {
        assert!(error.contains(words), "{error}");
    }
    // Times are others whenever a series is played.
    let later = MATCH.replacen("\"sunk 0\",", "\"sunk 0\",9", 1);
    assert_ne!(later, MATCH);
    assert!(merged(&[MATCH, &later]).is_ok());
}

#[test]
fn parts_become_the_whole() {
    for whole in [MATCH, SWISS] {
        let expected = Ok((values(whole), Vec::new()));
        let parts = [part(whole, &[0, 4, 5, 6]), part(whole, &[0, 1, 2, 3])];
        assert_eq!(merged(&[whole]), expected);
        assert_eq!(merged(&parts), expected);
    }
}

#[test]
fn a_series_in_two_records_counts_once() {
    let (lines, notes) = merged(&[MATCH, MATCH, &part(MATCH, &[0, 1, 2, 3])]).unwrap();
    assert_eq!(lines, values(MATCH));
    assert_eq!(
        notes,
        ["series 1 and 2 are in more than one place; each counts once"]
    );
}

#[test]
fn incomplete_series_are_left_out() {
    let (lines, notes) =
        merged(&[&part(MATCH, &[0, 1, 4]), MATCH, &MATCH[..MATCH.len() - 9]]).unwrap();
    assert_eq!(lines, values(MATCH));
    let incomplete = "an incomplete series is left out";
    assert_eq!(
        notes[..4],
        [
            format!("0, line 2: {incomplete}"),
            format!("0, line 3: {incomplete}"),
            format!("2, line 5: {incomplete}"),
            "line 7 of 2 is left out, since it was cut short".to_owned()
        ]
    );
}

#[test]
fn missing_series_are_named() {
    let named = "name the records that have them";
    refuses(
        &[part(MATCH, &[0, 1, 2, 3])],
        &format!("series 2 is missing; {named}"),
    );
    refuses(
        &[part(SWISS, &[0, 4, 5, 6])],
        &format!("series 1 is missing, and so are all later rounds; {named}"),
    );
}

/// A sequential test decided after the first game of the second series.
#[test]
fn a_series_that_was_cut_is_missing() {
    let end = part(MATCH, &[6]).replace("\"games\":2", "\"games\":1");
    let cut = part(MATCH, &[0, 1, 2, 3, 4]) + &end;
    refuses(
        &[&cut],
        "series 2 is missing; name the records that have them",
    );
    let (lines, notes) = merged(&[&cut, MATCH]).unwrap();
    assert_eq!(lines, values(MATCH));
    assert_eq!(
        notes,
        ["series 1 is in more than one place; each counts once"]
    );
}

#[test]
fn a_foreign_series_is_an_error() {
    let what =
        "of this contest has other players or games than these, or another place in the record";
    let second = part(MATCH, &[4, 5, 6]);
    let others = second.replace("\"players\":[0,1]", "\"players\":[1,0]");
    let later = second.replace("\"series\":2", "\"series\":9");
    let first = part(MATCH, &[0, 1, 2, 3]);
    refuses(
        &[first.clone() + &others],
        &format!("0, line 5: series 2 {what}"),
    );
    refuses(
        &[MATCH.to_owned() + &later],
        &format!("0, line 8: series 9 {what}"),
    );
    refuses(
        &[MATCH.to_owned() + &part(MATCH, &[1, 2, 3])],
        &format!("0, line 8: series 1 {what}"),
    );
}

#[test]
fn a_header_of_no_contest_is_an_error() {
    let mut lines = values(MATCH);
    lines[0]["config"]["players"].as_array_mut().unwrap().pop();
    refuses(
        &[line_of(&lines[0])],
        "0: a contest needs at least 2 players, got 1: name another",
    );
}

#[test]
fn contests_that_differ_are_not_merged() {
    let other = MATCH.replace("\"limit_ms\":5000,\"start", "\"limit_ms\":9,\"start");
    refuses(
        &[MATCH, &other],
        "1 is of another contest than 0; what differs, with the latter as here: limit_ms: 9 there, 5000 here",
    );
    let longer = MATCH.replacen("\"games\":4", "\"games\":8", 1);
    refuses(
        &[MATCH, &longer],
        "0 has 4 games of each encounter and 1 has 8; extend the shorter one with --resume --games 8",
    );
}

/// Returns the record of some of the eight series of a match whose second player spoils every game.
fn spoilt(series: &[usize]) -> String {
    let mut lines = values(MATCH);
    lines[0]["games"] = json!(16);
    lines[0]["config"]["max_faults"] = json!(0.5);
    let mut text = line_of(&lines[0]);
    for number in series {
        for (place, line) in lines[1..4].iter_mut().enumerate() {
            if place == 2 {
                line["series"] = json!(number + 1);
            } else {
                line["contest"]["series"] = json!(number + 1);
                line["contest"]["game"] = json!(2 * number + place + 1);
                line["ended_by"] = json!("timeout");
                (line["by"], line["winner"]) = (json!(1), json!("awful"));
            }
            text += &line_of(line);
        }
    }
    text
}

/// After ten games, which is five series, the player is out. The shard with series 7 did not know.
#[test]
fn series_no_run_would_play_are_left_out() {
    let (lines, notes) = merged(&[spoilt(&[1, 3]), spoilt(&[0, 2, 4, 6])]).unwrap();
    assert_eq!(lines, values(&spoilt(&[0, 1, 2, 3, 4])));
    let note = "1 series skipped: a player was already disqualified when they were played";
    assert_eq!(notes, [note]);
    let missing = "series 5 is missing; name the records that have them";
    refuses(&[spoilt(&[0, 1, 2, 3, 5, 6])], missing);
}

#[test]
fn series_of_who_cannot_play_are_not_missing() {
    let mut lines = values(MATCH);
    lines[0]["config"]["players"][1]["cannot_play"] = json!(true);
    let header = line_of(&lines[0]);
    assert_eq!(merged(&[header]).unwrap().0, lines[..1]);
}

#[test]
fn a_long_list_of_series_is_cut_short() {
    assert_eq!(series_are(&[3]), "series 4 is");
    assert_eq!(series_are(&[3, 6, 11]), "series 4, 7 and 12 are");
    let every_third: Vec<usize> = (0..100).map(|number| 3 * number).collect();
    assert_eq!(
        series_are(&every_third),
        "series 1, 4, 7, 10, 13, 16, 19, 22 and 92 more are"
    );
}
