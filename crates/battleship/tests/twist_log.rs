//! The logs of the original program: read, written, replayed, and refused line by line.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use battleship::Side;
use battleship::twist::{IllegalMove, Log, LogRules, MalformedLog, OriginalQuirks, replay};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::nearly_right::try_with;

const LOG: &str = include_str!("data/twist/probe-log.txt");
const REPLAY: &str = include_str!("data/twist/probe-replay.txt");

fn replayed(log: &Log, quirks: OriginalQuirks) -> Result<String, IllegalMove> {
    replay(log, quirks).collect()
}

#[test]
fn an_original_log_is_replayed_byte_for_byte() {
    let log = Log::parse(LOG.as_bytes()).unwrap();
    assert_eq!(replayed(&log, OriginalQuirks::ORIGINAL).unwrap(), REPLAY);
    assert_eq!(log.to_string(), LOG);
}

#[test]
fn line_ends_make_no_difference() {
    let log = Log::parse(LOG.as_bytes());
    let final_newline = format!("{LOG}\n");
    for text in [
        final_newline.clone(),
        LOG.replace('\n', "\r\n"),
        final_newline.replace('\n', "\r\n"),
    ] {
        assert_eq!(Log::parse(text.as_bytes()), log);
    }
    // Nor do the order of the units and the case of the letters, except that the printed log is the
    // original's.
    let text = LOG.replace("A1 A5 5\nB1 B5 5", "b1 B5 5\nA1 a5 5");
    assert_eq!(Log::parse(text.as_bytes()).unwrap().to_string(), LOG);
    let text = LOG
        .replace("\nI3 I3 1", "")
        .replace("A1 A5 5", "I3 I3 1\nA1 A5 5");
    assert_eq!(Log::parse(text.as_bytes()).unwrap().to_string(), LOG);
}

#[test]
fn a_log_without_moves_is_a_log() {
    let head = &LOG[..LOG.find("C1 E1").unwrap()];
    for text in [head, &head[..head.len() - 1]] {
        let log = Log::parse(text.as_bytes()).unwrap();
        assert!(log.moves.is_empty());
        assert_eq!(log.to_string(), head);
    }
}

/// Reads the sample log with `new` in place of the line with this number.
fn with_line(line: usize, new: &str) -> Result<Log, MalformedLog> {
    let mut lines: Vec<&str> = LOG.lines().collect();
    lines[line - 1] = new;
    Log::parse(lines.join("\n").as_bytes())
}

#[test]
fn a_line_that_does_not_belong_is_refused() {
    for (line, new, why) in [
        (
            1,
            "0",
            "the log is of a player against the computer (starter 0), and what the original program logs of such games cannot be replayed",
        ),
        (
            1,
            "3",
            r#"expected the number of the player that starts, 1 or 2, or 21 or 22 in a game without the original's quirks, not "3""#,
        ),
        (
            1,
            "",
            r#"expected the number of the player that starts, 1 or 2, or 21 or 22 in a game without the original's quirks, not """#,
        ),
        (2, " ", r#"expected an empty line, not " ""#),
        (
            4,
            "",
            r#"expected a unit, as its bow, its stern and its size, not """#,
        ),
        (
            4,
            "A1 A5",
            r#"expected a unit, as its bow, its stern and its size, not "A1 A5""#,
        ),
        (
            4,
            "A1  A5 5",
            r#"expected a unit, as its bow, its stern and its size, not "A1  A5 5""#,
        ),
        (4, "A1 A13 5", r#"no column "13": columns are 1 to 12"#),
        (4, "A1 A5 4", r#"no unit has the size "4""#),
        (4, "A1 A5 05", r#"no unit has the size "05""#),
        (
            4,
            "A1 A4 5",
            "battleship 0: A1 to A4 is 4 cells long, and the unit is 5",
        ),
        (
            7,
            "E1 F2 3",
            "support ship 3: E1 to F2 is neither horizontal nor vertical",
        ),
        (7, "E1 E5 5", "the fleet has every battleship already"),
        (11, "A3 A3 1", "submarine 7: battleship 0 is at A3"),
        (12, "I5 I5 1", r#"expected an empty line, not "I5 I5 1""#),
        (24, "", "an order is two cells with one space between them"),
        (
            30,
            "AA AA",
            r#"the origin: no column "A": columns are 1 to 12"#,
        ),
        (
            35,
            "A3 M13",
            r#"the target: no column "13": columns are 1 to 12"#,
        ),
    ] {
        let error = with_line(line, new).unwrap_err().to_string();
        assert_eq!(error, format!("line {line}: {why}"), "{new:?}");
    }
    for (bytes, why) in [
        (
            &b"2\n\n\nA1 A5 5"[..],
            "line 5: the log ends here, before its moves",
        ),
        (b"2\n\n\n\xff", "line 4: the line is not text"),
    ] {
        assert_eq!(Log::parse(bytes).unwrap_err().to_string(), why);
    }
}

#[test]
fn an_overlap_is_refused_at_its_later_line() {
    let text = LOG
        .replacen("A1 A5 5\nB1 B5 5", "A1 A1 1\nA1 A5 5", 1)
        .replacen("I1 I1 1", "B1 B5 5", 1);
    assert_eq!(Log::parse(text.as_bytes()).unwrap_err().line, 5);
}

#[test]
fn an_illegal_move_ends_the_replay() {
    // E5 is a cell of B's third battleship, but not its centre.
    let log = with_line(26, "E5 A1").unwrap();
    assert!(
        replay(&log, OriginalQuirks::ORIGINAL)
            .nth(2)
            .unwrap()
            .is_ok()
    );
    let mut frames = replay(
        &log,
        OriginalQuirks {
            any_origin: false,
            ..OriginalQuirks::ORIGINAL
        },
    );
    assert!(frames.next().unwrap().is_ok() && frames.next().unwrap().is_ok());
    let error = frames.next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 26: E5 A1: battleship 2 is ordered by its centre, C5"
    );
    assert!(frames.next().is_none());
}

#[test]
fn the_starter_moves_first_without_the_quirk() {
    let log = with_line(1, "1").unwrap();
    assert_eq!(log.starter, Side::One);
    assert_eq!(replayed(&log, OriginalQuirks::ORIGINAL).unwrap(), REPLAY);
    // Without it, the sample's first move is A's, which has a battleship with a part at C1.
    let quirks = OriginalQuirks {
        starter_ignored: false,
        ..OriginalQuirks::ORIGINAL
    };
    let first = replay(&log, quirks).next().unwrap().unwrap();
    assert!(first.trim_start().starts_with("Player 1"), "{first}");
    let log = with_line(1, "2").unwrap();
    assert_eq!(replayed(&log, quirks).unwrap(), REPLAY);
}

/// For any bytes: no panic, and what is taken for a log is printed as a log that means the same.
fn check_any_log(bytes: &[u8]) {
    if let Ok(log) = Log::parse(bytes) {
        let printed = log.to_string();
        let again = Log::parse(printed.as_bytes()).unwrap();
        assert_eq!(again.to_string(), printed);
        // The units of a kind may have other numbers.
        assert_eq!(format!("{again:?}"), format!("{log:?}"));
        for quirks in [OriginalQuirks::ORIGINAL, OriginalQuirks::default()] {
            assert_eq!(replay(&again, quirks).count(), replay(&log, quirks).count());
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_never_make_the_reader_panic(bytes in vec(any::<u8>(), 0..=300)) {
        check_any_log(&bytes);
        check_any_log(&[LOG.as_bytes(), b"\n", &bytes].concat());
    }
}

#[test]
fn logs_nearly_right_are_never_misread() {
    let standard = LOG.replacen('2', "21", 1);
    let logs = [
        include_bytes!("corpus/twist.log"),
        LOG.as_bytes(),
        standard.as_bytes(),
    ];
    let rules = logs.map(|log| Log::parse(log).unwrap().rules);
    assert_eq!(rules[1..], [LogRules::Original, LogRules::Standard]);
    try_with(&logs, 2_000, check_any_log);
}
