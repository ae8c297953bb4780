//! The output of a bot, which arrives in pieces: the lines do not depend on the pieces.

#![no_main]

use bothost::fuzzing::{Split, split_lines};
use libfuzzer_sys::fuzz_target;

// The first byte is the size of the pieces. A seed shorter than that has one piece.
fuzz_target!(|data: &[u8]| {
    let (size, output) = data.split_first().unwrap_or((&1, &[]));
    let whole = split_lines(output, usize::MAX);
    let pieces = split_lines(output, usize::from(*size).max(1));
    assert_eq!(whole.lines, pieces.lines);
    assert_eq!(whole.is_too_long, pieces.is_too_long);

    let Split { lines, is_too_long } = whole;
    assert!(lines.iter().all(|line| line.len() <= 4096));
    let mut expected = output.split(|byte| *byte == b'\n');
    for line in &lines {
        let text = expected.next().expect("each line has its own bytes");
        assert_eq!(line, text.strip_suffix(b"\r").unwrap_or(text));
    }
    let unread: usize = expected.map(<[u8]>::len).sum();
    assert!(is_too_long || unread == 0);
});
