//! Tests of the reader: damaged, cut and foreign lines, and any bytes at all.

use std::io::{Seek, Write};

use battleship::{AttackResult, Game, PlayedTurn, Point, Rules, Side, Turn};
use proptest::prelude::*;

use super::super::gzip::member;
use super::super::{InContest, Player, original_differs, original_log, replay};
use super::*;
use crate::contest::Tally;
use crate::tests::nearly_right::try_with;
use crate::tests::records::{RECORDS, config, player};

/// A contest of two series of two games.
fn record() -> Vec<u8> {
    let mut lines = Vec::new();
    let mut push = |line: String| {
        lines.extend(line.into_bytes());
        lines.push(b'\n');
    };
    let header = ContestHeader::new(config(), 4, None);
    push(serde_json::to_string(&header).unwrap());
    let mut game = Game::new(2, 2).unwrap();
    game.add_ship(2, 'R', "rowboat").unwrap();
    let rules = Rules::Classic(game);
    for series in 1..=2 {
        for number in [2 * series - 1, 2 * series] {
            let players = ["awful", "good"].map(|name| Player {
                seed: 7,
                limit_ms: Some(5000),
                ..player(name)
            });
            let mut record = GameRecord::new(&rules, 1, 40, players);
            record.contest = Some(InContest {
                id: header.id.clone(),
                series: series as usize,
                game: number,
            });
            let turn = Turn::Attack {
                at: Point::new(0, 1),
                result: AttackResult::Sunk(0),
            };
            record.turns_mut().push(PlayedTurn {
                mover: Side::One,
                turn,
                us: 12,
            });
            record.winner = Some("awful".to_owned());
            push(serde_json::to_string(&record).unwrap());
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
            took_ms: None,
            said: Vec::new(),
        };
        push(serde_json::to_string(&end).unwrap());
    }
    lines
}

/// A reader of these bytes.
fn reader(bytes: &[u8]) -> RecordReader {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    RecordReader::new(Path::new("some.jsonl"), file)
}

/// Reads everything, up to the first error, and checks the reported places.
fn chunks_of(bytes: &[u8]) -> (Vec<Chunk>, Option<RecordError>) {
    let mut reader = reader(bytes);
    let error = reader.read_header().err();
    chunks_from(bytes, reader, error)
}

/// The same of a record that may have no header.
fn chunks_of_games(bytes: &[u8]) -> (Vec<Chunk>, Option<RecordError>) {
    chunks_from(bytes, reader(bytes), None)
}

fn chunks_from(
    bytes: &[u8],
    mut reader: RecordReader,
    mut error: Option<RecordError>,
) -> (Vec<Chunk>, Option<RecordError>) {
    let (mut chunks, mut reached) = (Vec::new(), 0);
    while error.is_none() {
        match reader.next_chunk() {
            Ok(None) => break,
            Ok(Some(chunk)) => {
                assert!(
                    reached <= chunk.start && chunk.start < chunk.behind,
                    "{chunk:?}"
                );
                reached = chunk.behind;
                let reached = usize::try_from(reached).unwrap();
                assert!(
                    bytes[reached - 1] == b'\n' || reached == bytes.len(),
                    "{chunk:?}"
                );
                chunks.push(chunk);
            }
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
fn a_series_that_is_played_again_begins_a_chunk() {
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
fn games_of_another_contest_do_not_belong_into_a_record() {
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
fn a_game_that_this_version_does_not_know_is_left_out_and_named() {
    let rules = Rules::Classic(Game::standard());
    let game = GameRecord::new(&rules, 1, 40, ["awful", "good"].map(player));
    let known = serde_json::to_string(&game).unwrap();
    let unknown = known.replace(r#""rules":"classic""#, r#""rules":"mines","new":[1]"#);
    let mut reader = reader([&*known, &*unknown, &*known, ""].join("\n").as_bytes());
    assert_eq!(
        std::iter::from_fn(|| reader.next_chunk().unwrap()).count(),
        2
    );
    let remark = "some.jsonl: 1 game of \"mines\" is left out, since this version of the referee does not know it";
    assert_eq!(reader.remarks(), [remark]);
    // A contest needs all of its games.
    let record = String::from_utf8(record()).unwrap();
    let (_, error) = chunks_of(record.replacen(r#""classic""#, r#""mines""#, 1).as_bytes());
    let error = error.unwrap().to_string();
    assert!(
        error.ends_with("line 1: this version of the referee does not know the game \"mines\""),
        "{error}"
    );
}

#[test]
fn a_line_that_is_far_too_long_is_an_error() {
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

#[test]
fn whatever_happens_to_a_record_it_is_read_without_a_panic() {
    try_with(&[&record()], 300, |bytes| {
        let (chunks, _) = chunks_of(bytes);
        let mut tally = Tally::new(2);
        for chunk in &chunks {
            chunk
                .games
                .iter()
                .for_each(|game| tally.add_game([0, 1], game));
        }
        let _ = reader(bytes).last_header();
    });
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        behind_header in any::<bool>(),
    ) {
        let mut all = if behind_header { record() } else { Vec::new() };
        all.extend(bytes);
        chunks_of(&all);
        let _ = reader(&all).last_header();
    }
}

/// The bytes of compressed records, changed: those of members, and the lines in them.
#[test]
fn compressed_records_that_are_nearly_right_are_read_without_a_panic() {
    let packed: Vec<Vec<u8>> = RECORDS
        .iter()
        .map(|record| {
            let lines: Vec<&[u8]> = record.split_inclusive(|byte| *byte == b'\n').collect();
            lines
                .chunks(2)
                .flat_map(|lines| member(&lines.concat()))
                .collect()
        })
        .collect();
    let packed: Vec<&[u8]> = packed.iter().map(Vec::as_slice).collect();
    for (record, packed) in RECORDS.iter().zip(&packed) {
        let ends =
            |chunks: Vec<Chunk>| -> Vec<u64> { chunks.iter().map(|chunk| chunk.behind).collect() };
        let (chunks, error) = all_chunks(reader(packed));
        assert!(error.is_none() && !chunks.is_empty(), "{error:?}");
        assert_eq!(ends(chunks), ends(chunks_of_games(record).0));
    }
    try_with(&packed, 1_000, |bytes| {
        let (_, error) = all_chunks(reader(bytes));
        let _ = error.map(|error| error.to_string());
        let _ = reader(bytes).last_header();
        let _ = reader(bytes).count_games();
    });
    try_with(&RECORDS, 300, |bytes| {
        let (plain, of_plain) = chunks_of_games(bytes);
        let (unpacked, of_packed) = all_chunks(reader(&member(bytes)));
        assert_eq!(
            format!("{plain:?} {of_plain:?}"),
            format!("{unpacked:?} {of_packed:?}")
        );
    });
}

/// Reads everything, up to the first error.
fn all_chunks(mut reader: RecordReader) -> (Vec<Chunk>, Option<RecordError>) {
    let mut chunks = Vec::new();
    loop {
        match reader.next_chunk() {
            Ok(None) => return (chunks, None),
            Ok(Some(chunk)) => chunks.push(chunk),
            Err(error) => return (chunks, Some(error)),
        }
    }
}

/// Reads records, and everything that is done with the games in them.
#[test]
fn records_that_are_nearly_right_are_read_and_replayed_without_a_panic() {
    struct Ignore;
    impl crate::game::Listener for Ignore {
        fn hear(&mut self, _: &crate::game::Event<'_>) -> Result<(), crate::game::Stop> {
            Ok(())
        }
    }
    for record in RECORDS {
        let (chunks, error) = chunks_of_games(record);
        assert!(error.is_none() && !chunks.is_empty(), "{error:?}");
        let games = chunks.iter().flat_map(|chunk| &chunk.games);
        games.for_each(|game| replay(game, &mut Ignore).unwrap());
    }
    try_with(&RECORDS, 1_000, |bytes| {
        let (chunks, error) = chunks_of_games(bytes);
        let _ = error.map(|error| error.to_string());
        let mut tally = Tally::new(2);
        for game in chunks.iter().flat_map(|chunk| &chunk.games) {
            tally.add_game([0, 1], game);
            let _ = replay(game, &mut Ignore).map_err(|error| error.to_string());
            if let Ok(log) = original_log(game) {
                let _ = original_differs(&log);
            }
            let again = serde_json::to_vec(game).unwrap();
            assert_eq!(&serde_json::from_slice::<GameRecord>(&again).unwrap(), game);
        }
        if let Ok(Some(header)) = reader(bytes).last_header() {
            let _ = (
                header.config.differences(&config()),
                header.config.changed_programs(&config()),
            );
            assert!(header.to_line().ends_with(b"\n"));
        }
        let _ = reader(bytes).count_games();
    });
}
