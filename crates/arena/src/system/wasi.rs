//! The services of a page in a browser that the referee needs.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::Path;
use std::process::Command;

use bothost::Interrupt;

pub use super::slashes::*;

/// Returns no name: the page is on the machine of its reader.
#[must_use]
pub fn host_name() -> String {
    String::new()
}

/// A page shows text as it is.
#[must_use]
pub fn takes_escapes(_out: &io::Stdout) -> bool {
    false
}

/// Standard output is not a terminal.
#[must_use]
pub fn terminal_size(_out: &impl io::IsTerminal) -> Option<(u16, u16)> {
    None
}

/// Players have names here, and no files.
#[must_use]
pub fn names_a_file(_word: &str) -> bool {
    false
}

/// Nothing is waited for.
pub fn without_waiting(_options: &mut OpenOptions) {}

/// The files of a page are for its reader alone.
pub fn for_owner_alone(_options: &mut OpenOptions) {}

/// The same of folders.
#[must_use]
pub fn folder_for_owner_alone() -> Option<std::fs::Permissions> {
    None
}

/// The same.
///
/// # Errors
/// None.
pub fn keep_unlisted(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// The same.
///
/// # Errors
/// None.
pub fn keep_to_owner(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// No file is a program.
#[must_use]
pub fn is_executable(_metadata: &Metadata) -> bool {
    false
}

/// The files have no other user.
///
/// # Errors
/// None.
pub fn lock(_file: &File) -> io::Result<()> {
    Ok(())
}

/// As [`lock`].
///
/// # Errors
/// None.
pub fn try_lock(_file: &File) -> Result<(), TryLockError> {
    Ok(())
}

/// As [`lock`].
///
/// # Errors
/// None.
pub fn try_lock_shared(_file: &File) -> Result<(), TryLockError> {
    Ok(())
}

/// Nothing puts another file in the place of one.
#[must_use]
pub fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// A page has none.
#[must_use]
pub fn is_standard_stream(_path: &Path) -> bool {
    false
}

/// There are no links.
#[must_use]
pub fn are_links_to_one(one: &Path, other: &Path) -> bool {
    one == other
}

/// There are files and folders only.
#[must_use]
pub fn special_kind(_there: &Metadata) -> Option<&'static str> {
    None
}

/// There is no Ctrl-C.
pub fn out_of_reach_of_ctrl_c(_command: &mut Command) {}

/// No program opens files.
pub const OPENERS: &[&[&str]] = &[];

/// Opens nothing.
#[must_use]
pub fn opens(_opener: &[&str], _path: &Path) -> bool {
    false
}

/// The stack is as large as the page says.
///
/// # Errors
/// None.
pub fn make_room_on_stack() -> io::Result<()> {
    Ok(())
}

/// Reads a byte from standard input. Returns `None` at its end.
///
/// # Errors
/// If reading fails.
pub fn typed_byte(_interrupt: &Interrupt) -> io::Result<Option<u8>> {
    let mut byte = [0];
    let count = io::stdin().read(&mut byte)?;
    Ok((count > 0).then_some(byte[0]))
}
