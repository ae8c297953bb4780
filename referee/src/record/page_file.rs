//! Files with pages: replaced as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::{Output, OutputError};

/// How the pages of the referee begin to differ from others, within [`LOOK`] bytes.
const MARK: &str = "<meta name=\"generator\" content=\"referee ";

/// So much of an existing file is looked at.
const LOOK: u64 = 4096;

/// Writes `page` to the file that `option` names. A page that the referee has made before is replaced, another file only
/// with `force`. At no moment does the file have only a part of a page: it is written beside and renamed.
///
/// # Errors
/// If the file is another one, or cannot be written.
pub(crate) fn write_page(
    option: &'static str,
    path: &Path,
    force: bool,
    page: &str,
) -> Result<(), OutputError> {
    let output = Output { option, path, force: force || is_own_page(path) };
    output.check()?;
    // What is no file, such as a device, has nothing that could be replaced.
    let written = if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        output.create()?.write_all(page.as_bytes())
    } else {
        replace(path, page)
    };
    written.map_err(|error| output.failed(error))
}

fn replace(path: &Path, page: &str) -> io::Result<()> {
    // A link is followed, so that the page behind it is replaced and not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&path);
    let written = File::create(&beside)
        .and_then(|mut file| file.write_all(page.as_bytes()))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Returns a name in the same folder, since only there a rename is one step; with the number of this process, so that two
/// do not write to one file.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Returns whether the file at `path` is a page that the referee has made.
fn is_own_page(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LOOK).read_to_end(&mut beginning));
    read.is_ok() && String::from_utf8_lossy(&beginning).contains(MARK)
}
