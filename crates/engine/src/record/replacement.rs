//! A file that is written beside another one, and then takes its place.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rand::TryRng;
use rand::rngs::SysRng;

/// The number of names that are tried for the file beside.
const ATTEMPTS: u32 = 8;

/// A new file that takes the place of another one as a whole, or not at all: until then the other stays as it is.
#[derive(Debug)]
pub struct Replacement {
    /// The new file, open for writing.
    pub file: File,
    path: PathBuf,
    beside: PathBuf,
    is_published: bool,
}

impl Replacement {
    /// Makes an empty file for the place `path`, where a file may be already. It gets the permissions of that one.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn of(path: &Path) -> io::Result<Replacement> {
        // A link is followed, so that the file behind it is replaced and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (beside, file) = create_beside(&path)?;
        let replacement = Replacement {
            file,
            beside,
            is_published: false,
            path,
        };
        // There are no permissions in a page.
        if cfg!(not(target_os = "wasi"))
            && let Ok(there) = fs::metadata(&replacement.path)
        {
            replacement.file.set_permissions(there.permissions())?;
        }
        Ok(replacement)
    }

    /// Puts the file into its place.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn publish(&mut self) -> io::Result<()> {
        fs::rename(&self.beside, &self.path)?;
        self.is_published = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_published {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Makes a file in the same folder, since only there a rename is one step. It is new, and its name cannot be known before: in a
/// folder that others write to, a link of that name could lead elsewhere.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut attempts = 0;
    loop {
        let random = SysRng.try_next_u32().map_err(io::Error::other)?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{random:08x}.part"));
        let beside = path.with_file_name(name);
        match File::create_new(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempts < ATTEMPTS => {
                attempts += 1;
            }
            Err(error) => return Err(error),
        }
    }
}
