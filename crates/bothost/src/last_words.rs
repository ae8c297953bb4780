//! The last lines of a bot's standard error, for the reason of a forfeit.

use super::{Excerpt, HostVerdict, text};

/// The end of a Python traceback has the line number, the code and the error.
const LINES: usize = 3;

/// Returns the last lines of `log` that have letters or digits, quoted and on one line; `None` if
/// no line has any.
pub(super) fn last_words(log: &Excerpt) -> Option<String> {
    let bytes = log.parts().concat();
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.starts_with(&[HostVerdict::MARK]));
    // A line of signs alone, such as `^^^^` in a Python traceback, is useless without the line
    // above. Bytes from 128 on may be letters of any script.
    let mut last: Vec<_> = lines
        .rev()
        .filter(|line| {
            line.iter()
                .any(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
        })
        .take(LINES)
        .collect();
    last.reverse();
    let quoted: Vec<_> = last.into_iter().map(text::long_excerpt).collect();
    (!quoted.is_empty()).then(|| quoted.join(" / "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_words_of(log: &[u8]) -> Option<String> {
        let mut excerpt = Excerpt::new(4096, 4096);
        excerpt.add(log);
        last_words(&excerpt)
    }

    #[test]
    fn last_words_are_the_last_three_lines() {
        let log = [
            &b"first\n"[..],
            &[b'x'; 9000],
            b"\nlast but one\n\nlast words\n",
        ]
        .concat();
        let words = last_words_of(&log).unwrap();
        assert!(
            words.ends_with("…\" / \"last but one\" / \"last words\""),
            "{words}"
        );
    }

    #[test]
    fn letters_of_any_script_are_words() {
        let words = last_words_of("Ошибка\n^^^^\n".as_bytes()).unwrap();
        assert_eq!(words, "\"Ошибка\"");
    }

    #[test]
    fn silence_has_no_last_words() {
        assert_eq!(last_words_of(b"\n  \r\n"), None);
    }
}
