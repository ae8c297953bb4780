//! The locks of a class: a step that would be in the way of another run of the same step runs once at a time.

use std::fs::{self, File, TryLockError};
use std::io::Write;

use jiff::Timestamp;

use crate::{Class, ClassError};
use engine::system;

impl Class {
    /// Returns which process does `step` now; `None` if none does.
    pub(crate) fn holder(&self, step: &str) -> Option<String> {
        let path = self.folder.path().join(format!(".{step}.lock"));
        let file = File::open(&path).ok()?;
        let is_locked = system::try_lock_shared(&file).is_err();
        is_locked.then(|| fs::read_to_string(&path).unwrap_or_default())
    }

    /// Locks `step` until the file is closed, however this process ends. While another process does that step this one
    /// `waits`, or fails.
    ///
    /// # Errors
    /// If another process does the step and this one does not wait, or if the file cannot be locked.
    pub(crate) fn lock(&self, step: &str, waits: bool) -> Result<File, ClassError> {
        let path = self.folder.path().join(format!(".{step}.lock"));
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(ClassError::about(&path))?;
        // Twice: for a moment another process may look whether it is locked.
        match system::try_lock(&file).or_else(|_| system::try_lock(&file)) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = fs::read_to_string(&path).unwrap_or_default();
                let running = format!("another {step} of this class is running: {holder}");
                if !waits {
                    return Err(ClassError::fault(running));
                }
                self.note(&format!("{running}; waiting for its end"));
                system::lock(&file).map_err(ClassError::about(&path))?;
            }
            Err(TryLockError::Error(error)) => return Err(ClassError::about(&path)(error)),
        }
        let holder = format!(
            "process {} on {} since {}",
            std::process::id(),
            system::host_name(),
            Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ")
        );
        file.set_len(0)
            .and_then(|()| file.write_all(holder.as_bytes()))
            .map_err(ClassError::about(&path))?;
        Ok(file)
    }
}
