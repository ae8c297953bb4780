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
    /// If that one may not be written, or its folder.
    pub fn of(path: &Path) -> io::Result<Replacement> {
        // A link is followed, so that the file behind it is replaced and not the link.
        let target = || fs::read_link(path).map(|target| path.with_file_name("").join(target));
        let found = fs::canonicalize(path).or_else(|_| target());
        let path = found.unwrap_or_else(|_| path.to_owned());
        if path.exists() {
            File::options().write(true).open(&path)?;
        }
        let (beside, file) = create_beside(&path).map_err(|error| {
            if path.exists() {
                let what = format!("no file can be made beside it: {error}");
                return io::Error::new(error.kind(), what);
            }
            error
        })?;
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

    /// Puts the file into its place; returns whether it is that file. Where none can take the place of another, as of one that is
    /// mounted by itself, its text is copied.
    ///
    /// # Errors
    /// If the operating system refuses. The file stays where it is then, and the error names it.
    pub fn publish(&mut self) -> io::Result<bool> {
        let renamed = fs::rename(&self.beside, &self.path);
        self.is_published = renamed.is_ok();
        if self.is_published {
            return Ok(true);
        }
        let copied = File::options().write(true).truncate(true).open(&self.path);
        let copied = copied.and_then(|mut to| {
            io::copy(&mut File::open(&self.beside)?, &mut to)?;
            to.sync_all()
        });
        copied.map(|()| false).map_err(|error| {
            self.is_published = true;
            let what = format!("{error}; what was written is in {}", self.beside.display());
            io::Error::new(error.kind(), what)
        })
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
        let beside = path.with_file_name(format!(".{random:08x}.part"));
        match File::create_new(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempts < ATTEMPTS => {
                attempts += 1;
            }
            Err(error) => return Err(error),
        }
    }
}
