//! Appends the line of a game to a file.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::gzip::{Text, is_gzip, is_gzip_name, keep_text, member};
use super::{GameLine, Output, OutputError};
use crate::system;

/// Appends `game` to the file `output` as one line, in one write; a file that is not there is made,
/// or with `force` takes the place of one that is. A last line without an end stays a line of its
/// own. In a compressed file the line is a member, as it is in a new file whose name ends in `.gz`.
///
/// # Errors
/// If the file cannot be opened or written.
pub fn append_line(output: Output<'_>, game: &GameLine) -> Result<(), OutputError> {
    let mut line = game.json.as_bytes().to_vec();
    line.push(b'\n');
    if output.force {
        let packs = is_gzip_name(output.path);
        return output.write(&if packs { member(&line) } else { line });
    }
    let file = output.append()?;
    append_to(output.path, file, line).map_err(|error| output.failed(error))
}

fn append_to(path: &Path, mut file: File, mut line: Vec<u8>) -> io::Result<()> {
    let mut first = Vec::new();
    // To read a terminal would wait for the user.
    if file.metadata()?.is_file() {
        (&file).take(4).read_to_end(&mut first)?;
    }
    let packs = if first.is_empty() {
        is_gzip_name(path)
    } else {
        is_gzip(&first)
    };
    if packs {
        file = without_torn_member(path, file)?;
    } else if ends_in_mid_line(&mut file) {
        line.insert(0, b'\n');
    }
    file.write_all(&if packs { member(&line) } else { line })?;
    system::synced(file.sync_data())
}

/// Returns the compressed `file` at `path` without a last member that was cut short, which would
/// swallow the next one. Of such a member, whole lines stay.
fn without_torn_member(path: &Path, file: File) -> io::Result<File> {
    // Another referee may be writing the member that seems to be cut short.
    match system::lock(&file) {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
        Err(_) | Ok(()) => {}
    }
    (&file).rewind()?;
    let mut text = Text::new(file.try_clone()?);
    let mut read = 0;
    let mut whole = 0;
    loop {
        let part = text.fill_buf()?;
        let length = part.len();
        if length == 0 {
            break;
        }
        if let Some(last) = part.iter().rposition(|byte| *byte == b'\n') {
            whole = read + last as u64 + 1;
        }
        read += length as u64;
        text.consume(length);
    }
    if text.is_torn() {
        return Ok(keep_text(path, file, whole, system::lock)?.0);
    }
    Ok(file)
}

/// Returns whether the last line was cut short, as by a full disk: the next line must not be lost
/// with it.
fn ends_in_mid_line(file: &mut File) -> bool {
    let mut last = [b'\n'];
    let read = file
        .seek(SeekFrom::End(-1))
        .and_then(|_| file.read_exact(&mut last));
    read.is_ok() && last != *b"\n"
}
