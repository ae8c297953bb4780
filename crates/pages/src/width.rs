//! The width of a table, and text that fits.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use arena::system;
use textwrap::{Options, WordSplitter};
use unicode_width::UnicodeWidthStr;

/// The number of columns of a terminal that a line may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(pub(super) usize);

impl Width {
    /// The width of a terminal of old, and of most windows that open beside another one.
    pub const USUAL: Width = Width(80);

    /// Returns the width for standard output: that of its terminal, at least 80, and 80 without
    /// one.
    #[must_use]
    pub fn of_output() -> Width {
        let out = io::stdout();
        let terminal: Option<usize> = if out.is_terminal() {
            system::terminal_size(&out).map(|(columns, _)| columns.into())
        } else {
            None
        };
        Width(terminal.unwrap_or_default().max(Width::USUAL.0))
    }

    /// Returns the width for standard error: that of its terminal; `None` without one.
    #[must_use]
    pub fn of_errors() -> Option<Width> {
        let out = io::stderr();
        if !out.is_terminal() {
            return None;
        }
        let (columns, _) = system::terminal_size(&out)?;
        (columns > 0).then(|| Width(columns.into()))
    }

    /// Returns a message with line ends between words where its lines do not fit. A command of the
    /// referee at the end of a line stays in one piece, so that it can be copied.
    #[must_use]
    pub fn wrap_message(self, message: &str) -> String {
        let options = Options::new(self.0).break_words(false);
        let options = options.word_splitter(WordSplitter::NoHyphenation);
        let lines = message.lines().flat_map(|line| {
            if self.fits(columns_of(line)) {
                return vec![line.to_owned()];
            }
            let (text, command) = match line.find(": referee ") {
                Some(at) => (&line[..=at], Some(&line[at + 2..])),
                None => (line, None),
            };
            let wrapped = textwrap::wrap(text, &options).into_iter();
            let command = command.map(|command| format!("  {command}"));
            wrapped.map(Cow::into_owned).chain(command).collect()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns whether a line of this width fits.
    pub(super) fn fits(self, columns: usize) -> bool {
        columns <= self.0
    }

    /// Returns `text` as lines that fit; all but the first are indented. A word that is longer than
    /// a line is cut.
    pub(super) fn wrap(self, text: &str) -> Vec<String> {
        let options = Options::new(self.0).subsequent_indent("  ");
        let options = options.word_splitter(WordSplitter::NoHyphenation);
        textwrap::wrap(text, options)
            .into_iter()
            .map(Cow::into_owned)
            .collect()
    }
}

/// Returns how many columns of a terminal `text` takes: wide characters take two.
pub(super) fn columns_of(text: &str) -> usize {
    text.width()
}

/// Returns `text` if it fits `columns`, else as much of it as does, with an ellipsis.
pub(super) fn cut_to(text: &str, columns: usize) -> String {
    if columns_of(text) <= columns {
        return text.to_owned();
    }
    // A text may take fewer columns than its characters one by one, as an emoji of several, so
    // beginnings are measured as a whole. Halving the choice keeps that quick for long texts, of
    // which mostly little fits.
    let ends: Vec<_> = text.char_indices().map(|(end, _)| end).collect();
    let fitting = ends.partition_point(|&end| columns_of(&text[..end]) < columns);
    fitting
        .checked_sub(1)
        .map_or_else(String::new, |last| format!("{}…", &text[..ends[last]]))
}

/// Returns `text` with spaces behind it up to `columns`.
pub(super) fn padded(text: &str, columns: usize) -> String {
    format!(
        "{text}{}",
        " ".repeat(columns.saturating_sub(columns_of(text)))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_its_columns() {
        for (text, columns, expected) in [
            ("mediocre", 8, "mediocre"),
            ("mediocre", 7, "medioc…"),
            ("鯨の艦隊", 8, "鯨の艦隊"),
            ("鯨の艦隊", 7, "鯨の艦…"),
            ("鯨の艦隊", 6, "鯨の…"),
            ("🚢🚢🚢", 4, "🚢…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("👩\u{200d}🚀👩\u{200d}🚀", 3, "👩\u{200d}🚀…"),
            ("ab", 0, ""),
            ("ab", 1, "…"),
        ] {
            assert_eq!(cut_to(text, columns), expected);
            assert!(
                columns_of(&padded(&cut_to(text, columns), columns)) == columns || columns == 0
            );
        }
    }

    #[test]
    fn a_very_long_text_is_cut_at_once() {
        assert_eq!(
            cut_to(&"x".repeat(10_000_000), 80),
            format!("{}…", "x".repeat(79))
        );
    }

    #[test]
    fn messages_are_broken_between_words() {
        for (message, expected) in [
            ("one two three", "one two three"),
            ("one two three four", "one two three\nfour"),
            (
                "extraordinary_long\n  in a list",
                "extraordinary_long\n  in a list",
            ),
            (
                "write this or that: referee play 'a b' good",
                "write this or\nthat:\n  referee play 'a b' good",
            ),
            ("try: referee a", "try: referee a"),
        ] {
            assert_eq!(Width(14).wrap_message(message), expected);
        }
    }

    #[test]
    fn sentences_are_broken_between_words() {
        let lines = Width(12).wrap("one two three four extraordinary_long");
        assert_eq!(
            lines,
            ["one two", "  three four", "  extraordin", "  ary_long"]
        );
    }
}
