//! Judgements of texts and tables, which print what they have judged.

/// The text has these words.
#[track_caller]
pub fn has(text: &str, words: &str) {
    assert!(text.contains(words), "no {words:?} in:\n{text}");
}

/// The text does not have these words.
#[track_caller]
pub fn lacks(text: &str, words: &str) {
    assert!(!text.contains(words), "{words:?} in:\n{text}");
}

/// The text ends with these words.
#[track_caller]
pub fn ends(text: &str, words: &str) {
    assert!(text.ends_with(words), "no {words:?} at the end of:\n{text}");
}

/// No row of a table is wrong: else all of them are printed.
#[track_caller]
pub fn all_are_right(wrong: &[String]) {
    let count = wrong.len();
    assert!(count == 0, "{count} rows are wrong:\n{}", wrong.join("\n"));
}
