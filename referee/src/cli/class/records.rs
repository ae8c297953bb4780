//! Where the records of series are: a file for each two bots, to which series are appended.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;

use anyhow::Context;

use crate::cli::exit::Failure;
use crate::record::{append_bytes, frame};
use crate::system;

/// The record of two bots, while no other program writes to it.
#[derive(Debug)]
pub(super) struct RecordFile {
    file: File,
    shown: String,
}

impl RecordFile {
    /// Locks the record at `path`, which may be new; `None` if another program has locked it. The lock ends with this
    /// process, however it ends.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn lock(path: &Path) -> Result<Option<RecordFile>, Failure> {
        let shown = path.display().to_string();
        let open = || {
            fs::create_dir_all(path.parent().unwrap_or(path))?;
            let mut options = OpenOptions::new();
            // It has the seeds of its games.
            system::for_owner_alone(&mut options);
            options.read(true).write(true).create(true).truncate(false).open(path)
        };
        let file = open().with_context(|| shown.clone())?;
        match system::try_lock(&file) {
            Ok(()) => Ok(Some(RecordFile { file, shown })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                Err(anyhow::Error::from(error).context(shown).into())
            }
        }
    }

    /// Appends `lines` behind the byte `behind`; what is there was never finished, and goes. Returns the byte behind them.
    /// When this returns, a power cut does not take them away.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, behind: u64, lines: &[u8]) -> Result<u64, Failure> {
        let frame = frame(lines)?;
        self.append_frame(behind, &frame)
    }

    /// The same of lines that have been compressed already.
    pub(super) fn append_frame(&mut self, behind: u64, frame: &[u8]) -> Result<u64, Failure> {
        let cut = self.file.set_len(behind);
        let written = cut.and_then(|()| append_bytes(&mut self.file, behind, frame));
        Ok(written.with_context(|| self.shown.clone())?)
    }
}
