//! The lines of a record at known places in its text, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use crate::record::{Mark, Text};

/// A record whose lines are copied, and which stays locked that long.
#[derive(Debug)]
pub(super) struct Lines {
    file: File,
    /// The beginnings of some of its frames, in order, with the first one; empty if it is not compressed.
    marks: Vec<Mark>,
    /// The text that is being read, and where in it.
    text: Option<(Text, u64)>,
}

impl Lines {
    /// Returns the lines of `file`, whose frames begin at `marks`.
    pub(super) fn new(file: File, marks: Vec<Mark>) -> Lines {
        Lines {
            file,
            marks,
            text: None,
        }
    }

    /// Appends the text from `start` to `behind`, in bytes, to `lines`.
    ///
    /// # Errors
    /// If it cannot be read, or if there is less.
    pub(super) fn copy(&mut self, start: u64, behind: u64, lines: &mut Vec<u8>) -> io::Result<()> {
        let (before, length) = (lines.len(), behind - start);
        match self.mark_before(start) {
            None => {
                self.file.seek(SeekFrom::Start(start))?;
                (&self.file).take(length).read_to_end(lines)?;
            }
            Some(mark) => {
                let text = self.text_at(start, mark)?;
                text.take(length).read_to_end(lines)?;
                if let Some((_, at)) = &mut self.text {
                    *at = behind;
                }
            }
        }
        // A lock is advisory, so another program may have cut the file. Half a line must not reach the result.
        if (lines.len() - before) as u64 != length {
            return Err(io::Error::other("it has become shorter while it was read"));
        }
        Ok(())
    }

    /// Returns the last mark that is not behind `start`.
    fn mark_before(&self, start: u64) -> Option<Mark> {
        let behind = self.marks.partition_point(|mark| mark.text <= start);
        self.marks.get(behind.checked_sub(1)?).copied()
    }

    /// Returns the text from `start` on. Series mostly follow each other, so mostly it is there already.
    fn text_at(&mut self, start: u64, mark: Mark) -> io::Result<&mut Text> {
        let (text, at) = match self.text.take() {
            Some((text, at)) if (mark.text..=start).contains(&at) => (text, at),
            Some(_) | None => (Text::from_mark(self.file.try_clone()?, mark)?, mark.text),
        };
        let (text, at) = self.text.insert((text, at));
        let mut left = start - *at;
        while left > 0 {
            let there = text.fill_buf()?.len();
            if there == 0 {
                break;
            }
            let step = usize::try_from(left).unwrap_or(usize::MAX).min(there);
            text.consume(step);
            left -= step as u64;
        }
        Ok(text)
    }
}
