//! The lengths of texts that come from authors of bots, which can be of any length.

/// The most characters of a name that a message quotes.
const LONGEST_NAME: usize = 200;

/// Returns the first 200 characters of `text`, with an ellipsis if there are more.
#[must_use]
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns `name` in quotation marks as Rust writes them, cut to 200 characters.
#[must_use]
pub fn quoted(name: &str) -> String {
    // Escapes are longer than what they stand for, so the result is what is cut.
    let quoted = format!("{name:?}");
    let short = cut(&quoted);
    if short.len() == quoted.len() {
        quoted
    } else {
        short + "\""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_after_they_are_escaped() {
        assert_eq!(quoted("it's"), "\"it's\"");
        let long = quoted(&"\u{1b}".repeat(300));
        assert_eq!(long.chars().count(), LONGEST_NAME + 2);
        assert!(
            long.starts_with("\"\\u{1b}\\u{1b}") && long.ends_with("…\""),
            "{long}"
        );
        assert_eq!(cut(&"é".repeat(201)), format!("{}…", "é".repeat(200)));
    }
}
