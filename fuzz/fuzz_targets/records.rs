//! Records of games and contests, compressed or not.

#![no_main]

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;

use arena::record::{RecordError, RecordReader};
use battleship::game_reader::READERS;
use libfuzzer_sys::fuzz_target;

fn check_fault(fault: &RecordError) {
    let message = fault.to_string();
    assert!(message.starts_with("fuzzed.jsonl"), "{message:?}");
    assert!(!message.contains(char::is_control), "{message:?}");
}

fn reader(file: &File) -> RecordReader {
    let mut file = file.try_clone().expect("there are free descriptors");
    file.rewind().expect("the file is on a disk");
    RecordReader::new(Path::new("fuzzed.jsonl"), file, READERS)
}

fuzz_target!(|record: &[u8]| {
    let mut file = tempfile::tempfile().expect("the temporary folder is writable");
    file.write_all(record).expect("the disk has free space");

    let mut games = reader(&file);
    let mut offset = 0;
    let mut fault = None;
    loop {
        match games.next_chunk() {
            Ok(Some(chunk)) => {
                assert!(!chunk.games.is_empty());
                assert!(chunk.start >= offset && chunk.behind > chunk.start);
                offset = chunk.behind;
                for game in &chunk.games {
                    // A line that is read is a line that is read again.
                    let reader = game.reader(READERS).expect("the game was read");
                    assert!(reader.stats(&game.json).is_ok());
                    match reader.dialogue(&game.json) {
                        Ok(_) => {}
                        Err(message) => assert!(!message.is_empty()),
                    }
                    let _ = (
                        game.outcomes(),
                        game.winning_side(),
                        game.movers(),
                        game.judged(),
                    );
                }
            }
            Ok(None) => break,
            Err(error) => {
                fault = Some(error);
                break;
            }
        }
    }
    let _ = games.remarks();
    if let Some(fault) = &fault {
        check_fault(fault);
    }
    if let Ok(Some(header)) = reader(&file).last_header() {
        let _ = (header.schedule(), header.part(), header.config.id());
        // The schedule of a header that is read may be refused, but a line that is written is read.
        let mut written = tempfile::tempfile().expect("the temporary folder is writable");
        written
            .write_all(&header.to_line())
            .expect("the disk has free space");
        let read = reader(&written).last_header();
        assert_eq!(read.expect("the referee wrote the header"), Some(header));
    }
    let _ = reader(&file).read_header();
    if let Err(error) = reader(&file).count_games() {
        check_fault(&error);
    }
});
