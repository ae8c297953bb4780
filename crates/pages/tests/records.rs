//! Records that are nearly right, used as the referee uses them: no panic, and all that is read is
//! written alike.
//!
//! The crate's package leaves this out, since the inputs are made by a module of the tests of
//! `battleship`.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[path = "../../battleship/tests/nearly_right.rs"]
mod nearly_right;

use std::io::{Read, Seek, Write};
use std::path::Path;

use arena::contest::{Contradictions, merge};
use arena::record::{Chunk, RecordError, RecordReader, append_member};
use arena::result::{Choice, RecordPool, Tally};
use battleship::game_reader::{READERS, RecordedGame};
use battleship::twist::{original_differs, original_log};
use nearly_right::try_with;

/// A match, a tournament in which a bot crashes, single games by both rules, and a contest by the
/// rules of the twist.
const RECORDS: [&[u8]; 4] = [
    include_bytes!("corpus/match.jsonl"),
    include_bytes!("corpus/swiss.jsonl"),
    include_bytes!("corpus/games.jsonl"),
    include_bytes!("corpus/twist.jsonl"),
];

fn reader(bytes: &[u8]) -> RecordReader {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    RecordReader::new(Path::new("some.jsonl"), file, READERS)
}

/// Reads everything, up to the first error.
fn read(bytes: &[u8]) -> (Vec<Chunk>, Option<RecordError>) {
    let _ = reader(bytes).last_header();
    let _ = reader(bytes).count_games();
    let (mut reader, mut chunks) = (reader(bytes), Vec::new());
    loop {
        match reader.next_chunk() {
            Ok(None) => return (chunks, None),
            Ok(Some(chunk)) => chunks.push(chunk),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return (chunks, Some(error));
            }
        }
    }
}

/// The record compressed as it is written, two lines at a time.
fn packed(record: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = record.split_inclusive(|byte| *byte == b'\n').collect();
    let (mut file, mut length, mut packed) = (tempfile::tempfile().unwrap(), 0, Vec::new());
    for lines in lines.chunks(2) {
        length = append_member(&mut file, length, &lines.concat()).unwrap();
    }
    file.rewind().unwrap();
    file.read_to_end(&mut packed).unwrap();
    packed
}

#[test]
fn records_nearly_right_are_read_and_replayed() {
    for record in RECORDS {
        let (chunks, error) = read(record);
        assert!(error.is_none() && !chunks.is_empty(), "{error:?}");
        let games = chunks.iter().flat_map(|chunk| &chunk.games);
        for game in games {
            let game = RecordedGame::read(&game.json).unwrap();
            game.replay(&mut ()).unwrap();
            game.dialogue().unwrap();
        }
    }
    let config = reader(RECORDS[0]).last_header().unwrap().unwrap().config;
    try_with(&RECORDS, 500, |bytes| {
        let mut tally = Tally::new(2);
        let mut reached = 0;
        for chunk in read(bytes).0 {
            let behind = usize::try_from(chunk.behind).unwrap();
            assert!(reached <= chunk.start && chunk.start < chunk.behind);
            assert!(bytes[behind - 1] == b'\n' || behind == bytes.len());
            reached = chunk.behind;
            for game in &chunk.games {
                tally.add_game([0, 1], game);
                let game = RecordedGame::read(&game.json).unwrap();
                let _ = game.replay(&mut ()).map_err(|error| error.to_string());
                let _ = game.dialogue().map_err(|error| error.to_string());
                if let Ok(log) = original_log(&game) {
                    let _ = original_differs(&log);
                }
            }
        }
        if let Ok(Some(header)) = reader(bytes).last_header() {
            let _ = header.config.differences(&config);
            let _ = header.config.changed_programs(&config);
            assert!(header.to_line().ends_with(b"\n"));
        }
    });
}

#[test]
fn compressed_records_nearly_right_are_read_alike() {
    try_with(&RECORDS, 200, |bytes| {
        assert_eq!(
            format!("{:?}", read(bytes)),
            format!("{:?}", read(&packed(bytes)))
        );
    });
    let members = RECORDS.map(packed);
    try_with(&members.each_ref().map(Vec::as_slice), 300, |bytes| {
        read(bytes);
    });
}

#[test]
fn records_nearly_right_are_merged_and_pooled() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.jsonl", "b.jsonl"].map(|name| folder.path().join(name));
    let interrupt = bothost::Interrupt::never().unwrap();
    try_with(&RECORDS, 150, |bytes| {
        std::fs::write(&paths[0], bytes).unwrap();
        // Another part of the same contest, or another contest.
        std::fs::write(&paths[1], RECORDS[bytes.len() % 4]).unwrap();
        for files in [&paths[..1], &paths[..]] {
            let out = folder.path().join("out.jsonl");
            if let Err(error) = merge(
                files,
                &out,
                true,
                Contradictions::Refuse,
                READERS,
                &interrupt,
            ) {
                assert!(!error.to_string().is_empty());
            }
        }
        let mut pool = RecordPool::new(
            Choice {
                only: Vec::new(),
                without: Vec::new(),
            },
            READERS,
        );
        if let Err(error) = pool.add_file(&paths[0], &mut |_, _, _| {}) {
            assert!(!error.to_string().is_empty());
        }
        pool.name_versions();
        let _ = (pool.names().len(), pool.warnings().len());
    });
}
