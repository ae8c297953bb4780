//! Command lines as people type them on Windows, where a backslash is part of a path.

/// Splits a command line into words at white space. Text in quotation marks, and in apostrophes
/// that begin a word or follow `=` or `@`, is one word; `\"` is a quotation mark, and any other
/// backslash is itself. Returns `None` if a quotation has no end.
#[must_use]
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            _ if letter.is_whitespace() => words.extend(word.take()),
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '"' => break,
                        '\\' if letters.next_if_eq(&'"').is_some() => word.push('"'),
                        letter => word.push(letter),
                    }
                }
            }
            // Within a name it is part of it.
            '\'' if word.as_ref().is_none_or(|word| word.ends_with(['=', '@'])) => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '\'' => break,
                        letter => word.push(letter),
                    }
                }
            }
            '\\' if letters.next_if_eq(&'"').is_some() => word.get_or_insert_default().push('"'),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Some(words)
}

/// Returns a word such that it is split off as it is here, and by the shells of Windows as far as
/// they can: they replace `%NAME%` and `$name` within quotation marks too.
#[must_use]
pub fn quoted_word(word: &str) -> String {
    if !word.is_empty()
        && word
            .chars()
            .all(|letter| letter.is_alphanumeric() || "-_.,:@/\\=+".contains(letter))
    {
        return word.to_owned();
    }
    // A backslash before the last mark would take its meaning away.
    let word = word.replace('"', "\\\"");
    match word.strip_suffix('\\') {
        Some(front) => format!("\"{front}\"\\"),
        None => format!("\"{word}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_are_part_of_paths() {
        for (text, words) in [
            (r"python C:\bots\my.py", &["python", r"C:\bots\my.py"][..]),
            (
                r#""C:\Program Files\bot.exe" -q"#,
                &[r"C:\Program Files\bot.exe", "-q"],
            ),
            (r"'awful 2=awful'", &["awful 2=awful"]),
            (r#"ann="my bot.exe""#, &["ann=my bot.exe"]),
            (
                r"ann@'my bots'='my bot.exe' -q",
                &["ann@my bots=my bot.exe", "-q"],
            ),
            (r"it's.exe a", &["it's.exe", "a"]),
            (r#"say \"hi\""#, &["say", r#""hi""#]),
            ("  a\t b ", &["a", "b"]),
            (r#"a "" b"#, &["a", "", "b"]),
            ("", &[]),
        ] {
            assert_eq!(split_words(text).unwrap(), words, "{text}");
        }
        assert_eq!(split_words(r#"a "b"#), None);
        assert_eq!(split_words("'a b"), None);
    }

    #[test]
    fn quoted_words_are_split_off_as_they_are() {
        let words = [
            "a", r"C:\a b\", r"C:\a\", "", "a\"b", "it's", "a'b c", "x=y z", "%PATH%", "'a'",
        ];
        for word in words {
            let quoted = quoted_word(word);
            assert_eq!(split_words(&quoted).unwrap(), [word], "{quoted}");
        }
    }
}
