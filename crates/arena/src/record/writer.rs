//! Writes the record of a contest: locked, in whole lines, and on the disk before it is reported.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::gzip::{append_bytes, append_member, is_gzip, is_gzip_name, keep_text};
use super::{ContestHeader, Output, RecordError, RecordReader, Replacement};
use crate::system;
use wire::game::Readers;

/// The record of a contest, while the contest is played. It is locked, so that no other referee
/// writes it.
#[derive(Debug)]
pub struct ContestFile {
    path: PathBuf,
    /// The readers of the games that can be in it.
    readers: Readers,
    file: File,
    /// The end of its last whole line, in bytes of the file.
    end: u64,
    /// Whether each batch of lines is written as a member of gzip.
    packs: bool,
    /// Whether the file was not there before, and is to go again if nothing is written to it.
    is_made: bool,
    /// Whether other referees are kept from writing the file.
    is_locked: bool,
    /// Until the new file has games: the new file, the locked file that it is to replace, and the
    /// length of that file.
    replaces: Option<(Replacement, File, u64)>,
}

impl Drop for ContestFile {
    fn drop(&mut self) {
        // No contest has begun. The lock is still held, so no other referee has written it.
        if self.is_made
            && self
                .file
                .metadata()
                .is_ok_and(|metadata| metadata.len() == 0)
        {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl ContestFile {
    /// Creates a record at `path`. An empty file is one that is not there yet: a job script may
    /// have made it, for its permissions. With `force` another file stays as it is until the new
    /// one has games, and then is replaced.
    ///
    /// # Errors
    /// If something is there already, or if it cannot be made.
    pub fn create(path: &Path, force: bool, readers: Readers) -> Result<ContestFile, RecordError> {
        let mut record = ContestFile::open(path, readers)?;
        if !record.is_empty()? {
            if !force {
                return Err(RecordError::Exists(path.to_owned()));
            }
            record.replace().map_err(RecordError::io(path))?;
        }
        Ok(record)
    }

    /// Continues with a new file beside the one that is there.
    fn replace(&mut self) -> io::Result<()> {
        let replacement = Replacement::of(&self.path)?;
        let new = replacement.file.try_clone()?;
        lock_new(&new)?;
        let old = std::mem::replace(&mut self.file, new);
        self.packs = is_gzip_name(&self.path);
        let length = old.metadata()?.len();
        self.replaces = Some((replacement, old, length));
        Ok(())
    }

    /// Opens the record at `path` to continue it; creates it if there is none.
    ///
    /// # Errors
    /// If it cannot be opened, or if another referee is writing it.
    pub fn open(path: &Path, readers: Readers) -> Result<ContestFile, RecordError> {
        Output {
            option: "--out",
            path,
            force: false,
        }
        .check_regular()?;
        loop {
            let (file, is_made) = open_or_make(path).map_err(RecordError::io(path))?;
            let mut is_locked = true;
            match lock_patiently(|| system::try_lock(&file)) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(RecordError::Locked(path.to_owned())),
                // Some network file systems have no locks; a record there has one writer by
                // agreement.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    is_locked = false;
                }
                Err(TryLockError::Error(error)) => return Err(RecordError::io(path)(error)),
            }
            // While this one waited for the lock, another referee may have removed the file that it
            // had made.
            if system::is_at(&file, path) {
                // A record continues as it began, whatever its name has become.
                let first = first_bytes(&file).map_err(RecordError::io(path))?;
                let packs = if first.is_empty() {
                    is_gzip_name(path)
                } else {
                    is_gzip(&first)
                };
                return Ok(ContestFile {
                    path: path.to_owned(),
                    readers,
                    file,
                    end: 0,
                    packs,
                    is_made,
                    is_locked,
                    replaces: None,
                });
            }
        }
    }

    /// Returns whether other referees are kept from writing the file: some network file systems have
    /// no locks.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.is_locked
    }

    /// Returns whether it is empty.
    ///
    /// # Errors
    /// If the operating system does not say.
    pub fn is_empty(&self) -> Result<bool, RecordError> {
        let metadata = self.file.metadata().map_err(RecordError::io(&self.path))?;
        Ok(metadata.len() == 0)
    }

    /// Returns a reader of what the record has so far.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> Result<RecordReader, RecordError> {
        Ok(RecordReader::new(&self.path, self.reopen()?, self.readers))
    }

    /// Returns the file, open for reading from its beginning.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn reopen(&self) -> Result<File, RecordError> {
        let file = match &self.replaces {
            None => File::open(&self.path),
            // It is empty so far.
            Some(_) => self.file.try_clone(),
        };
        file.map_err(RecordError::io(&self.path))
    }

    /// Continues after the first `length` bytes of its text; what follows them is cut off.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn continue_at(&mut self, length: u64) -> Result<(), RecordError> {
        // Every write seeks to `end`, so the position of the file itself does not matter.
        let io = RecordError::io(&self.path);
        if length == 0 {
            self.packs = is_gzip_name(&self.path);
        }
        if length == 0 {
            self.end = 0;
            return self.file.set_len(0).map_err(io);
        }
        if !self.packs {
            let ended = self.file.set_len(length).and_then(|()| {
                let mut last = [0];
                self.file.seek(SeekFrom::Start(length - 1))?;
                self.file.read_exact(&mut last)?;
                if last == *b"\n" {
                    return Ok(length);
                }
                // The line is whole but for its end.
                append_bytes(&mut self.file, length, b"\n")
            });
            self.end = ended.map_err(io)?;
            return Ok(());
        }
        let file = self.file.try_clone();
        let kept = file.and_then(|file| keep_text(&self.path, file, length, lock_new));
        (self.file, self.end) = kept.map_err(io)?;
        Ok(())
    }

    /// Writes the header.
    ///
    /// # Errors
    /// As [`ContestFile::append`].
    pub fn append_header(&mut self, header: &ContestHeader) -> Result<(), RecordError> {
        self.write(&header.to_line())
    }

    /// Appends whole `lines` with games; afterwards they are on the disk, and the record is in its
    /// place.
    ///
    /// # Errors
    /// If they cannot be written. What was written before is still there then, and none of `lines`.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), RecordError> {
        self.write(lines)?;
        self.publish()
    }

    /// Puts the record into the place of the file that it replaces, if there is one.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn publish(&mut self) -> Result<(), RecordError> {
        if self.replaces.is_some() {
            self.check_is_there()?;
        }
        let Some((mut replacement, old, _)) = self.replaces.take() else {
            return Ok(());
        };
        // Windows may not replace a file that is open.
        let old = (!cfg!(windows)).then_some(old);
        let is_new = replacement.publish().map_err(RecordError::io(&self.path))?;
        if let Some(old) = old.filter(|_| !is_new) {
            self.file = old;
        }
        Ok(())
    }

    /// Checks that the file is still at its path and as long as it was left.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_is_there(&self) -> Result<(), RecordError> {
        let (file, length) = match &self.replaces {
            Some((_, old, length)) => (old, *length),
            None => (&self.file, self.end),
        };
        let now = file.metadata().map(|metadata| metadata.len());
        // Nothing has been written before the header.
        let is_as_it_was = length == 0 || now.is_ok_and(|now| now == length);
        if is_as_it_was && system::is_at(file, &self.path) {
            return Ok(());
        }
        Err(RecordError::Gone(self.path.clone()))
    }

    /// Appends whole `lines`, as [`ContestFile::append`] does, but leaves a file that is to be
    /// replaced.
    ///
    /// # Errors
    /// As for [`ContestFile::append`].
    pub fn write(&mut self, lines: &[u8]) -> Result<(), RecordError> {
        self.check_is_there()?;
        // On the disk before the contest continues, so that a crash loses no result that was
        // reported. One call for each batch of series; the games take longer. If cutting off what
        // was written in vain fails too, the next reader finds a last line or member that was cut
        // short, and drops it.
        let written = if self.packs {
            append_member(&mut self.file, self.end, lines)
        } else {
            append_bytes(&mut self.file, self.end, lines)
        };
        self.end = written.map_err(|error| RecordError::NotWritten {
            path: self.path.clone(),
            error,
        })?;
        Ok(())
    }
}

/// Locks a file that has a name which no other referee knows.
fn lock_new(new: &File) -> io::Result<()> {
    match system::try_lock(new) {
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        Err(_) | Ok(()) => Ok(()),
    }
}

/// Returns the beginning of `file`: four bytes, or all that it has.
fn first_bytes(file: &File) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    file.take(4).read_to_end(&mut first)?;
    Ok(first)
}

/// Opens the file at `path`; returns whether it was made for that.
fn open_or_make(path: &Path) -> io::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    // A pipe that has taken its place must not be waited for.
    system::without_waiting(&mut options);
    match options.clone().create_new(true).open(path) {
        Ok(file) => Ok((file, true)),
        // Not truncated: only after the lock is held is it known that the content may go. Made if
        // it is a link that leads nowhere yet.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok((options.create(true).truncate(false).open(path)?, false))
        }
        Err(error) => Err(error),
    }
}

/// Tries to lock a file by `try_lock`, for up to a second. The lock belongs to the open file, which
/// a process that a killed referee was just starting holds until its exec closes it.
///
/// # Errors
/// Returns the last error of `try_lock`.
pub fn lock_patiently(try_lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    for _ in 0..50 {
        match try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            locked => return locked,
        }
    }
    try_lock()
}
