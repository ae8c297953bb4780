//! The results of reading from a pipe, of writing to one, and of waiting for several.

/// The result of a read that does not wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// This many bytes came.
    Bytes(usize),
    /// No bytes are there now.
    Nothing,
    /// No bytes will come any more.
    End,
}

/// The result of a write that does not wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// The pipe took this many bytes.
    Bytes(usize),
    /// The pipe is full now.
    #[allow(dead_code, reason = "the players of a page take all")]
    Nothing,
    /// The pipe will take no bytes any more.
    Closed,
}

/// What may have happened since the wait for a bot began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ready {
    /// The pipe to the asked bot takes more.
    pub(crate) writable: bool,
    /// The asked bot has said something, or has closed its output.
    pub(crate) readable: bool,
    /// The asked bot's process has ended.
    pub(crate) ended: bool,
    /// One of the bots has written to standard error.
    pub(crate) stderr: bool,
}
