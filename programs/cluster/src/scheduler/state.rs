//! The job that was submitted from a folder, so that the same command waits for it instead of
//! submitting it again.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ClusterError;

/// A job that was submitted and has not been seen to end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Submitted {
    /// The scheduler's name.
    pub(super) scheduler: String,
    /// Its name for the job.
    pub(super) id: String,
    /// The number of tasks that it has.
    pub(super) tasks: usize,
}

impl Submitted {
    /// Returns the path of the note on a job with this folder.
    pub(super) fn path(folder: &Path) -> PathBuf {
        folder.join("submitted.json")
    }

    /// Returns what was submitted from `folder` and has not been seen to end; `None` if nothing
    /// was.
    pub(super) fn read(folder: &Path) -> Result<Option<Submitted>, ClusterError> {
        let path = Submitted::path(folder);
        match std::fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ClusterError::io(&path)(error)),
            // Cut short by a crash. Submitting again is safe, since tasks may run twice.
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        }
    }

    /// Notes it.
    pub(super) fn write(&self, folder: &Path) -> Result<(), ClusterError> {
        let path = Submitted::path(folder);
        let text = serde_json::to_string(self).unwrap_or_default();
        std::fs::write(&path, text + "\n").map_err(ClusterError::io(&path))
    }

    /// Forgets it.
    pub(super) fn forget(folder: &Path) -> Result<(), ClusterError> {
        let path = Submitted::path(folder);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(ClusterError::io(&path)(error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}
