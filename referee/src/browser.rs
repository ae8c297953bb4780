//! Opens a page in the user's browser.

use std::path::Path;

use super::note;
use arena::system;

/// Opens the page at `path`, or says that it could not be opened: the page is there all the same.
pub(super) fn open(path: &Path) {
    if !opens(path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        note(&format!(
            "no browser could be started; open {} in one",
            path.display()
        ));
    }
}

/// Opens the page at `path`, and returns whether a browser could be started.
#[must_use]
pub fn opens(path: &Path) -> bool {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    system::OPENERS
        .iter()
        .any(|opener| system::opens(opener, &path))
}
