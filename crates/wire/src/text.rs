//! Escapes text from outside: on terminals, in records, in reasons. The one place for it, so that
//! no way out is forgotten.

/// The longest name that is shown, in characters.
const MAX_NAME: usize = 64;

/// The longest excerpt of a line that is shown, in characters.
const MAX_EXCERPT: usize = 80;

/// The longest excerpt of an explanation, in characters: the last line of most tracebacks fits.
const MAX_LONG_EXCERPT: usize = 240;

/// Returns `bytes` as text on one line that can neither control a terminal nor hide what is there:
/// control characters, bytes that are not UTF-8, and invisible or direction-changing characters are
/// escaped as Rust writes them. A backslash is left alone, so that Windows paths stay readable; the
/// result is for people and is not meant to be parsed.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    escaped(bytes, steers)
}

/// Returns a line from a bot as [`shown`] does, and each character that is not ASCII as its code: a
/// no-break space and letters of other scripts look right where only ASCII is. Names, authors and
/// comments may have any characters.
#[must_use]
pub fn reply(line: &[u8]) -> String {
    let texts: [&[u8]; 3] = [b"#", b"name ", b"author "];
    if texts.iter().any(|word| line.starts_with(word)) {
        return shown(line);
    }
    escaped(line, |character| !character.is_ascii() || steers(character))
}

fn escaped(bytes: &[u8], is_escaped: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if is_escaped(character) {
                shown.extend(character.escape_default());
            } else {
                shown.push(character);
            }
        }
        for byte in chunk.invalid() {
            shown.extend(byte.escape_ascii().map(char::from));
        }
    }
    shown
}

/// Returns whether a character could control a terminal, or hide itself or its neighbours from a
/// reader.
#[must_use]
pub fn steers(character: char) -> bool {
    // Control characters: C0 with ESC and line ends, DEL, and C1, whose U+009B begins an escape
    // sequence in one character. Then, in order: soft hyphen; Arabic letter mark; Mongolian vowel
    // separator; zero-width characters and direction marks; line and paragraph separators and
    // embedded directions ("Trojan Source", CVE-2021-42574); invisible operators and isolated
    // directions; byte-order mark; interlinear annotations; tags. The four before the direction
    // marks are letters by Unicode, of Hangul, that nothing is drawn for.
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns a short quotation of a line from a bot: as [`reply`] has it, cut to 80 characters, in
/// quotation marks.
#[must_use]
pub fn excerpt(line: &[u8]) -> String {
    format!("\"{}\"", cut(&reply(line), MAX_EXCERPT))
}

/// Returns a quotation of an explanation, whose point may be at its end: shown, cut to 240
/// characters, in quotation marks.
#[must_use]
pub fn long_excerpt(line: &[u8]) -> String {
    format!("\"{}\"", cut(&shown(line), MAX_LONG_EXCERPT))
}

/// Returns an explanation that may repeat what it is about: shown, cut to 160 characters.
#[must_use]
pub fn shortened(text: &str) -> String {
    cut(&shown(text.as_bytes()), 2 * MAX_EXCERPT)
}

/// Returns a player's name: shown, without spaces around it, cut to 64 characters.
#[must_use]
pub fn name(name: &str) -> String {
    cut(shown(name.as_bytes()).trim(), MAX_NAME)
}

/// Returns at most `length` characters of `text`, with an ellipsis if there are more.
#[must_use]
pub fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        // By characters and not bytes: a cut within a character would panic.
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_escaped() {
        assert_eq!(
            shown("Popeye's Ärger \\ 鯨".as_bytes()),
            "Popeye's Ärger \\ 鯨"
        );
        assert_eq!(
            shown(b"\x1b[2J\x07\r\n\t\0"),
            "\\u{1b}[2J\\u{7}\\r\\n\\t\\u{0}"
        );
        assert_eq!(
            shown("\u{9b}31m\u{202e}\u{200b}".as_bytes()),
            "\\u{9b}31m\\u{202e}\\u{200b}"
        );
        assert_eq!(shown(b"a\xff\xc3"), "a\\xff\\xc3");
    }

    #[test]
    fn replies_are_ascii_but_for_names_and_comments() {
        assert_eq!(
            reply("\u{430}ttack\u{a0}\u{ff13} 4".as_bytes()),
            "\\u{430}ttack\\u{a0}\\u{ff13} 4"
        );
        for text in ["name \u{c4}rger", "author \u{9be8}", "# a\u{a0}b"] {
            assert_eq!(reply(text.as_bytes()), text);
        }
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(excerpt(b"fire 3 4"), "\"fire 3 4\"");
        assert_eq!(excerpt(&[b'x'; 100]), format!("\"{}…\"", "x".repeat(80)));
        assert_eq!(
            name(&format!(" {} ", "é".repeat(65))),
            format!("{}…", "é".repeat(64))
        );
    }
}
