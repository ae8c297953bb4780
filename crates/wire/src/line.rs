//! A line of the protocol: how long it may be, and how it is read word by word.

use std::str::FromStr;

use thiserror::Error;

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The longest line, in bytes, without its line end.
pub const MAX_LINE: usize = 4096;

/// The reason why a line is not one of the protocol's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MalformedLine {
    /// The line has no words.
    #[error("the line is empty")]
    Empty,
    /// The line is not UTF-8; the offset of the first wrong byte.
    #[error("byte {0} of the line is not UTF-8")]
    NotUtf8(usize),
    /// The first word is none of the protocol's.
    #[error("unknown command")]
    UnknownCommand,
    /// The line ends where another word is expected.
    #[error("the line ends too early")]
    TooFewWords,
    /// Words follow where the line should end.
    #[error("too many words")]
    TooManyWords,
    /// There are two spaces in a row, or one at an end of the line.
    #[error("a space too many")]
    Spaces,
    /// A word that should be a whole number is not one, is out of range, or has a form like `+7` or
    /// `007`.
    #[error("\"{}\" is not a plain whole number of 32 bits", .0.escape_default())]
    Number(String),
    /// A word is not one of those that are expected there.
    #[error("unexpected word \"{}\"", .0.escape_default())]
    Word(String),
}

/// The line without its line end: one LF, and one CR before it, are dropped.
#[must_use]
pub fn strip_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Reads a line word by word.
#[derive(Clone, Debug)]
pub struct Words<'l> {
    /// The rest of the line behind the words read so far, without the space before it; `None` once
    /// the line has ended.
    rest: Option<&'l str>,
}

impl<'l> Words<'l> {
    /// The first word of `line`, which names the command, and the words behind it. The end of the
    /// line has been stripped.
    ///
    /// # Errors
    /// If the line is empty, not UTF-8, or begins with a space.
    pub fn of(line: &'l [u8]) -> Result<(&'l str, Words<'l>), MalformedLine> {
        let mut words = Words::all_of(line)?;
        let command = words.word()?;
        Ok((command, words))
    }

    /// All words of `text`.
    ///
    /// # Errors
    /// If it is empty or not UTF-8.
    pub fn all_of(text: &'l [u8]) -> Result<Words<'l>, MalformedLine> {
        let text =
            str::from_utf8(text).map_err(|error| MalformedLine::NotUtf8(error.valid_up_to()))?;
        if text.is_empty() {
            Err(MalformedLine::Empty)
        } else {
            Ok(Words { rest: Some(text) })
        }
    }

    /// The next word.
    ///
    /// # Errors
    /// If there is none, or one space too many.
    pub fn word(&mut self) -> Result<&'l str, MalformedLine> {
        let rest = self.rest.ok_or(MalformedLine::TooFewWords)?;
        // Words have a few letters: the search for a character that `str` has is made for long
        // texts.
        let end = rest.bytes().position(|byte| byte == b' ');
        let word = &rest[..end.unwrap_or(rest.len())];
        self.rest = end.map(|end| &rest[end + 1..]);
        if word.is_empty() {
            Err(MalformedLine::Spaces)
        } else {
            Ok(word)
        }
    }

    /// A whole number in the only form it is printed in: no plus sign, no leading zeros, no minus
    /// zero.
    ///
    /// # Errors
    /// If there is no word, or another.
    pub fn number<N: FromStr>(&mut self) -> Result<N, MalformedLine> {
        number(self.word()?)
    }

    /// A word that is a single character.
    ///
    /// # Errors
    /// If there is no word, or a longer one.
    pub fn character(&mut self) -> Result<char, MalformedLine> {
        let word = self.word()?;
        let mut characters = word.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok(character),
            _ => Err(MalformedLine::Word(word.to_owned())),
        }
    }

    /// Everything up to the end of the line, which may have any characters.
    ///
    /// # Errors
    /// If there is nothing.
    pub fn text(&mut self) -> Result<&'l str, MalformedLine> {
        self.rest
            .take()
            .filter(|text| !text.is_empty())
            .ok_or(MalformedLine::TooFewWords)
    }

    /// Whether all words have been read.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.rest.is_none()
    }

    /// Checks that all words have been read.
    ///
    /// # Errors
    /// If there are more.
    pub fn end(self) -> Result<(), MalformedLine> {
        match self.rest {
            None => Ok(()),
            Some(rest) if rest.trim_matches(' ').is_empty() => Err(MalformedLine::Spaces),
            Some(_) => Err(MalformedLine::TooManyWords),
        }
    }
}

/// The whole number that `word` is, in the only form it is printed in.
///
/// # Errors
/// If it has another form, or does not fit.
pub fn number<N: FromStr>(word: &str) -> Result<N, MalformedLine> {
    // One form for each number, so that a line which is read and printed again stays the same.
    let digits = word.strip_prefix('-').unwrap_or(word).as_bytes();
    let is_plain = match digits.first() {
        Some(b'0') => word == "0",
        Some(_) => digits.iter().all(u8::is_ascii_digit),
        None => false,
    };
    let number = if is_plain { word.parse().ok() } else { None };
    number.ok_or_else(|| MalformedLine::Number(word.to_owned()))
}
