//! Tests of compressed text: whole, cut and damaged members.

use super::*;
use std::fs;

/// Returns a file with these bytes at `path`.
fn file_at(path: &Path, bytes: &[u8]) -> File {
    fs::write(path, bytes).unwrap();
    File::options().read(true).write(true).open(path).unwrap()
}

/// Reads the text of `bytes`; returns it and whether it was cut short.
fn read(bytes: &[u8]) -> io::Result<(String, bool)> {
    let folder = tempfile::tempdir().unwrap();
    let mut text = Text::new(file_at(&folder.path().join("text"), bytes));
    let mut all = String::new();
    text.read_to_string(&mut all)?;
    Ok((all, text.is_torn()))
}

const LINES: [&str; 3] = ["one\ntwo\n", "three\n", "four\nfive\nsix\n"];

fn members() -> [Vec<u8>; 3] {
    LINES.map(|lines| member(lines.as_bytes()))
}

#[test]
fn members_behind_each_other_are_one_text() {
    let [one, two, _] = members();
    let zeros = vec![0; 200_000];
    for (bytes, text, is_torn) in [
        (members().concat(), LINES.concat(), false),
        (LINES.concat().into_bytes(), LINES.concat(), false),
        (Vec::new(), String::new(), false),
        // Members that end in the middle of a line.
        (
            [member(b"on"), member(b"e\ntwo\n")].concat(),
            LINES[0].to_owned(),
            false,
        ),
        // Zeros at the end stand for what was never written.
        ([&*one, &zeros].concat(), LINES[0].to_owned(), true),
    ] {
        assert_eq!(read(&bytes).unwrap(), (text, is_torn));
    }
    let followed = [one, zeros, two].concat();
    for (bytes, kind) in [
        (&*followed, io::ErrorKind::InvalidData),
        // Text compressed by zstd.
        (b"\x28\xb5\x2f\xfd\x24\x05", io::ErrorKind::Unsupported),
    ] {
        assert_eq!(read(bytes).unwrap_err().kind(), kind);
    }
}

#[test]
fn members_before_one_cut_short_count() {
    let [first, second, _] = members();
    let bytes = [&*first, &second].concat();
    for length in (1..bytes.len()).filter(|length| *length != first.len()) {
        let (text, is_torn) = read(&bytes[..length]).unwrap();
        assert!(is_torn, "{length}");
        assert!(length < first.len() || text.starts_with(LINES[0]));
    }
}

#[test]
fn a_changed_byte_is_found() {
    let [first, second, third] = members();
    let [end, next_end] = [first.len(), first.len() + second.len()];
    let bytes = [first, second, third].concat();
    for at in end..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x40;
        // A changed length can make the rest seem cut short; the text of the members before is
        // never another one.
        let before = LINES[..if at < next_end { 1 } else { 2 }].concat();
        match read(&changed) {
            Ok((text, is_torn)) => {
                let is_whole = text == LINES.concat() && !is_torn;
                assert!(
                    is_whole || (is_torn && text.starts_with(&before)),
                    "{at}: {text:?}"
                );
            }
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{at}"),
        }
    }
}

#[test]
fn members_are_read_up_to_a_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.gz");
    let mut file = file_at(&path, b"");
    let one = append_member(&mut file, 0, LINES[0].as_bytes()).unwrap();
    let two = append_member(&mut file, one, LINES[1].as_bytes()).unwrap();
    assert_eq!(two, file.metadata().unwrap().len());
    let read = |length| {
        let mut all = String::new();
        let file = File::open(&path).unwrap();
        Text::up_to(file, length).read_to_string(&mut all).unwrap();
        all
    };
    assert_eq!(
        [read(0), read(one), read(two)],
        ["", LINES[0], &LINES[..2].concat()]
    );
    // Written over, as after a series that does not count.
    assert!(append_member(&mut file, one, LINES[2].as_bytes()).unwrap() > one);
    assert!(read(one).ends_with("two\n"));
}

#[test]
fn a_text_is_cut_at_any_place() {
    let text = LINES.concat();
    let bytes = members().concat();
    for length in 0..=text.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.gz");
        let file = file_at(&path, &bytes);
        let mut prepared = 0;
        let prepare = |_: &File| {
            prepared += 1;
            Ok(())
        };
        let (mut kept, end) = keep_text(&path, file, length as u64, prepare).unwrap();
        assert_eq!(end, fs::metadata(&path).unwrap().len());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut whole = text[..length].to_owned();
        if !whole.is_empty() && !whole.ends_with('\n') {
            whole.push('\n');
        }
        assert_eq!(
            read(&fs::read(&path).unwrap()).unwrap(),
            (whole.clone(), false)
        );
        // Only what is cut makes a new file necessary.
        assert_eq!(prepared, usize::from(length < text.len()), "{length}");
        // The file that is returned is the one at the path.
        append_member(&mut kept, end, b"more").unwrap();
        let more = whole + "more";
        assert_eq!(read(&fs::read(&path).unwrap()).unwrap().0, more);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.gz");
    let file = file_at(&path, &bytes);
    assert!(keep_text(&path, file, text.len() as u64 + 1, |_| Ok(())).is_err());
}
