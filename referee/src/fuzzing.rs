//! The reader of settings files, for fuzz targets. Not part of the stable interface.

/// The way in which a settings file is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `referee.toml` in the current folder, which may have sections only.
    CurrentFolder,
    /// A file of `--config`.
    CommandLine,
}

/// Returns the names and values of the options in a settings file. A player has an empty name.
/// Options of [`Source::CurrentFolder`] are also read by the grammar of the command line, whose
/// refusal is no fault of the file's syntax and is not returned.
///
/// # Errors
/// The line and the message of the first fault.
pub fn options(text: &str, source: Source) -> Result<Vec<(String, String)>, (usize, String)> {
    crate::words::options(text, source == Source::CurrentFolder)
}
