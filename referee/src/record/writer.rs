//! Writes the record of a contest: locked, in whole lines, and on the disk before it is reported.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{ContestHeader, RecordError, RecordReader};

/// The record of a contest, while the contest is played. It is locked, so that no other referee writes it.
#[derive(Debug)]
pub(crate) struct ContestFile {
    path: PathBuf,
    file: File,
    /// Where its last whole line ends, in bytes.
    end: u64,
}

impl ContestFile {
    /// Creates a record at `path`.
    ///
    /// # Errors
    /// If something is there already, or if it cannot be made.
    pub(crate) fn create(path: &Path) -> Result<ContestFile, RecordError> {
        let record = ContestFile::open(path)?;
        if !record.is_empty()? {
            return Err(RecordError::Exists(path.to_owned()));
        }
        Ok(record)
    }

    /// Opens the record at `path` to continue it; creates it if there is none.
    ///
    /// # Errors
    /// If it cannot be opened, or if another referee is writing it.
    pub(crate) fn open(path: &Path) -> Result<ContestFile, RecordError> {
        let mut options = OpenOptions::new();
        // Not truncated: only after the lock is held is it known that the content may go.
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(RecordError::io(path))?;
        match lock_patiently(|| file.try_lock()) {
            Ok(()) => Ok(ContestFile { path: path.to_owned(), file, end: 0 }),
            Err(TryLockError::WouldBlock) => Err(RecordError::Locked(path.to_owned())),
            // Some network file systems have no locks; a record there has one writer by agreement.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(ContestFile { path: path.to_owned(), file, end: 0 })
            }
            Err(TryLockError::Error(error)) => Err(RecordError::io(path)(error)),
        }
    }

    /// Returns whether it is empty.
    ///
    /// # Errors
    /// If the operating system does not say.
    pub(crate) fn is_empty(&self) -> Result<bool, RecordError> {
        let metadata = self.file.metadata().map_err(RecordError::io(&self.path))?;
        Ok(metadata.len() == 0)
    }

    /// Returns a reader of what the record has so far.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(&self) -> Result<RecordReader, RecordError> {
        RecordReader::open(&self.path)
    }

    /// Continues after the first `length` bytes; what follows them is cut off.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub(crate) fn go_on_at(&mut self, length: u64) -> Result<(), RecordError> {
        // Every write seeks to `end`, so the position of the file itself does not matter.
        self.end = length;
        self.file.set_len(length).map_err(RecordError::io(&self.path))
    }

    /// Writes the header.
    ///
    /// # Errors
    /// As [`ContestFile::append`].
    pub(crate) fn append_header(&mut self, header: &ContestHeader) -> Result<(), RecordError> {
        self.append(&header.to_line())
    }

    /// Appends whole `lines`; afterwards they are on the disk.
    ///
    /// # Errors
    /// If they cannot be written. What was written before is still there then, and none of `lines`.
    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<(), RecordError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(lines))
            // On the disk before the contest goes on, so that a crash loses no result that was reported. One
            // call for each batch of series; the games take longer.
            .and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // On a full disk part of the lines may have been written. If cutting them off fails too, the next reader
            // finds a last line that was cut short, and drops it.
            let _ = self.file.set_len(self.end);
            return Err(RecordError::NotWritten { path: self.path.clone(), error });
        }
        self.end += lines.len() as u64;
        Ok(())
    }
}

/// Tries to lock a file by `try_lock`, for up to a second. The lock belongs to the open file, which a process that a
/// killed referee was just starting holds until its exec closes it.
pub(crate) fn lock_patiently(
    try_lock: impl Fn() -> Result<(), TryLockError>,
) -> Result<(), TryLockError> {
    for _ in 0..50 {
        match try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            locked => return locked,
        }
    }
    try_lock()
}
