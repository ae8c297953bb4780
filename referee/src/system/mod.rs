//! What differs between operating systems: each of them has a file with the same functions. Processes of bots are
//! `bothost`'s.

#[cfg(any(windows, test))]
mod quotation;
#[cfg(unix)]
mod stack;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use self::unix::*;
#[cfg(windows)]
pub(crate) use self::windows::*;

/// Returns `words` as a command line that is split into them.
pub(crate) fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quoted_word(word)).collect::<Vec<_>>().join(" ")
}

/// What a process may have; `None` is any amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of stack.
    pub(crate) stack: Option<u64>,
    pub(crate) open_files: Option<u64>,
    /// What the limit of open files can be raised to.
    pub(crate) most_open_files: Option<u64>,
    /// Processes of this user.
    pub(crate) processes: Option<u64>,
}

/// A key with a meaning, for someone who looks at pictures one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// Pause or continue: space.
    Pause,
    /// The next picture: right arrow.
    Next,
    /// The one before: left arrow.
    Back,
    /// No more: q.
    Leave,
}

/// What a wait for a key ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    Key(Key),
    /// Only keys that mean nothing here.
    Unknown,
    /// The patience is over.
    Nothing,
    Interrupted,
}
