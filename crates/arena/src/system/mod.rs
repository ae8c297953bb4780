//! The differences between operating systems: each of them has a file with the same functions.
//! Processes of bots are `bothost`'s.

#[cfg(any(windows, test))]
#[cfg_attr(not(windows), allow(unreachable_pub, reason = "only Windows has them"))]
mod quotation;
#[cfg(not(windows))]
mod slashes;
#[cfg(unix)]
mod stack;
#[cfg(unix)]
mod unix;
#[cfg(target_os = "wasi")]
mod wasi;
#[cfg(windows)]
mod windows;

use std::io;

#[cfg(unix)]
pub use self::unix::*;
#[cfg(target_os = "wasi")]
pub use self::wasi::*;
#[cfg(windows)]
pub use self::windows::*;

/// Returns `words` as a command line that is split into them.
#[must_use]
pub fn quoted(words: &[String]) -> String {
    words
        .iter()
        .map(|word| quoted_word(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the result of waiting until a file is on the disk. Pipes, terminals and some network file
/// systems have nothing to wait for and refuse the call, which is no failure.
///
/// # Errors
/// If the file cannot be written to the disk.
pub fn synced(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        result => result,
    }
}

/// Returns whether the terminal says that it understands no escapes.
#[must_use]
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|kind| kind == "dumb")
}
