//! The results of reading from a pipe, or of writing to one, without waiting.

/// The result of a read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// This many bytes came.
    Bytes(usize),
    /// No bytes are there now.
    Nothing,
    /// No bytes will come any more.
    End,
}

/// The result of a write.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Took {
    /// The pipe took this many bytes.
    Bytes(usize),
    /// The pipe is full now.
    #[cfg_attr(target_os = "wasi", expect(dead_code, reason = "players take all"))]
    Nothing,
    /// The pipe will take no bytes any more.
    Closed,
}
