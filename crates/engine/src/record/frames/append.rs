//! Writes text as frames, so that each is on the disk as a whole or can be cut off.

use std::fs::{self, File};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::super::page_file::create_beside;
use super::{Mark, Text};

/// Of this level, frames of a series have a sixth of its size. Higher ones take more time than playing does, for 7% less.
#[cfg(not(target_os = "wasi"))]
const LEVEL: i32 = 3;

/// The size of the text of a frame that is rewritten.
const REWRITTEN_AT_ONCE: u64 = 8 << 20;

/// Returns whether a new file at `path` is to be compressed.
pub(crate) fn has_packed_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("zst"))
}

/// Returns `text` as one frame, with its length and a checksum in it.
///
/// # Errors
/// If there is no memory for it.
#[cfg(not(target_os = "wasi"))]
pub(crate) fn frame(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(text)
}

/// Nothing is compressed in a page.
#[cfg(target_os = "wasi")]
pub(crate) fn frame(_text: &[u8]) -> io::Result<Vec<u8>> {
    let what = "a page writes records without compression: leave out .zst";
    Err(io::Error::new(io::ErrorKind::Unsupported, what))
}

/// Writes `text`, which has whole lines, as one frame behind the first `length` bytes of `file`, and waits until it is on
/// the disk. Returns the length of the file then.
///
/// # Errors
/// If it cannot be written. The file has its first `length` bytes then and, if it cannot be cut either, part of a
/// frame, which readers drop.
pub fn append_frame(file: &mut File, length: u64, text: &[u8]) -> io::Result<u64> {
    append_bytes(file, length, &frame(text)?)
}

/// The same of bytes as they are.
pub(crate) fn append_bytes(file: &mut File, length: u64, bytes: &[u8]) -> io::Result<u64> {
    let written = file
        .seek(SeekFrom::Start(length))
        .and_then(|_| file.write_all(bytes))
        .and_then(|()| file.sync_data());
    if let Err(error) = written {
        // On a full disk part of them may have been written.
        let _ = file.set_len(length);
        return Err(error);
    }
    Ok(length + bytes.len() as u64)
}

/// Keeps the first `length` bytes of the text of `file`, which is compressed and at `path`, and cuts the rest off. Returns
/// the file and its length. A frame cannot be cut: if the text ends within one, a new file takes the place of this one,
/// so that at no moment text is lost that should stay. It is made ready by `prepare` before that.
///
/// # Errors
/// If the file cannot be read or written, or if it has less text.
pub(crate) fn keep_text(
    path: &Path,
    file: File,
    length: u64,
    prepare: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<(File, u64)> {
    let last = last_frame(&file, length)?;
    if last.text == length {
        file.set_len(last.packed)?;
        return Ok((file, last.packed));
    }
    // A link is followed, so that the file behind it is replaced and not the link.
    let path = fs::canonicalize(path)?;
    let (beside, mut new) = create_beside(&path)?;
    let replaced = new
        .set_permissions(file.metadata()?.permissions())
        .and_then(|()| prepare(&new))
        .and_then(|()| copy_text(&file, &mut new, last, length))
        .and_then(|end| new.sync_all().map(|()| end))
        .and_then(|end| fs::rename(&beside, &path).map(|()| end));
    match replaced {
        Ok(end) => Ok((new, end)),
        Err(error) => {
            let _ = fs::remove_file(&beside);
            Err(error)
        }
    }
}

/// Returns where the last frame of `file` begins in which is something of the first `length` bytes of the text, or the one
/// behind these, if none continues beyond them.
fn last_frame(file: &File, length: u64) -> io::Result<Mark> {
    let mut text = Text::from_mark(file.try_clone()?, Mark::default())?;
    let mut last = Mark::default();
    let mut read = 0;
    loop {
        let there = text.fill_buf()?.len();
        read += there as u64;
        match text.frame() {
            Some(frame) if frame.text <= length => last = frame,
            Some(_) | None => return Ok(last),
        }
        if last.text == length || (there == 0 && read >= length) {
            return Ok(last);
        }
        if there == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        text.consume(there);
    }
}

/// Copies all frames before `last` from one file to another, and the text from there to `length` as frames. Returns how
/// long the other is then.
fn copy_text(from: &File, to: &mut File, last: Mark, length: u64) -> io::Result<u64> {
    let mut whole = from.try_clone()?;
    whole.rewind()?;
    io::copy(&mut whole.take(last.packed), to)?;
    let mut end = last.packed;
    let mut text = Text::from_mark(from.try_clone()?, last)?.take(length - last.text);
    let mut part = Vec::new();
    while text
        .by_ref()
        .take(REWRITTEN_AT_ONCE)
        .read_to_end(&mut part)?
        > 0
    {
        let frame = frame(&part)?;
        to.write_all(&frame)?;
        end += frame.len() as u64;
        part.clear();
    }
    Ok(end)
}
