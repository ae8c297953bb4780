//! Records compressed by gzip. A record is written in whole members, one behind another, so a crash
//! can cut off only the last one. `gzip -d` reads such a file, and `cat` joins several.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::mem;
use std::path::Path;

use crate::system;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use thiserror::Error;

use super::Replacement;

/// A format of files that are not read.
#[derive(Clone, Copy, Debug, Error)]
#[error("it is {name}; make a plain file of it first: `{command} FILE`")]
pub struct ForeignFormat {
    /// What a file is in this format.
    pub name: &'static str,
    /// The command that makes a file that is read, without its name.
    pub command: &'static str,
}

/// How files in other formats begin. Records of version 1.0.0 may be compressed by zstd.
const FOREIGN: [(&[u8], &str, &str); 7] = [
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "zstd -d"),
    (b"\xfd7zXZ\0", "compressed by xz", "xz -d"),
    (b"BZh", "compressed by bzip2", "bzip2 -d"),
    (b"PK\x03\x04", "a zip archive", "unzip"),
    (b"\xff\xfe", "in UTF-16", FROM_UTF_16),
    (b"\xfe\xff", "in UTF-16", FROM_UTF_16),
    (b"{\0\"\0", "in UTF-16", FROM_UTF_16),
];
const FROM_UTF_16: &str = "iconv -f UTF-16 -t UTF-8 -o utf8.jsonl";

/// The size of the buffers before and behind the decoder, in bytes.
const BUFFER: usize = 1 << 14;

/// Returns whether a new file at `path` is to be compressed.
pub(super) fn is_gzip_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

/// Returns whether a file with this beginning is compressed by gzip. A beginning of one byte is one
/// that was cut short.
pub(super) fn is_gzip(first: &[u8]) -> bool {
    // No text begins with this byte.
    first.first() == Some(&0x1f)
}

/// Returns whether `path` has the name of a file that zstd compressed.
pub(super) fn is_zstd_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("zst"))
}

/// Returns `text` as one member.
pub(super) fn member(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(text)
        .and_then(|()| encoder.finish())
        .expect("memory takes all bytes")
}

/// Writes `bytes` behind the first `length` bytes of `file` and waits until they are on the disk.
/// Returns the new length of the file.
///
/// # Errors
/// If they cannot be written. The file has its first `length` bytes then and, if it cannot be cut
/// either, part of `bytes`, which readers drop.
pub(super) fn append_bytes(file: &mut File, length: u64, bytes: &[u8]) -> io::Result<u64> {
    #[cfg(test)]
    let (bytes, is_full) = crate::simulation_tests::fitting(bytes);
    let written = file
        .seek(io::SeekFrom::Start(length))
        .and_then(|_| file.write_all(bytes))
        .and_then(|()| system::synced(file.sync_data()));
    #[cfg(test)]
    if is_full {
        // The bytes stay, as if they could not be cut off either.
        return Err(io::ErrorKind::StorageFull.into());
    }
    if let Err(error) = written {
        // On a full disk part of the bytes may have been written.
        let _ = file.set_len(length);
        return Err(error);
    }
    Ok(length + bytes.len() as u64)
}

/// Writes `text`, which has whole lines, as [`append_bytes`] does, as one member.
///
/// # Errors
/// As [`append_bytes`].
pub fn append_member(file: &mut File, length: u64, text: &[u8]) -> io::Result<u64> {
    append_bytes(file, length, &member(text))
}

/// Keeps the first `length` bytes of the text of `file`, which is compressed and at `path`, ends
/// their last line, and cuts off the rest. Returns the file and its length in bytes.
///
/// A member cannot be cut. If there is a rest, another file takes the place of this one, so that a
/// crash loses no text that should stay. `prepare` gets the other file before that.
///
/// # Errors
/// If the file cannot be read or written, or if it has less text.
pub(super) fn keep_text(
    path: &Path,
    mut file: File,
    length: u64,
    prepare: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<(File, u64)> {
    file.rewind()?;
    let mut text = Text::new(file.try_clone()?);
    let mut last = b'\n';
    let mut rest = length;
    while rest > 0 {
        let part = text.fill_buf()?;
        let read = part.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
        last = *part[..read].last().ok_or(io::ErrorKind::UnexpectedEof)?;
        text.consume(read);
        rest -= read as u64;
    }
    if last == b'\n' && text.fill_buf()?.is_empty() && !text.is_torn() {
        let length = file.metadata()?.len();
        return Ok((file, length));
    }
    drop(text);
    let mut replacement = Replacement::of(path)?;
    let mut new = replacement.file.try_clone()?;
    prepare(&new)?;
    file.rewind()?;
    let there = file.try_clone()?;
    let mut encoder = GzEncoder::new(&mut new, Compression::default());
    io::copy(&mut Text::new(file).take(length), &mut encoder)?;
    if last != b'\n' {
        encoder.write_all(b"\n")?;
    }
    encoder.finish()?;
    system::synced(new.sync_all())?;
    let length = new.metadata()?.len();
    let is_new = replacement.publish()?;
    Ok((if is_new { new } else { there }, length))
}

/// The text of a file, compressed or not, as a stream and in bounded memory. The first bytes of the
/// file decide whether it is compressed; names can be wrong.
#[derive(Debug)]
pub struct Text(BufReader<Members>);

impl Text {
    /// Returns the text from the current position of `file` on.
    #[must_use]
    pub fn new(file: File) -> Text {
        Text::up_to(file, u64::MAX)
    }

    /// Returns the text of the next `length` bytes of `file`, which are of the file and not of the
    /// text.
    #[must_use]
    pub fn up_to(file: File, length: u64) -> Text {
        let bytes = BufReader::with_capacity(BUFFER, file.take(length));
        let members = Members {
            part: Part::Start(bytes),
            is_torn: false,
        };
        Text(BufReader::with_capacity(BUFFER, members))
    }

    /// Returns whether the end that was reached is within a member.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.0.get_ref().is_torn
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

type Bytes = BufReader<io::Take<File>>;

/// The part of a file that is read.
#[derive(Debug)]
enum Part {
    /// The first bytes.
    Start(Bytes),
    Plain(Bytes),
    Member(GzDecoder<Bytes>),
    End,
}

/// The text of a file, before it is buffered.
#[derive(Debug)]
struct Members {
    part: Part,
    /// Whether the end is within a member.
    is_torn: bool,
}

impl Members {
    /// Returns the part behind a member whose end has been reached.
    fn behind_member(&mut self, mut bytes: Bytes) -> io::Result<Part> {
        loop {
            let rest = bytes.fill_buf()?;
            let length = rest.len();
            match rest.first() {
                None => return Ok(Part::End),
                Some(_) if is_gzip(rest) && !self.is_torn => {
                    return Ok(Part::Member(GzDecoder::new(bytes)));
                }
                // After a power cut, the end of a file can be zeros that stand for what was never
                // written.
                Some(_) if rest.iter().all(|byte| *byte == 0) => self.is_torn = true,
                Some(_) => return Err(damaged("no member begins here")),
            }
            bytes.consume(length);
        }
    }
}

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.part = match mem::replace(&mut self.part, Part::End) {
                Part::End => return Ok(0),
                Part::Start(mut bytes) => {
                    let first = bytes.fill_buf()?;
                    let foreign = FOREIGN
                        .into_iter()
                        .find(|(beginning, ..)| first.starts_with(beginning));
                    if let Some((_, name, command)) = foreign {
                        let format = ForeignFormat { name, command };
                        return Err(io::Error::new(io::ErrorKind::Unsupported, format));
                    }
                    if is_gzip(first) {
                        Part::Member(GzDecoder::new(bytes))
                    } else {
                        Part::Plain(bytes)
                    }
                }
                Part::Plain(mut bytes) => {
                    let read = bytes.read(buffer);
                    self.part = Part::Plain(bytes);
                    return read;
                }
                Part::Member(mut decoder) => match decoder.read(buffer) {
                    Ok(0) => self.behind_member(decoder.into_inner())?,
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                        self.is_torn = true;
                        Part::End
                    }
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                        return Err(damaged(error));
                    }
                    read => {
                        self.part = Part::Member(decoder);
                        return read;
                    }
                },
            };
        }
    }
}

fn damaged(what: impl Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("gzip cannot decode it: {what}"),
    )
}

#[cfg(test)]
mod tests;
