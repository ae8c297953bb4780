//! Command lines as a shell takes them, and paths with slashes: where Windows is not.

use std::borrow::Cow;

/// Splits a command line into words as a shell does. Returns `None` if a quotation has no end.
#[must_use]
pub fn split_words(text: &str) -> Option<Vec<String>> {
    // A command is no script: `#` begins an argument there, and a comment for the library.
    let stand_in = ('\u{e000}'..'\u{f8ff}').find(|sign| !text.contains(*sign))?;
    let words = shlex::split(&text.replace('#', &stand_in.to_string()))?;
    Some(
        words
            .into_iter()
            .map(|word| word.replace(stand_in, "#"))
            .collect(),
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_sign_begins_no_comment() {
        let words = split_words("python3 bot.py #7 --depth '# 5' x#y").unwrap();
        assert_eq!(words, ["python3", "bot.py", "#7", "--depth", "# 5", "x#y"]);
        assert_eq!(split_words(&quoted_word("#7")).unwrap(), ["#7"]);
        assert_eq!(split_words("'#"), None);
    }
}
