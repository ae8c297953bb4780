//! The reader of a bot's output, for fuzz targets. Not part of the stable interface.

use crate::inbox::{Inbox, Next};

/// The output of a bot, split into lines.
#[derive(Debug)]
pub struct Split {
    /// The lines, without their line ends.
    pub lines: Vec<Vec<u8>>,
    /// Whether a line behind these is longer than the protocol allows.
    pub is_too_long: bool,
}

/// Splits `output`, which arrives in pieces of `size` bytes at most, into its lines. The last line
/// needs no line end.
///
/// # Panics
/// If `size` is 0, or if the inbox has no free space although all whole lines were taken.
#[must_use]
pub fn split_lines(output: &[u8], size: usize) -> Split {
    let mut inbox = Inbox::new();
    let mut lines = Vec::new();
    let mut is_too_long = false;
    let mut rest = output;
    while !rest.is_empty() && !is_too_long {
        let space = inbox.space();
        let length = size.min(space.len()).min(rest.len());
        assert!(length > 0, "the inbox is full");
        let (piece, behind) = rest.split_at(length);
        space[..length].copy_from_slice(piece);
        inbox.add(length);
        rest = behind;
        loop {
            match inbox.take_line() {
                Next::Line(line) => lines.push(inbox.get(line).to_vec()),
                Next::TooLong(_) => {
                    is_too_long = true;
                    break;
                }
                Next::Incomplete => break,
            }
        }
    }
    if !is_too_long {
        match inbox.take_unfinished_line() {
            Next::Line(line) => lines.push(inbox.get(line).to_vec()),
            Next::TooLong(_) => is_too_long = true,
            Next::Incomplete => {}
        }
    }
    Split { lines, is_too_long }
}
