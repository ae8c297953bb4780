//! The one rule for files that are written: nothing that exists is overwritten, unless that is asked for.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::contest::CONTEST_FORMAT;
use super::gzip::is_zstd_name;
use super::{FORMAT, RecordError, RecordReader, Replacement, SERIES_FORMAT};
use crate::system;
use bothost::text;

/// A file that is to be written, and the option that names it.
#[derive(Clone, Copy, Debug)]
pub struct Output<'p> {
    /// The option, as in `--out`; empty for a file that an argument names.
    pub option: &'static str,
    /// The path.
    pub path: &'p Path,
    /// Whether to replace a file that is there.
    pub force: bool,
}

/// The file that is written: the one that is there, or one that takes its place. In a page a file cannot be opened twice, so it is
/// not cloned where nobody else needs it.
enum Place {
    There(File),
    Beside(Replacement),
}

/// The reason why a file is not written; what, where, and how to fix it.
#[derive(Debug, Error)]
pub enum OutputError {
    /// It has something already.
    #[error(
        "{file} exists, and files are not overwritten; name another file, or replace this one with --force"
    )]
    Exists {
        /// The option and the path.
        file: String,
    },
    /// It has the record of a contest, to which no game of its own may be appended.
    #[error(
        "{file} is the record of a contest, which could not continue behind a game of its own; name another file"
    )]
    OfContest {
        /// The option and the path.
        file: String,
    },
    /// It has something that is not a record of games.
    #[error(
        "{file} exists and is not a record of games; name another file, or replace this \
         one with --force"
    )]
    NoRecord {
        /// The option and the path.
        file: String,
    },
    /// It is not a file.
    #[error("{file} is {kind}, not a file; name a file")]
    Kind {
        /// The option and the path.
        file: String,
        /// Its kind, with an article.
        kind: &'static str,
    },
    /// A standard stream of this process leads to it too.
    #[error(
        "{file} is also the standard input or output of this command, which would mix with it; name another file"
    )]
    Stream {
        /// The option and the path.
        file: String,
    },
    /// Its name is that of a file that zstd compresses.
    #[error(
        "{file}: records are compressed by gzip, not by zstd: end the name in .gz, and unpack an earlier record \
         with `zstd -d`"
    )]
    Zstd {
        /// The option and the path.
        file: String,
    },
    /// A folder for new files has something.
    #[error(
        "{option}the folder {folder} is not empty; name a new one, since nothing is overwritten without --force"
    )]
    NotEmpty {
        /// The option, with a colon.
        option: String,
        /// The path.
        folder: String,
    },
    /// There is something else where a folder should be.
    #[error("{option}{path} is not a folder")]
    NoFolder {
        /// The option, with a colon.
        option: String,
        /// The path.
        path: String,
    },
    /// The operating system does not let it be used.
    #[error("{file}: {error}{}", advice(.error))]
    Io {
        /// The option and the path.
        file: String,
        /// The operating system's message.
        error: io::Error,
    },
}

/// Returns how to fix `error`, to be shown behind it: nothing if that is not known.
#[must_use]
pub fn advice(error: &io::Error) -> &'static str {
    let advice = [
        (io::ErrorKind::StorageFull, "; make room on the disk"),
        (io::ErrorKind::QuotaExceeded, "; make room on the disk"),
        (
            io::ErrorKind::FileTooLarge,
            "; raise the limit of file sizes (ulimit -f)",
        ),
        (io::ErrorKind::NotFound, "; make its folder first"),
    ];
    let found = advice.into_iter().find(|(kind, _)| *kind == error.kind());
    found.map_or("", |(_, advice)| advice)
}

impl Output<'_> {
    /// Opens a new file, or what [`Output::check_writable`] finds, for writing. A file that has something is replaced by what is
    /// returned with it, once that is [published](Replacement::publish).
    ///
    /// # Errors
    /// If it exists, is something else than a file, or cannot be opened.
    pub fn create(&self) -> Result<(File, Option<Replacement>), OutputError> {
        if !self.path.exists() {
            let file = self.open(OpenOptions::new().write(true).create(true))?;
            return Ok((file, None));
        }
        match self.place()? {
            Place::There(file) => Ok((file, None)),
            Place::Beside(replacement) => {
                let file = replacement.file.try_clone();
                Ok((file.map_err(|error| self.failed(error))?, Some(replacement)))
            }
        }
    }

    /// Writes `bytes` as the whole file. At no moment has it a part of them. The null device, a terminal and this process's own
    /// streams are written as they are.
    ///
    /// # Errors
    /// As for [`Output::create`], or if it cannot be written.
    pub fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        let written = match self.place()? {
            Place::There(mut file) => file.write_all(bytes),
            Place::Beside(mut replacement) => {
                let written = replacement.file.write_all(bytes);
                written.and_then(|()| replacement.publish().map(drop))
            }
        };
        written.map_err(|error| self.failed(error))
    }

    /// Checks whether it may be written, and leaves it as it is.
    ///
    /// # Errors
    /// If it exists, or is something else than a file.
    pub fn check(&self) -> Result<(), OutputError> {
        if self.is_filled()? && !self.force {
            return Err(OutputError::Exists { file: self.shown() });
        }
        Ok(())
    }

    /// As [`Output::check`]; and that it can be opened, or made in its folder.
    ///
    /// # Errors
    /// As [`Output::check`], or if it cannot.
    pub fn check_writable(&self) -> Result<(), OutputError> {
        self.place().map(drop)
    }

    /// Opens what is written: a stream or an empty file, which have nothing to lose, as they are, else a replacement.
    fn place(&self) -> Result<Place, OutputError> {
        self.check()?;
        if fs::metadata(self.path).is_ok_and(|there| !has_bytes(&there)) {
            let file = self.open(OpenOptions::new().write(true))?;
            return Ok(Place::There(file));
        }
        let replacement = Replacement::of(self.path).map_err(|error| self.failed(error))?;
        Ok(Place::Beside(replacement))
    }

    /// Returns whether a file is there that is not empty.
    #[must_use]
    pub fn has_text(&self) -> bool {
        fs::metadata(self.path).is_ok_and(|there| has_bytes(&there))
    }

    /// Checks that a game can be appended: to a new file, or to a record of single games; or with `force` that a file can be
    /// replaced. Makes a new file, so that one that cannot be written is known before the game.
    ///
    /// # Errors
    /// If it is something else, or cannot be opened.
    pub fn prepare_append(&self) -> Result<(), OutputError> {
        self.check_compression()?;
        if self.is_filled()? {
            if self.force {
                return self.check_writable();
            }
            self.check_games()?;
        }
        self.append().map(drop)
    }

    /// Opens the file to append to it.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn append(&self) -> Result<File, OutputError> {
        let readable = self.open(OpenOptions::new().read(true).append(true).create(true));
        // A pipe or a terminal may be for writing only.
        readable.or_else(|_| self.open(OpenOptions::new().append(true).create(true)))
    }

    /// Checks that a regular file, or nothing, is there: a record of a contest is read, locked and cut as well.
    ///
    /// # Errors
    /// If there is something else.
    pub fn check_regular(&self) -> Result<(), OutputError> {
        self.check_compression()?;
        match self.metadata()? {
            Some(there) if !there.is_file() => Err(self.of_kind(&there)),
            Some(_) if system::is_standard_stream(self.path) => {
                Err(OutputError::Stream { file: self.shown() })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the error of the operating system, with the option and the path.
    #[must_use]
    pub fn failed(&self, error: io::Error) -> OutputError {
        OutputError::Io {
            file: self.shown(),
            error,
        }
    }

    fn open(&self, options: &mut OpenOptions) -> Result<File, OutputError> {
        // Should a pipe have taken the place of the file since it was looked at, opening it must not wait for a reader.
        if !self.is_stream() {
            system::without_waiting(options);
        }
        options.open(self.path).map_err(|error| self.failed(error))
    }

    /// Returns whether a file is there that is not empty, if what is there may be written.
    fn is_filled(&self) -> Result<bool, OutputError> {
        match self.metadata()? {
            Some(there) if !there.is_file() && !self.is_stream() => Err(self.of_kind(&there)),
            Some(_) if system::is_standard_stream(self.path) => {
                Err(OutputError::Stream { file: self.shown() })
            }
            there => Ok(there.is_some_and(|there| has_bytes(&there))),
        }
    }

    fn metadata(&self) -> Result<Option<Metadata>, OutputError> {
        match fs::metadata(self.path) {
            Ok(metadata) => Ok(Some(metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Returns whether it is a stream that loses nothing by being written: a terminal, a device that keeps nothing, a
    /// stream of this process.
    fn is_stream(&self) -> bool {
        let path = self.path.to_string_lossy();
        [
            "/dev/null",
            "/dev/full",
            "/dev/tty",
            "/dev/pts/",
            "/dev/stdout",
            "/dev/stderr",
            "/dev/fd/",
            "/proc/self/fd/",
        ]
        .iter()
        .any(|stream| path.starts_with(stream))
    }

    fn check_compression(&self) -> Result<(), OutputError> {
        if is_zstd_name(self.path) {
            return Err(OutputError::Zstd { file: self.shown() });
        }
        Ok(())
    }

    fn check_games(&self) -> Result<(), OutputError> {
        let no_record = || OutputError::NoRecord { file: self.shown() };
        let mut reader = RecordReader::open(self.path, &[]).map_err(|_| no_record())?;
        let kind = match reader.read_kind() {
            Ok(kind) => kind,
            Err(RecordError::Foreign { format, .. }) => {
                return Err(self.failed(io::Error::other(format)));
            }
            Err(_) => None,
        };
        match kind
            .as_ref()
            .map(|(format, is_of_contest)| (format.as_str(), *is_of_contest))
        {
            Some((FORMAT, false)) => Ok(()),
            Some((FORMAT | CONTEST_FORMAT | SERIES_FORMAT, _)) => {
                Err(OutputError::OfContest { file: self.shown() })
            }
            // A line of it was cut short, as by a full disk.
            Some(_) | None if reader.is_begun_game() => Ok(()),
            Some(_) | None => Err(no_record()),
        }
    }

    fn of_kind(&self, there: &Metadata) -> OutputError {
        OutputError::Kind {
            file: self.shown(),
            kind: kind_of(there),
        }
    }

    fn shown(&self) -> String {
        let path = shown(self.path);
        if self.option.is_empty() {
            path
        } else {
            format!("{} {path}", self.option)
        }
    }
}

impl OutputError {
    /// Returns whether the wrong file was named, rather than the machine failed.
    #[must_use]
    pub fn is_of_file(&self) -> bool {
        match self {
            OutputError::Io { error, .. } => !matches!(
                error.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            ),
            OutputError::Exists { .. }
            | OutputError::OfContest { .. }
            | OutputError::NoRecord { .. }
            | OutputError::Kind { .. }
            | OutputError::Stream { .. }
            | OutputError::Zstd { .. }
            | OutputError::NotEmpty { .. }
            | OutputError::NoFolder { .. } => true,
        }
    }
}

/// Checks the folder of `option`, in which files are made: it has to be new or empty, unless `may_have` something.
///
/// # Errors
/// If it is something else, or cannot be read.
pub fn check_folder(option: &'static str, path: &Path, may_have: bool) -> Result<(), OutputError> {
    let output = Output {
        option,
        path,
        force: false,
    };
    let Some(there) = output.metadata()? else {
        return Ok(());
    };
    if !there.is_dir() {
        return Err(OutputError::NoFolder {
            option: colon(option),
            path: shown(path),
        });
    }
    let mut entries = fs::read_dir(path).map_err(|error| output.failed(error))?;
    if !may_have && entries.next().is_some() {
        return Err(OutputError::NotEmpty {
            option: colon(option),
            folder: shown(path),
        });
    }
    Ok(())
}

/// Returns whether it is a file that is not empty.
fn has_bytes(there: &Metadata) -> bool {
    there.is_file() && there.len() > 0
}

fn colon(option: &str) -> String {
    if option.is_empty() {
        String::new()
    } else {
        format!("{option}: ")
    }
}

fn kind_of(there: &Metadata) -> &'static str {
    if let Some(kind) = system::special_kind(there) {
        return kind;
    }
    if there.is_file() {
        "a file"
    } else if there.is_dir() {
        "a folder"
    } else {
        "something else"
    }
}

/// Returns a path as messages show it.
pub(super) fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}
