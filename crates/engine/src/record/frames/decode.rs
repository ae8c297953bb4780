//! Reads text, compressed or not, as a stream and in bounded memory.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Seek, SeekFrom, Take};

use super::decoder::{Decoder, Step};

/// At most one frame in this many bytes is marked.
const BETWEEN_MARKS: u64 = 1 << 20;

/// The size of the buffers before and behind the decoder.
const BUFFER: usize = 1 << 16;

/// The beginning of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// In the file, in bytes.
    pub packed: u64,
    /// In the text.
    pub text: u64,
}

/// The text of a file. It is recognized by its first bytes whether it is compressed; names can be wrong.
#[derive(Debug)]
pub struct Text(BufReader<Source>);

impl Text {
    /// Returns the text from the current position of `file` on.
    #[must_use]
    pub fn new(file: File) -> Text {
        Text::up_to(file, u64::MAX)
    }

    /// Returns the text of the next `length` bytes of `file`, which are of the file and not of the text.
    #[must_use]
    pub fn up_to(file: File, length: u64) -> Text {
        Text(BufReader::with_capacity(
            BUFFER,
            Source::Unread(Some(file.take(length))),
        ))
    }

    /// Returns the text behind a frame's beginning. Its positions continue from there.
    ///
    /// # Errors
    /// If the file cannot be read, or has no frame there.
    pub fn from_mark(mut file: File, mark: Mark) -> io::Result<Text> {
        file.seek(SeekFrom::Start(mark.packed))?;
        let mut text = Text::new(file);
        if let Source::Packed(frames) = text.0.get_mut().recognized()? {
            frames.begin_at(mark);
        }
        Ok(text)
    }

    /// Returns whether the end that was reached is within a frame.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.frames()
            .is_some_and(|frames| frames.place == FrameState::Torn)
    }

    /// Returns where the frame begins that is being read, or behind which the reader is. `None` if the text is not
    /// compressed.
    #[must_use]
    pub fn frame(&self) -> Option<Mark> {
        self.frames().map(|frames| frames.frame)
    }

    /// Returns the beginnings of some frames that have been read, in order: from the first on one in each MiB at most.
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        self.frames().map_or(&[], |frames| &frames.marks)
    }

    fn frames(&self) -> Option<&Frames> {
        match self.0.get_ref() {
            Source::Packed(frames) => Some(frames),
            Source::Unread(_) | Source::Plain(_) => None,
        }
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl BufRead for Text {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

/// Returns whether a file that begins so is compressed. A beginning that was cut short counts.
pub(crate) fn is_packed(first: &[u8]) -> bool {
    // A frame, or one that decoders skip: tools that compress in parallel begin with such a frame.
    let begins = |magic: [u8; 4]| {
        first
            .iter()
            .zip(magic)
            .all(|(byte, of_magic)| *byte == of_magic)
    };
    let is_skipped = |first: u8| first & 0xf0 == 0x50 && begins([first, 0x2a, 0x4d, 0x18]);
    let frame = [0x28, 0xb5, 0x2f, 0xfd];
    first
        .first()
        .is_some_and(|&first| begins(frame) || is_skipped(first))
}

type Bytes = Chain<Cursor<Vec<u8>>, Take<File>>;

enum Source {
    /// Nothing has been read of it. `None` only while it becomes another.
    Unread(Option<Take<File>>),
    Plain(Bytes),
    Packed(Box<Frames>),
}

impl Source {
    /// Finds out what it is, if that is not known yet.
    fn recognized(&mut self) -> io::Result<&mut Source> {
        if let Source::Unread(file) = self
            && let Some(mut file) = file.take()
        {
            let mut first = Vec::new();
            // A pipe may bring one byte at a time.
            file.by_ref().take(4).read_to_end(&mut first)?;
            let packed = is_packed(&first);
            let bytes = Cursor::new(first).chain(file);
            *self = if packed {
                Source::Packed(Box::new(Frames::new(bytes)?))
            } else {
                Source::Plain(bytes)
            };
        }
        Ok(self)
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.recognized()? {
            // It could not even be recognized before.
            Source::Unread(_) => Ok(0),
            Source::Plain(bytes) => bytes.read(buffer),
            Source::Packed(frames) => frames.read(buffer),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Unread(_) => "Unread",
            Source::Plain(_) => "Plain",
            Source::Packed(_) => "Packed",
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameState {
    Between,
    Within,
    Torn,
}

/// The text of frames that follow each other.
struct Frames {
    bytes: BufReader<Bytes>,
    decoder: Decoder,
    place: FrameState,
    /// Its place.
    here: Mark,
    /// The beginning of its frame.
    frame: Mark,
    marks: Vec<Mark>,
}

impl Frames {
    fn new(bytes: Bytes) -> io::Result<Frames> {
        Ok(Frames {
            bytes: BufReader::with_capacity(BUFFER, bytes),
            decoder: Decoder::new()?,
            place: FrameState::Between,
            here: Mark::default(),
            frame: Mark::default(),
            marks: Vec::new(),
        })
    }

    fn begin_at(&mut self, mark: Mark) {
        self.here = mark;
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() && self.place != FrameState::Torn {
            let packed = self.bytes.fill_buf()?;
            let is_end = packed.is_empty();
            if self.place == FrameState::Between {
                self.frame = self.here;
                if is_end {
                    return Ok(0);
                }
                // After a power cut, the end of a file can be zeros that stand for what was never written.
                if packed[0] == 0 {
                    self.skip_zeros()?;
                    return Ok(0);
                }
                let last = self.marks.last().map_or(0, |mark| mark.packed);
                if self.marks.is_empty() || self.here.packed - last >= BETWEEN_MARKS {
                    self.marks.push(self.here);
                }
                self.place = FrameState::Within;
            }
            let step = self
                .decoder
                .step(&mut self.bytes, buffer)
                .map_err(damaged)?;
            let Step {
                read,
                written,
                is_over,
            } = step;
            self.here.packed += read;
            self.here.text += written as u64;
            if is_over {
                self.place = FrameState::Between;
            } else if is_end && written == 0 {
                self.place = FrameState::Torn;
            }
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }

    /// Reads to the end, where there must be nothing but zeros.
    fn skip_zeros(&mut self) -> io::Result<()> {
        loop {
            let rest = self.bytes.fill_buf()?;
            if rest.is_empty() {
                self.place = FrameState::Torn;
                return Ok(());
            }
            if rest.iter().any(|byte| *byte != 0) {
                return Err(damaged("there is no frame"));
            }
            let length = rest.len();
            self.bytes.consume(length);
        }
    }
}

fn damaged(what: impl fmt::Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("zstd cannot decode it: {what}"),
    )
}
