//! Files with pages: replaced as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rand::TryRng;
use rand::rngs::SysRng;

use super::{Output, OutputError};
use crate::system;

/// The beginning of the referee's pages and of no other file, up to its version.
const BEGINNING: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                         <meta name=\"generator\" content=\"referee ";

/// The number of names that are tried for the file beside.
const ATTEMPTS: u32 = 8;

/// Writes `page` to the file that `option` names. A page that the referee has made before is replaced, another file only
/// with `force`. At no moment does the file have only a part of a page: it is written beside and renamed.
///
/// # Errors
/// If the file is another one, or cannot be written.
pub fn write_page(
    option: &'static str,
    path: &Path,
    force: bool,
    page: &str,
) -> Result<(), OutputError> {
    let output = page_output(option, path, force);
    output.check()?;
    // Something else than a file, such as a device, has nothing that could be replaced.
    let written = if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        output.create()?.write_all(page.as_bytes())
    } else {
        replace(path, page)
    };
    written.map_err(|error| output.failed(error))
}

/// Returns the file of a page: a page that the referee has made before may be replaced.
#[must_use]
pub fn page_output<'p>(option: &'static str, path: &'p Path, force: bool) -> Output<'p> {
    Output {
        option,
        path,
        force: force || is_own_page(path),
    }
}

fn replace(path: &Path, page: &str) -> io::Result<()> {
    // A link is followed, so that the page behind it is replaced and not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (beside, mut file) = create_beside(&path)?;
    // Files of a page have none.
    let there = fs::metadata(&path)
        .ok()
        .filter(|_| cfg!(not(target_os = "wasi")));
    let written = file
        .write_all(page.as_bytes())
        // The permissions stay as they were.
        .and_then(|()| there.map_or(Ok(()), |there| file.set_permissions(there.permissions())))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Makes a file in the same folder, since only there a rename is one step. It is new, and its name cannot be known before: in a
/// folder that others write to, a link of that name could lead elsewhere.
pub(super) fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
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

/// Returns whether the file at `path` is a page that the referee has made.
fn is_own_page(path: &Path) -> bool {
    // To open a pipe would wait for its writer.
    if !fs::metadata(path).is_ok_and(|there| there.is_file()) {
        return false;
    }
    let mut beginning = Vec::new();
    let length = BEGINNING.len() as u64;
    let read = File::open(path).and_then(|file| file.take(length).read_to_end(&mut beginning));
    read.is_ok() && beginning == BEGINNING.as_bytes()
}

/// Returns whether two paths lead to one file, which need not exist yet.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        fs::canonicalize(path).or_else(|_| {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
            Ok::<_, io::Error>(folder.join(path.file_name().unwrap_or_default()))
        })
    };
    match (place(one), place(other)) {
        (Ok(one), Ok(other)) => one == other || system::are_links_to_one(&one, &other),
        (_, _) => one == other,
    }
}
