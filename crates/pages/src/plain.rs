//! Text of several lines, for terminals and for files that people look at there.

use bothost::text;

/// Returns text in which each line is fit to be shown, as [`text::shown`] makes it. Line ends stay.
#[must_use]
pub fn plain(text: &[u8]) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (words, end) = match line.strip_suffix(b"\n") {
            Some(words) => (words.strip_suffix(b"\r").unwrap_or(words), "\n"),
            None => (line, ""),
        };
        plain.push_str(&text::shown(words));
        plain.push_str(end);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cannot_steer_a_terminal() {
        assert_eq!(
            plain(b"one\r\n\x1b[2Jtwo\n\nthr\xffee"),
            "one\n\\u{1b}[2Jtwo\n\nthr\\xffee"
        );
        assert_eq!(plain("a\rb\u{202e}\n".as_bytes()), "a\\rb\\u{202e}\n");
        assert_eq!(plain(b""), "");
    }
}
