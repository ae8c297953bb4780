//! Files with pages: replaced as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{Output, OutputError};
use crate::system;

/// The beginning of the referee's pages and of no other file, up to its version.
const BEGINNING: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                         <meta name=\"generator\" content=\"referee ";

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
    output.write(page.as_bytes())
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
