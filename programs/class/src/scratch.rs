//! The folder in which an intake unpacks and builds: it is removed afterwards, or at the next intake if this one is killed.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::class::make_folder;
use crate::{Class, ClassError};
use engine::system;

/// The beginning of the names of these folders.
const PREFIX: &str = ".build-";

/// The file in such a folder that its intake has locked.
const LOCK: &str = "lock";

/// A folder for one intake, below the folder of the class, so that a finished bot can be moved to its place.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Closed before the folder goes: some systems do not remove open files.
    _lock: File,
    folder: tempfile::TempDir,
}

impl Scratch {
    /// Makes a folder, and removes those that killed intakes left.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn new(class: &Class) -> Result<Scratch, ClassError> {
        let bots = class.folder.bots();
        make_folder(&bots)?;
        // One intake at a time, so that none finds a folder that is not locked yet.
        let turn = File::create(bots.join(".lock"))?;
        system::lock(&turn)?;
        for entry in fs::read_dir(&bots)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(PREFIX)
                && let Err(error) = remove_if_left(&path)
            {
                class.note(&format!("{}: {error}; remove it yourself", path.display()));
            }
        }
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&bots)?;
        let lock = File::create(folder.path().join(LOCK))?;
        system::lock(&lock)?;
        Ok(Scratch {
            _lock: lock,
            folder,
        })
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes a folder if no intake uses it. Without a lock it was never used.
fn remove_if_left(folder: &Path) -> io::Result<()> {
    let lock = File::options().write(true).open(folder.join(LOCK));
    if lock.is_ok_and(|lock| system::try_lock(&lock).is_err()) {
        return Ok(());
    }
    fs::remove_dir_all(folder)
}
