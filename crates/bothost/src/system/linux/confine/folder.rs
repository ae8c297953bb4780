//! A folder for a bot to write in that is gone afterwards, whatever the bot has made of it.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;

/// The number of times the removal is tried again, for example while something else still writes
/// there.
const MOST_ATTEMPTS: usize = 3;

/// A fresh folder with a name that cannot be guessed. The referee makes it, the supervisor removes
/// it after its bot, and the referee does if the supervisor could not.
#[derive(Debug)]
pub(crate) struct FreshFolder(PathBuf);

impl FreshFolder {
    pub(crate) fn make() -> io::Result<FreshFolder> {
        // The folder is for its user alone.
        let folder = tempfile::Builder::new()
            .prefix("battleship-bot-")
            .rand_bytes(16)
            .tempdir_in(temporary())
            .map_err(|error| with_advice(&error))?;
        Ok(FreshFolder(folder.keep()))
    }

    /// Returns the one at `path`, which another process has made.
    pub(crate) fn at(path: PathBuf) -> FreshFolder {
        FreshFolder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Removes the folder and all that is in it.
    ///
    /// # Errors
    /// If something of it cannot be removed.
    pub(crate) fn remove(&self) -> io::Result<()> {
        let mut removed = Ok(());
        for _ in 0..MOST_ATTEMPTS {
            removed = empty(&self.0).and_then(|()| std::fs::remove_dir(&self.0));
            match &removed {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(_) => {}
                Ok(()) => break,
            }
        }
        removed
    }
}

/// Returns the folder for temporary files, as an absolute path, since the working folder of this
/// process may change.
pub(crate) fn temporary() -> PathBuf {
    // It is empty where TMPDIR is.
    std::path::absolute(std::env::temp_dir()).unwrap_or_else(|_| PathBuf::from("/tmp"))
}

/// Adds to the error of a folder for temporary files, which names it, what can be done.
pub(crate) fn with_advice(error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("{error}; set TMPDIR to a folder that can be written to"),
    )
}

/// Removes all that is in `folder`. Folders in it are brought to the top before they are emptied in
/// turn: so no path gets too long, and no more than two folders are open at a time, however deep it
/// was.
fn empty(folder: &Path) -> io::Result<()> {
    let top = open(CWD, folder.as_os_str())?;
    let mut count = 0_u64;
    let mut waiting = clear(&top, &top, &mut count)?;
    while let Some(name) = waiting.pop() {
        let below = open(&top, OsStr::from_bytes(name.to_bytes()))?;
        waiting.extend(clear(&below, &top, &mut count)?);
        unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
    }
    Ok(())
}

/// Removes the files in `folder`, and moves the folders in it to `top`. Returns the names of these
/// there.
fn clear(folder: &OwnedFd, top: &OwnedFd, count: &mut u64) -> io::Result<Vec<CString>> {
    let mut moved = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        // Not every file system says in the list what an entry is.
        let is_folder = match entry.file_type() {
            FileType::Directory => true,
            FileType::Unknown => unlinkat(folder, name, AtFlags::empty()) == Err(Errno::ISDIR),
            FileType::RegularFile
            | FileType::Symlink
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice => false,
        };
        if !is_folder {
            match unlinkat(folder, name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => continue,
                Err(error) => return Err(error.into()),
            }
        }
        // To move a folder is to write in it, as its entry for the folder above changes.
        chmodat(folder, name, Mode::RWXU, AtFlags::empty())?;
        // A name that is not there yet: the bot may have used this one as well.
        let new = loop {
            *count += 1;
            let new = CString::new(format!(".removed-{count}")).expect("a number has no zero byte");
            if let Err(Errno::NOENT) = statat(top, &new, AtFlags::SYMLINK_NOFOLLOW) {
                break new;
            }
        };
        renameat(folder, name, top, &new)?;
        moved.push(new);
    }
    Ok(moved)
}

/// Opens the folder `name` in `parent`, which may have been closed to its own owner.
fn open(parent: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    chmodat(&parent, name, Mode::RWXU, AtFlags::empty())?;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_folder_is_removed_whatever_is_in_it() {
        let folder = FreshFolder::make().unwrap();
        let path = folder.path().to_owned();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "").unwrap();
        symlink(outside.path(), path.join("link")).unwrap();
        symlink("nowhere", path.join("dangling")).unwrap();
        for name in [".removed-1", ".removed-2/.removed-1", "closed/inside/more"] {
            fs::create_dir_all(path.join(name)).unwrap();
        }
        fs::write(path.join("closed/inside/file"), "").unwrap();
        for name in ["closed/inside", "closed"] {
            fs::set_permissions(path.join(name), fs::Permissions::from_mode(0o0)).unwrap();
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
        folder.remove().unwrap();
        assert!(!path.exists());
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn a_tree_deeper_than_any_path_is_removed() {
        let folder = FreshFolder::make().unwrap();
        let path = folder.path().to_owned();
        let mut at = open(CWD, path.as_os_str()).unwrap();
        for _ in 0..3000 {
            rustix::fs::mkdirat(&at, "d", Mode::empty()).unwrap();
            at = open(&at, OsStr::new("d")).unwrap();
        }
        drop(at);
        folder.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn what_is_gone_already_needs_no_removal() {
        let folder = FreshFolder::make().unwrap();
        fs::remove_dir(folder.path()).unwrap();
        folder.remove().unwrap();
    }
}
