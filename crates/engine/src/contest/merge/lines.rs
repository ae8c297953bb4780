//! The lines of a record at known places in its text, compressed or not.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::record::Text;

/// A record whose lines are copied, and which stays locked that long.
#[derive(Debug)]
pub(super) struct Lines {
    file: File,
    /// Whether the file is compressed, so that its text can only be read from the beginning.
    is_compressed: bool,
    /// The text of a compressed file, and the position in it. Series mostly follow each other.
    text: Option<(Text, u64)>,
}

impl Lines {
    /// Returns the lines of `file`.
    pub(super) fn new(file: File, is_compressed: bool) -> Lines {
        Lines {
            file,
            is_compressed,
            text: None,
        }
    }

    /// Appends the text from `start` to `behind`, in bytes, to `lines`.
    ///
    /// # Errors
    /// If it cannot be read, or if there is less.
    pub(super) fn copy(&mut self, start: u64, behind: u64, lines: &mut Vec<u8>) -> io::Result<()> {
        let length = behind - start;
        let copied = if self.is_compressed {
            let (mut text, position) = match self.text.take() {
                Some((text, position)) if position <= start => (text, position),
                Some(_) | None => {
                    self.file.rewind()?;
                    (Text::new(self.file.try_clone()?), 0)
                }
            };
            io::copy(&mut text.by_ref().take(start - position), &mut io::sink())?;
            let copied = text.by_ref().take(length).read_to_end(lines)?;
            self.text = Some((text, behind));
            copied
        } else {
            self.file.seek(SeekFrom::Start(start))?;
            (&self.file).take(length).read_to_end(lines)?
        };
        // A lock is advisory, so another program may have cut the file. Half a line must not reach the result.
        if copied as u64 != length {
            return Err(io::Error::other("it has become shorter while it was read"));
        }
        // The last line of a file may have no end.
        if lines.last().is_some_and(|last| *last != b'\n') {
            lines.push(b'\n');
        }
        Ok(())
    }
}
