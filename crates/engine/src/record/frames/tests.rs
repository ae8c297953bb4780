//! Tests of compressed text: whole, cut, damaged and hostile frames.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use super::*;

/// Returns a file with these bytes at `path`.
fn file_at(path: &Path, bytes: &[u8]) -> File {
    fs::write(path, bytes).unwrap();
    File::options().read(true).write(true).open(path).unwrap()
}

fn file_of(bytes: &[u8]) -> File {
    let folder = tempfile::tempdir().unwrap();
    file_at(&folder.path().join("text"), bytes)
}

/// Reads the text of `bytes`; returns it and whether it was cut short.
fn read(bytes: &[u8]) -> io::Result<(String, bool)> {
    let mut text = Text::new(file_of(bytes));
    let mut all = String::new();
    text.read_to_string(&mut all)?;
    Ok((all, text.is_torn()))
}

const LINES: [&str; 3] = ["one\ntwo\n", "three\n", "four\nfive\nsix\n"];

fn frames() -> [Vec<u8>; 3] {
    LINES.map(|lines| frame(lines.as_bytes()).unwrap())
}

#[test]
fn frames_that_follow_each_other_are_one_text() {
    assert_eq!(read(&frames().concat()).unwrap(), (LINES.concat(), false));
    assert_eq!(
        read(LINES.concat().as_bytes()).unwrap(),
        (LINES.concat(), false)
    );
    assert_eq!(read(b"").unwrap(), (String::new(), false));
}

#[test]
fn what_other_tools_write_is_read() {
    let [first, second, third] = frames();
    // A frame to skip, as parallel tools write before each of theirs; and frames that end in the middle of a line.
    let skipped = [0x51, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7];
    let bytes = [&skipped[..], &first, &skipped, &second, &third].concat();
    assert_eq!(read(&bytes).unwrap(), (LINES.concat(), false));
    let parts = [frame(b"on").unwrap(), frame(b"e\ntwo\n").unwrap()].concat();
    assert_eq!(read(&parts).unwrap(), (LINES[0].to_owned(), false));
}

#[test]
fn frames_before_one_that_was_cut_short_count() {
    let [first, second, _] = frames();
    for length in 1..second.len() {
        let cut = [&first, &second[..length]].concat();
        let (text, is_torn) = read(&cut).unwrap();
        assert!(is_torn, "{length}");
        assert!(text.starts_with(LINES[0]), "{length}");
    }
    for length in 1..first.len() {
        assert!(read(&first[..length]).unwrap().1, "{length}");
    }
}

#[test]
fn zeros_at_the_end_stand_for_what_was_never_written() {
    let [first, second, _] = frames();
    let zeros = [first.clone(), vec![0; 200_000]].concat();
    assert_eq!(read(&zeros).unwrap(), (LINES[0].to_owned(), true));
    let followed = [first, vec![0; 200_000], second].concat();
    assert_eq!(
        read(&followed).unwrap_err().kind(),
        io::ErrorKind::InvalidData
    );
}

#[test]
fn a_changed_byte_is_found() {
    let [first, second, third] = frames();
    let bytes = [first.clone(), second, third].concat();
    for at in first.len()..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x40;
        // A changed length can make the rest seem cut short; the text is never another one.
        match read(&changed) {
            Ok((text, is_torn)) => {
                let whole = text == LINES.concat() && !is_torn;
                assert!(
                    whole || (is_torn && LINES.concat().starts_with(&text)),
                    "{at}: {text:?}"
                );
            }
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{at}"),
        }
    }
}

/// The decoder keeps as much text as the frame says.
#[test]
fn a_frame_that_asks_for_much_memory_is_refused() {
    let packed = |window: u32| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.window_log(window).unwrap();
        encoder.write_all(b"text\n").unwrap();
        encoder.finish().unwrap()
    };
    assert_eq!(read(&packed(23)).unwrap().0, "text\n");
    assert!(
        read(&packed(24))
            .unwrap_err()
            .to_string()
            .contains("too much memory")
    );
}

#[test]
fn frames_are_appended_and_read_up_to_a_length() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = file_at(&folder.path().join("text.zst"), b"");
    let one = append_frame(&mut file, 0, LINES[0].as_bytes()).unwrap();
    let two = append_frame(&mut file, one, LINES[1].as_bytes()).unwrap();
    assert_eq!(two, file.metadata().unwrap().len());
    let read = |length| {
        let mut all = String::new();
        let file = File::open(folder.path().join("text.zst")).unwrap();
        Text::up_to(file, length).read_to_string(&mut all).unwrap();
        all
    };
    assert_eq!(
        [read(0), read(one), read(two)],
        ["", LINES[0], &LINES[..2].concat()]
    );
    // Written over, as after a series that does not count.
    assert!(append_frame(&mut file, one, LINES[2].as_bytes()).unwrap() > one);
    assert!(read(one).ends_with("two\n"));
}

#[test]
fn a_text_is_cut_at_any_place() {
    let text = LINES.concat();
    let bytes = frames().concat();
    for length in 0..=text.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.zst");
        let file = file_at(&path, &bytes);
        let mut prepared = 0;
        let prepare = |_: &File| {
            prepared += 1;
            Ok(())
        };
        let (mut kept, end) = keep_text(&path, file, length as u64, prepare).unwrap();
        assert_eq!(end, fs::metadata(&path).unwrap().len());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(
            read(&fs::read(&path).unwrap()).unwrap(),
            (text[..length].to_owned(), false)
        );
        // Only a frame that cannot be cut makes a new file necessary.
        let is_between = [0, 8, 14, 28].contains(&length);
        assert_eq!(prepared, usize::from(!is_between), "{length}");
        // The file that is returned is the one at the path.
        append_frame(&mut kept, end, b"more").unwrap();
        let more = text[..length].to_owned() + "more";
        assert_eq!(read(&fs::read(&path).unwrap()).unwrap().0, more);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.zst");
    let file = file_at(&path, &bytes);
    assert!(keep_text(&path, file, text.len() as u64 + 1, |_| Ok(())).is_err());
}

#[test]
fn a_text_is_read_from_any_mark() {
    // Random digits, so that the marks are far enough from each other.
    let mut seed = 1_u64;
    let mut lines = || {
        let mut part = String::new();
        for _ in 0..20_000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            part += &seed.to_string();
            part.push('\n');
        }
        part
    };
    let parts: Vec<String> = (0..12).map(|_| lines()).collect();
    let bytes: Vec<u8> = parts
        .iter()
        .flat_map(|part| frame(part.as_bytes()).unwrap())
        .collect();
    let mut text = Text::new(file_of(&bytes));
    let mut all = String::new();
    text.read_to_string(&mut all).unwrap();
    assert!(all == parts.concat());
    assert!(
        (2..12).contains(&text.marks().len()),
        "{}",
        text.marks().len()
    );
    for mark in text.marks() {
        let mut rest = String::new();
        Text::from_mark(file_of(&bytes), *mark)
            .unwrap()
            .read_to_string(&mut rest)
            .unwrap();
        assert!(rest == all[usize::try_from(mark.text).unwrap()..]);
    }
}
