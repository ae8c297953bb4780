//! A file that is written beside another one, and then takes its place.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::system;

use tempfile::{Builder, TempPath};

/// A new file that takes the place of another one as a whole, or not at all: until then the other
/// stays as it is.
#[derive(Debug)]
pub struct Replacement {
    /// The new file, open for writing.
    pub file: File,
    path: PathBuf,
    /// Where the new file is, until it is in its place.
    beside: Option<TempPath>,
}

impl Replacement {
    /// Makes an empty file for the place `path`, where a file may be already. It gets the
    /// permissions of that one.
    ///
    /// # Errors
    /// If that one may not be written, or its folder.
    pub fn of(path: &Path) -> io::Result<Replacement> {
        // A link is followed, so that the file behind it is replaced and not the link.
        let path = fs::canonicalize(path)
            .or_else(|_| fs::read_link(path).map(|target| path.with_file_name("").join(target)))
            .unwrap_or_else(|_| path.to_owned());
        let is_there = path.exists();
        if is_there {
            File::options().write(true).open(&path)?;
        }
        // In the same folder, since only there a rename is one step.
        let folder = Path::new(".").join(path.with_file_name(""));
        let mut names = Builder::new();
        let made = names
            .prefix(".")
            .suffix(".part")
            .make_in(folder, |path| File::create_new(path));
        let (file, beside) = match made {
            Ok(made) => made.into_parts(),
            Err(error) if is_there => {
                let what = format!("no file can be made beside it: {error}");
                return Err(io::Error::new(error.kind(), what));
            }
            Err(error) => return Err(error),
        };
        // There are no permissions in a page.
        if cfg!(not(target_os = "wasi")) && is_there {
            file.set_permissions(fs::metadata(&path)?.permissions())?;
        }
        Ok(Replacement {
            file,
            path,
            beside: Some(beside),
        })
    }

    /// Puts the file into its place; returns whether it is that file. Where none can take the place
    /// of another, as of one that is mounted by itself, its text is copied.
    ///
    /// # Errors
    /// If the operating system refuses. The file stays where it is then, and the error names it.
    pub fn publish(&mut self) -> io::Result<bool> {
        let Some(beside) = self.beside.take() else {
            return Ok(true);
        };
        let Err(refused) = beside.persist(&self.path) else {
            return Ok(true);
        };
        let copy = || {
            let mut to = File::options()
                .write(true)
                .truncate(true)
                .open(&self.path)?;
            io::copy(&mut File::open(&refused.path)?, &mut to)?;
            system::synced(to.sync_all())
        };
        let Err(error) = copy() else {
            return Ok(false);
        };
        let what = format!("{error}; what was written is in {}", refused.path.display());
        refused.path.keep().map_err(|error| error.error)?;
        Err(io::Error::new(error.kind(), what))
    }
}
