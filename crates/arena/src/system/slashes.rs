//! Command lines as a shell takes them, and paths with slashes: where Windows is not.

use std::borrow::Cow;

/// Splits a command line into words as a shell does. Returns `None` if a quotation has no end.
#[must_use]
pub fn split_words(text: &str) -> Option<Vec<String>> {
    shlex::split(text)
}

/// Returns a word as a shell takes it.
pub fn quoted_word(word: &str) -> String {
    // Only a NUL cannot be quoted, and no argument has one.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Cow::into_owned)
}

/// Returns whether a word has more than one part of a path.
#[must_use]
pub fn is_path(word: &str) -> bool {
    word.contains('/')
}

/// The separator of the folders of a class path.
pub const BETWEEN_FOLDERS: char = ':';

/// Returns a path as every system can name it, with slashes.
#[must_use]
pub fn with_slashes(path: &str) -> String {
    path.to_owned()
}
