//! The folder in which a step unpacks and builds: it is removed afterwards, or by the next such
//! step if this one is killed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::privacy::make_private_folder;
use crate::{Class, ClassError};

/// A folder for one step, below the folder of the class, so that what is finished can be moved to
/// its place.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes the empty folder of `step`, of which only one runs at a time: others wait, or fail.
    ///
    /// # Errors
    /// If another process does the step and this one does not wait, or if the folder cannot be
    /// made.
    pub(crate) fn new(class: &Class, step: &str, waits: bool) -> Result<Scratch, ClassError> {
        let lock = class.lock(step, waits)?;
        let of_class = &class.folder;
        // On the disk of what is finished.
        let above = match step {
            "import" => of_class.submissions(),
            _ => of_class.bots(),
        };
        let folder = above.join(format!(".build-{step}"));
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(ClassError::about(&folder))?;
        }
        make_private_folder(above.as_path())?;
        make_private_folder(&folder)?;
        Ok(Scratch {
            folder,
            _lock: lock,
        })
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
