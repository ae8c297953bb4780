//! The lines that a bot is sent, as far as their sender has to know them.

use std::fmt;

/// A line for a bot, without its line end, as its [`fmt::Display`] writes it.
///
/// A plain `&'static str` is one; the referee of a game with many kinds of lines has a type for them.
pub trait Message: fmt::Display {
    /// Returns the word by which a a fault names the line, as in "no reply to attack within 5 s".
    fn word(&self) -> &'static str;

    /// Returns whether the line ends with text of any words, so that no other words may follow them.
    fn ends_with_text(&self) -> bool {
        false
    }
}

/// The first word of the line names it.
impl Message for &'static str {
    fn word(&self) -> &'static str {
        self.split(' ').next().unwrap_or(self)
    }
}
