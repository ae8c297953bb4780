//! The services of a Unix on systems that need none of them.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::BotProgram;

/// Scripts have no first line that names their interpreter.
pub(crate) fn fault_of_script(_program: &BotProgram) -> Option<String> {
    None
}

/// Every user can read a file, unless its owner says otherwise.
pub(crate) fn let_others_read(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Files have no limit of their size but that of the disk.
///
/// # Errors
/// None.
pub fn survive_file_size_limit() -> io::Result<()> {
    Ok(())
}

/// There are no signals.
pub fn hear_all_signals() {}

/// A process can have millions of files open.
pub(crate) fn raise_file_limit(_wanted: u64) -> Option<u64> {
    None
}

/// A user can start any number of processes.
pub(crate) fn tasks_left() -> Option<u64> {
    None
}

/// The identity of a file that tells it from one that is put in its place: its size, and the time
/// of the last change.
pub(crate) type Identity = (u64, Option<SystemTime>);

/// Returns the identity of this file, which one that is put in its place does not share.
pub(crate) fn identity_of(file: &Metadata) -> Identity {
    (file.len(), file.modified().ok())
}
