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

/// Opens the page at `path`, and returns whether a browser could be started: one of those that the
/// variable BROWSER names, or else that of the system.
#[must_use]
pub fn opens(path: &Path) -> bool {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let chosen = std::env::var("BROWSER").unwrap_or_default();
    let mut chosen = chosen.split(':').filter_map(system::split_words);
    let is_opened = chosen.any(|words| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        !words.is_empty() && system::opens(&words, &path)
    });
    is_opened
        || system::OPENERS
            .iter()
            .any(|opener| system::opens(opener, &path))
}
