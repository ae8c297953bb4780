//! The answer of a bot.

use std::time::Duration;

/// A bot's reply.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'b> {
    /// The line it said, without its line end.
    pub line: &'b [u8],
    /// The time from the first byte of the request to the end of the reply.
    pub time: Duration,
}
