//! What comes of reading from a pipe, or of writing to one, without waiting.

/// What came through a pipe.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// So many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// Nothing ever again.
    End,
}

/// What a pipe took.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Took {
    /// So many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// Nothing ever again.
    Closed,
}
