//! The locks of a class: a step that would be in the way of another run of the same step runs once
//! at a time.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, Write};

use jiff::Timestamp;

use crate::{Class, ClassError};
use arena::system;

impl Class {
    /// Opens the lock of `step`. While the second file is open, nobody else locks it, and it says
    /// who has locked it.
    fn open_lock(&self, step: &str) -> Result<(File, File), ClassError> {
        let open = |name: String| {
            let path = self.folder.path().join(name);
            let mut options = File::options();
            system::for_owner_alone(&mut options);
            options.read(true).write(true).create(true).truncate(false);
            options.open(&path).map_err(ClassError::about(&path))
        };
        let turn = open(".lock".to_owned())?;
        unless_unsupported(system::lock(&turn))?;
        Ok((open(format!(".{step}.lock"))?, turn))
    }

    /// Returns which process does `step` now; `None` if none does.
    pub(crate) fn holder(&self, step: &str) -> Result<Option<String>, ClassError> {
        let (mut file, _turn) = self.open_lock(step)?;
        match system::try_lock(&file) {
            Err(TryLockError::WouldBlock) => Ok(Some(io::read_to_string(&mut file)?)),
            Err(TryLockError::Error(_)) | Ok(()) => Ok(None),
        }
    }

    /// Locks `step` until the file is closed, however this process ends. While another process does
    /// that step this one `waits`, or fails.
    ///
    /// # Errors
    /// If another process does the step and this one does not wait, or if the file cannot be
    /// locked.
    pub(crate) fn lock(&self, step: &str, waits: bool) -> Result<File, ClassError> {
        let (mut file, mut turn) = self.open_lock(step)?;
        match system::try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                self.note(&format!(
                    "this file system has no locks: do not start another {step} of this class meanwhile"
                ));
            }
            Err(TryLockError::WouldBlock) => {
                let holder = io::read_to_string(&mut file)?;
                let running = format!("another {step} of this class is running: {holder}");
                if !waits {
                    return Err(ClassError::fault(running));
                }
                drop(turn);
                self.note(&format!("{running}; waiting for its end"));
                unless_unsupported(system::lock(&file))?;
                turn = self.open_lock(step)?.1;
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let holder = format!(
            "process {} on {} since {}",
            std::process::id(),
            system::host_name(),
            Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ")
        );
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(holder.as_bytes())?;
        drop(turn);
        Ok(file)
    }
}

/// Some network file systems have no locks.
fn unless_unsupported(locked: io::Result<()>) -> io::Result<()> {
    match locked {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        locked => locked,
    }
}
