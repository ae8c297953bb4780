//! The logs of the original program: read, written, replayed, and refused line by line.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use battleship::Side;
use battleship::twist::{
    Cell, Fleet, IllegalMove, Log, LogFault, LogRules, MalformedCell, MalformedLog, MalformedOrder,
    Order, PlacementFault, Quirks, Refused, UnitId, UnitKind, replay,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::nearly_right::try_with;

const LOG: &str = include_str!("data/twist/probe-log.txt");
const REPLAY: &str = include_str!("data/twist/probe-replay.txt");

fn replayed(log: &Log, quirks: Quirks) -> Result<String, IllegalMove> {
    replay(log, quirks)
        .map(|frame| frame.map(|frame| frame.text))
        .collect()
}

#[test]
fn the_replay_of_an_original_log_is_the_originals_byte_for_byte() {
    let log = Log::parse(LOG.as_bytes()).unwrap();
    assert_eq!(replayed(&log, Quirks::ORIGINAL).unwrap(), REPLAY);
    assert_eq!(log.to_string(), LOG);
}

#[test]
fn line_ends_of_other_systems_and_a_last_line_feed_make_no_difference() {
    let log = Log::parse(LOG.as_bytes());
    let final_newline = format!("{LOG}\n");
    for text in [
        final_newline.clone(),
        LOG.replace('\n', "\r\n"),
        final_newline.replace('\n', "\r\n"),
    ] {
        assert_eq!(Log::parse(text.as_bytes()), log);
    }
    // Nor do the order of the units and the case of the letters, except that the printed log is the original's.
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
fn every_line_that_does_not_belong_into_a_log_is_refused_with_its_number_and_its_reason() {
    let [b0, _, _, s3, ..] = UnitId::ALL;
    let at = |cell: &str| cell.parse::<Cell>().unwrap();
    let cell = |text: &str| MalformedCell::Column(text.to_owned());
    let text = str::to_owned;
    for (line, new, fault) in [
        (1, "0", LogFault::AgainstComputer),
        (1, "3", LogFault::Starter(text("3"))),
        (1, "", LogFault::Starter(text(""))),
        (2, " ", LogFault::NotEmpty(text(" "))),
        (4, "", LogFault::Unit(text(""))),
        (4, "A1 A5", LogFault::Unit(text("A1 A5"))),
        (4, "A1  A5 5", LogFault::Unit(text("A1  A5 5"))),
        (4, "A1 A13 5", LogFault::Cell(cell("13"))),
        (4, "A1 A5 4", LogFault::Size(text("4"))),
        (4, "A1 A5 05", LogFault::Size(text("05"))),
        (
            4,
            "A1 A4 5",
            PlacementFault::Length {
                unit: b0,
                bow: at("A1"),
                stern: at("A4"),
                length: 4,
            }
            .into(),
        ),
        (
            7,
            "E1 F2 3",
            PlacementFault::Crooked {
                unit: s3,
                bow: at("E1"),
                stern: at("F2"),
            }
            .into(),
        ),
        (7, "E1 E5 5", LogFault::TooMany(UnitKind::Battleship)),
        (
            11,
            "A3 A3 1",
            PlacementFault::Overlaps {
                unit: UnitId::ALL[7],
                other: b0,
                cell: at("A3"),
            }
            .into(),
        ),
        (12, "I5 I5 1", LogFault::NotEmpty(text("I5 I5 1"))),
        (24, "", MalformedOrder::Words.into()),
        (30, "AA AA", MalformedOrder::Origin(cell("A")).into()),
        (35, "A3 M13", MalformedOrder::Target(cell("13")).into()),
    ] {
        assert_eq!(
            with_line(line, new),
            Err(MalformedLog { line, fault }),
            "{new:?}"
        );
    }
    assert_eq!(
        Log::parse(b"2\n\n\nA1 A5 5").unwrap_err(),
        MalformedLog {
            line: 5,
            fault: LogFault::Ends
        }
    );
    assert_eq!(
        Log::parse(b"2\n\n\n\xff").unwrap_err(),
        MalformedLog {
            line: 4,
            fault: LogFault::NotText
        }
    );
    for (line, new, message) in [
        (
            4,
            "A1 A4 5",
            "line 4: battleship 0: A1 to A4 is 4 cells long, and the unit is 5",
        ),
        (
            7,
            "E1 E5 5",
            "line 7: the fleet has every battleship already",
        ),
        (
            30,
            "AA AA",
            "line 30: the origin: no column \"A\": columns are 1 to 12",
        ),
        (
            12,
            "I5 I5 1",
            "line 12: expected an empty line, not \"I5 I5 1\"",
        ),
    ] {
        assert_eq!(with_line(line, new).unwrap_err().to_string(), message);
    }
}

#[test]
fn an_overlap_is_refused_at_the_later_of_its_two_lines() {
    let text = LOG
        .replacen("A1 A5 5\nB1 B5 5", "A1 A1 1\nA1 A5 5", 1)
        .replacen("I1 I1 1", "B1 B5 5", 1);
    assert_eq!(Log::parse(text.as_bytes()).unwrap_err().line, 5);
}

#[test]
fn an_illegal_move_ends_the_replay_with_its_line() {
    // E5 is a cell of B's third battleship, but not its centre.
    let log = with_line(26, "E5 A1").unwrap();
    assert!(replay(&log, Quirks::ORIGINAL).nth(2).unwrap().is_ok());
    let mut frames = replay(
        &log,
        Quirks {
            any_origin: false,
            ..Quirks::ORIGINAL
        },
    );
    assert!(frames.next().unwrap().is_ok() && frames.next().unwrap().is_ok());
    let error = frames.next().unwrap().unwrap_err();
    let [origin, target, centre] = ["E5", "A1", "C5"].map(|cell| cell.parse().unwrap());
    let refused = Refused::NotCentre {
        unit: UnitId::ALL[2],
        origin,
        centre,
    };
    assert_eq!(
        error,
        IllegalMove {
            line: 26,
            order: Order { origin, target },
            refused
        }
    );
    assert_eq!(
        error.to_string(),
        "line 26: E5 A1: battleship 2 is ordered by its centre, C5, not by E5"
    );
    assert!(frames.next().is_none());
    // The state before it stays.
    assert_eq!(frames.state().fleet(Side::Two).damaged().len(), 1);
    assert_eq!(frames.state().fleet(Side::One).damaged().len(), 1);
}

#[test]
fn the_logs_starter_moves_first_unless_the_originals_quirk_is_on() {
    let log = with_line(1, "1").unwrap();
    assert_eq!(log.starter, Side::One);
    assert_eq!(replayed(&log, Quirks::ORIGINAL).unwrap(), REPLAY);
    // Without it, the sample's first move is A's, which has a battleship with a part at C1.
    let quirks = Quirks {
        starter_ignored: false,
        ..Quirks::ORIGINAL
    };
    assert_eq!(
        replay(&log, quirks).next().unwrap().unwrap().side,
        Side::One
    );
    let log = with_line(1, "2").unwrap();
    assert_eq!(replayed(&log, quirks).unwrap(), REPLAY);
}

/// A fleet whose units are in rows of their own, moved right by `shift`.
fn shifted_fleet(shift: [u8; 8]) -> Fleet {
    let ends: Vec<(Cell, Cell)> = UnitId::ALL
        .into_iter()
        .zip((0..).zip(shift))
        .map(|(unit, (row, shift))| {
            let size = unit.kind().size();
            let column = shift % (13 - size);
            (
                Cell::new(row, column).unwrap(),
                Cell::new(row, column + size - 1).unwrap(),
            )
        })
        .collect();
    Fleet::from_ends(&ends).unwrap()
}

fn any_cell() -> impl Strategy<Value = Cell> {
    (0..12_u8, 0..12_u8).prop_map(|(row, column)| Cell::new(row, column).unwrap())
}

proptest! {
    #[test]
    fn a_printed_log_is_read_as_it_was_meant(
        legal_rules: bool,
        starter in 0..2_usize,
        shifts in any::<[[u8; 8]; 2]>(),
        moves in vec((any_cell(), any_cell()), 0..50),
    ) {
        let moves = moves.into_iter().map(|(origin, target)| Order { origin, target }).collect();
        let rules = if legal_rules { LogRules::Standard } else { LogRules::Original };
        let log = Log { rules, starter: Side::BOTH[starter], fleets: shifts.map(shifted_fleet).into(), moves };
        prop_assert_eq!(Log::parse(log.to_string().as_bytes()), Ok(log));
    }
}

/// For any bytes: no panic, and what is taken for a log is printed as a log that means the same.
fn check_any_log(bytes: &[u8]) {
    if let Ok(log) = Log::parse(bytes) {
        let printed = log.to_string();
        let again = Log::parse(printed.as_bytes()).unwrap();
        assert_eq!(again.to_string(), printed);
        for quirks in [Quirks::ORIGINAL, Quirks::default()] {
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
fn logs_that_are_nearly_right_never_make_the_reader_panic() {
    let logs = [include_bytes!("corpus/twist.log"), LOG.as_bytes()];
    assert!(logs.iter().all(|log| Log::parse(log).is_ok()));
    try_with(&logs, 2_000, check_any_log);
}
