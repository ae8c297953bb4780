//! Tests of the reader: damaged, cut and foreign lines, and any bytes at all.

use std::io::{Seek, Write};

use super::super::InContest;
use super::*;
use crate::tests::{READERS, config, line_of};
use serde_json::json;

/// A contest of two series of two games.
fn record() -> Vec<u8> {
    let mut lines = Vec::new();
    let mut push = |line: String| {
        lines.extend(line.into_bytes());
        lines.push(b'\n');
    };
    let header = ContestHeader::new(config(), 4, None);
    push(serde_json::to_string(&header).unwrap());
    for series in 1..=2 {
        for number in [2 * series - 1, 2 * series] {
            let place = InContest {
                id: header.id.clone(),
                series: series as usize,
                game: number,
            };
            push(game_at(Some(&place)).json.to_string());
        }
        let end = SeriesRecord {
            format: SERIES_FORMAT.to_owned(),
            version: VERSION,
            contest: header.id.clone(),
            series: series as usize,
            round: 1,
            players: [0, 1],
            games: 2,
            cpu_ms: [Some(3), None],
            warnings: [Vec::new(), Vec::new()],
            took_ms: 0,
            said: Vec::new(),
        };
        push(serde_json::to_string(&end).unwrap());
    }
    lines
}

/// A game that was played at this place of a contest.
fn game_at(contest: Option<&InContest>) -> GameLine {
    let fields = json!({"contest": contest, "numbers": [0, 1], "winner": "awful"});
    line_of(&fields)
}

/// A reader of these bytes.
fn reader(bytes: &[u8]) -> RecordReader {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    RecordReader::new(Path::new("some.jsonl"), file, READERS)
}

/// Reads everything, up to the first error.
fn chunks_of(bytes: &[u8]) -> (Vec<Chunk>, Option<RecordError>) {
    let mut reader = reader(bytes);
    let mut chunks = Vec::new();
    let mut error = reader.read_header().err();
    while error.is_none() {
        match reader.next_chunk() {
            Ok(None) => break,
            Ok(Some(chunk)) => chunks.push(chunk),
            Err(found) => error = Some(found),
        }
    }
    (chunks, error)
}

#[test]
fn a_record_is_read_series_by_series() {
    let (chunks, error) = chunks_of(&record());
    assert!(error.is_none(), "{error:?}");
    let ends: Vec<_> = chunks
        .iter()
        .map(|chunk| (chunk.games.len(), chunk.end.is_some()))
        .collect();
    assert_eq!(ends, [(2, true), (2, true)]);
    assert_eq!([chunks[0].line, chunks[1].line], [2, 5]);
}

#[test]
fn a_series_played_again_begins_a_chunk() {
    let record = record();
    let lines: Vec<_> = record.split_inclusive(|byte| *byte == b'\n').collect();
    let (chunks, error) = chunks_of(&[&lines[..2], &lines[1..]].concat().concat());
    assert!(error.is_none(), "{error:?}");
    let games: Vec<_> = chunks.iter().map(|chunk| chunk.games.len()).collect();
    assert_eq!(games, [1, 2, 2]);
}

#[test]
fn the_last_header_counts() {
    let mut bytes = record();
    let second = ContestHeader::new(config(), 8, None);
    bytes.extend(serde_json::to_vec(&second).unwrap());
    bytes.push(b'\n');
    assert_eq!(reader(&bytes).last_header().unwrap(), Some(second));
    assert_eq!(reader(&record()).last_header().unwrap().unwrap().games, 4);
}

/// The record of one contest once took up the games of another one behind them.
#[test]
fn games_of_another_contest_are_an_error() {
    let text = String::from_utf8(record()).unwrap();
    let id = ContestHeader::new(config(), 4, None).id;
    let (before, behind) = text.split_at(text.rfind("{\"format\":\"battleship-game\"").unwrap());
    let (_, error) = chunks_of((before.to_owned() + &behind.replace(&id, "abc")).as_bytes());
    let said = error.unwrap().to_string();
    assert_eq!(
        said,
        format!(
            "some.jsonl, line 6: this is of contest abc, and the header of {id}; if the file is two records in one, name both \
             files instead"
        )
    );
}

/// It was once taken for a last line that had been cut short, and what followed for lost.
#[test]
fn an_unknown_game_is_left_out() {
    let known = String::from(game_at(None).json);
    let unknown = known.replace(r#""rules":"any game""#, r#""rules":"mines","new":[1]"#);
    let mut reader = reader([&*known, &*unknown, &*known, ""].join("\n").as_bytes());
    assert_eq!(
        std::iter::from_fn(|| reader.next_chunk().unwrap()).count(),
        2
    );
    let remark = "some.jsonl: 1 game of \"mines\" is left out, since this version of the referee does not know it";
    assert_eq!(reader.remarks(), [remark]);
    // A contest needs all of its games.
    let record = String::from_utf8(record()).unwrap();
    let (_, error) = chunks_of(record.replacen(r#""any game""#, r#""mines""#, 1).as_bytes());
    let error = error.unwrap().to_string();
    assert!(
        error.ends_with("line 1: this version of the referee does not know the game \"mines\""),
        "{error}"
    );
}

#[test]
fn a_line_that_is_no_text_is_named() {
    let whole = record();
    for (line, at) in [
        (1, whole.iter().position(|byte| *byte == b'\n').unwrap() - 9),
        (7, whole.len() - 9),
    ] {
        let mut bytes = whole.clone();
        bytes[at] = 0xff;
        let (_, error) = chunks_of(&bytes);
        let error = error.unwrap().to_string();
        let begin = format!(
            "some.jsonl, line {line}: this is not a line of a record: it is not UTF-8 text, at column "
        );
        assert!(error.starts_with(&begin), "{error}");
    }
}

#[test]
fn a_line_far_too_long_is_an_error() {
    let mut bytes = record();
    bytes.extend(vec![b' '; usize::try_from(LONGEST_LINE).unwrap() + 1]);
    bytes.extend(record());
    let (chunks, error) = chunks_of(&bytes);
    assert_eq!(chunks.len(), 2);
    assert!(
        error
            .unwrap()
            .to_string()
            .starts_with("some.jsonl, line 8: longer than")
    );
}
