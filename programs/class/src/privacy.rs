//! The permissions of the files of a class: other users of the machine read the page for all, and a
//! student's page if they know its address.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use crate::ClassError;
use crate::class::make_folder;
use crate::folder::ClassFolder;

/// The first columns of a table of grades.
const HEAD_OF_GRADES: &str = "id,name,team,points,";

/// The permissions that a file may have at most; none is ever added.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// For the owner alone.
    Owner,
    /// Others may open what they know the name of.
    Unlisted,
    /// Others may read.
    Readers,
    /// The group may write, as that of several teachers.
    Group,
}

impl Access {
    #[cfg(unix)]
    fn most(self, is_folder: bool) -> u32 {
        match (self, is_folder) {
            (Access::Owner, _) => 0o700,
            (Access::Unlisted, true) => 0o711,
            (Access::Unlisted, false) => 0o744,
            (Access::Readers, _) => 0o755,
            (Access::Group, _) => 0o775,
        }
    }
}

/// Takes from `path` the permissions that are beyond `access`. A missing file has none. A link
/// leads to something that may not be of the class, and a folder that all users write into, as for
/// temporary files, is not of the class either.
#[cfg(unix)]
fn restrict(path: &Path, access: Access) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if metadata.is_symlink() {
        return Ok(());
    }
    let mode = metadata.permissions().mode() & 0o7777;
    let others = mode & 0o777 & !access.most(metadata.is_dir());
    let is_sticky = mode & 0o1000 != 0;
    if others == 0 || is_sticky {
        return Ok(());
    }
    match fs::set_permissions(path, fs::Permissions::from_mode(mode & !others)) {
        // Another command removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// The folders of a user are private there.
#[cfg(not(unix))]
fn restrict(_path: &Path, _access: Access) -> io::Result<()> {
    Ok(())
}

/// As [`restrict`], for everything below a folder, too.
fn restrict_all(path: &Path, access: Access) -> io::Result<()> {
    restrict(path, access)?;
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            restrict_all(&entry.path(), access)?;
        }
    }
    Ok(())
}

/// As [`restrict`] for something of the class alone, where a link may lead to another disk.
fn restrict_target(path: &Path, access: Access) -> io::Result<()> {
    match fs::canonicalize(path) {
        Ok(target) => restrict(&target, access),
        Err(_) => Ok(()),
    }
}

/// Makes a folder for the owner alone, if it is not there. Where the file system has no
/// permissions, [`keep_class`] reports that.
pub(crate) fn make_private_folder(folder: &Path) -> Result<(), ClassError> {
    make_folder(folder)?;
    let _ = restrict_target(folder, Access::Owner);
    Ok(())
}

/// As [`make_private_folder`], but others can open files in the folder if they know their names.
pub(crate) fn make_unlisted_folder(folder: &Path) -> Result<(), ClassError> {
    make_folder(folder)?;
    let _ = restrict(folder, Access::Unlisted);
    Ok(())
}

/// As [`make_private_folder`], but others can read the folder.
pub(crate) fn make_public_folder(folder: &Path) -> Result<(), ClassError> {
    make_folder(folder)?;
    keep_unchanged_by_others(folder);
    Ok(())
}

/// Takes from a page or a folder the permission of others to change it.
pub(crate) fn keep_unchanged_by_others(path: &Path) {
    let _ = restrict(path, Access::Readers);
}

/// Keeps the files of a bot to the owner, unless root owns them: in a sandbox, a bot that root
/// starts is another user, and the folder of all bots is closed to others anyway.
pub(crate) fn keep_bot(folder: &Path) -> io::Result<()> {
    let access = if is_of_root(folder) {
        Access::Readers
    } else {
        Access::Owner
    };
    restrict_all(folder, access)
}

#[cfg(unix)]
fn is_of_root(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    fs::metadata(path).is_ok_and(|metadata| metadata.uid() == 0)
}

#[cfg(not(unix))]
fn is_of_root(_path: &Path) -> bool {
    false
}

/// Makes sure that the file at `path`, which is to be written, is or becomes one for the owner
/// alone. Something else than a file stays as it is.
///
/// # Errors
/// If the operating system refuses.
pub fn keep_output(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => restrict_target(path, Access::Owner),
        Ok(_) => Ok(()),
        Err(_) => {
            let mut options = fs::OpenOptions::new();
            arena::system::for_owner_alone(&mut options);
            match options.write(true).create_new(true).open(path) {
                // Writing it says why it cannot be made.
                Ok(_) | Err(_) => Ok(()),
            }
        }
    }
}

/// Makes the folder of the results of all students, whose folders in it are named by their ids.
pub(crate) fn make_results_folder(folder: &Path) -> Result<(), ClassError> {
    let is_new = !folder.exists();
    make_folder(folder)?;
    // A folder of the teacher's own with other files in it stays as it is.
    if is_new || is_of_results(folder) {
        let _ = restrict(folder, Access::Owner);
    }
    Ok(())
}

/// Returns whether all entries of a folder are folders with the results of a student.
fn is_of_results(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .peekable();
    entries.peek().is_some() && entries.all(|entry| entry.path().join("results.json").is_file())
}

/// Returns whether a file is a table of grades.
fn is_table_of_grades(path: &Path) -> bool {
    let mut head = vec![0; HEAD_OF_GRADES.len()];
    path.extension().is_some_and(|extension| extension == "csv")
        && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
        && fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == HEAD_OF_GRADES.as_bytes()
}

/// Restricts all files of a class, whichever version of the program made them.
pub(crate) fn keep_class(folder: &ClassFolder) -> io::Result<()> {
    let files = [
        folder.config(),
        folder.secret(),
        folder.roster(),
        folder.database(),
        folder.submissions(),
        folder.bots(),
        folder.games(),
    ];
    restrict(folder.path(), Access::Group)?;
    for path in &files {
        restrict_target(path, Access::Owner)?;
    }
    restrict_target(&folder.private(), Access::Unlisted)?;
    restrict(&folder.private().join("pages.csv"), Access::Owner)?;
    restrict_all(&folder.site(), Access::Readers)?;
    for entry in fs::read_dir(folder.private())
        .into_iter()
        .flatten()
        .flatten()
    {
        restrict(&entry.path(), Access::Readers)?;
    }
    for entry in fs::read_dir(folder.bots()).into_iter().flatten().flatten() {
        // A build is under way there.
        if !entry.file_name().to_string_lossy().starts_with('.') {
            keep_bot(&entry.path())?;
        }
    }
    for entry in fs::read_dir(folder.path())?.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_own =
            name.starts_with("class.db-") || name.starts_with('.') && name.ends_with("lock");
        if is_own || is_table_of_grades(&path) {
            restrict(&path, Access::Owner)?;
        } else if path.is_dir() && is_of_results(&path) {
            restrict_all(&path, Access::Owner)?;
        } else if path.is_dir() {
            // A teacher's folder with other files keeps them readable, and no results.
            for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
                if entry.path().join("results.json").is_file() {
                    restrict_all(&entry.path(), Access::Owner)?;
                }
            }
        }
    }
    Ok(())
}
