//! The one rule for files that are written: nothing that exists is overwritten, unless that is
//! asked for.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;

use super::gzip::is_zstd_name;
use super::header::CONTEST_FORMAT;
use super::{FORMAT, RecordError, RecordReader, Replacement, SERIES_FORMAT};
use crate::system;
use bothost::text;

/// The beginning of the referee's pages and of no other file, up to its version.
const PAGE: &[u8] = b"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                      <meta name=\"generator\" content=\"referee ";

/// What is wrong with a file to which a standard stream of this process leads too.
const STREAM: &str = " is also the standard input or output of this command, which would mix with it; name another file";

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

/// The file that is written: the one that is there, or one that takes its place. In a page a file
/// cannot be opened twice, so it is not cloned where nobody else needs it.
enum Place {
    There(File),
    Beside(Replacement),
}

/// The reason why a file is not written; what, where, and how to fix it.
#[derive(Debug, Error)]
pub enum OutputError {
    /// It is not a file to write to.
    #[error("{0}")]
    Refused(String),
    /// The operating system does not let it be used.
    #[error("{file}: {error}{}", advice(.error))]
    Io {
        /// The option and the path.
        file: String,
        /// The operating system's message.
        error: io::Error,
    },
}

/// Returns the advice on `error`, to be shown behind it; nothing if there is none.
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
    /// Opens a new file, or what [`Output::check_writable`] finds, for writing. A file that has
    /// something is replaced by what is returned with it, once that is
    /// [published](Replacement::publish).
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

    /// Writes `bytes` as the whole file. At no moment has it a part of them. The null device, a
    /// terminal and this process's own streams are written as they are.
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
            return self.refused(" exists, and files are not overwritten; name another file, or replace this one with --force");
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

    /// Opens what is written: a stream or an empty file, which have nothing to lose, as they are,
    /// else a replacement.
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

    /// Checks that a game can be appended: to a new file, or to a record of single games; or with
    /// `force` that a file can be replaced. Makes a new file, so that one that cannot be written is
    /// known before the game.
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

    /// Checks that a regular file, or nothing, is there: a record of a contest is read, locked and
    /// cut as well.
    ///
    /// # Errors
    /// If there is something else.
    pub fn check_regular(&self) -> Result<(), OutputError> {
        self.check_compression()?;
        match self.metadata()? {
            Some(there) if !there.is_file() => self.refused(&not_a_file(&there)),
            Some(_) if system::is_standard_stream(self.path) => self.refused(STREAM),
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
        // Should a pipe have taken the place of the file since it was looked at, opening it must
        // not wait for a reader.
        if !self.is_stream() {
            system::without_waiting(options);
        }
        options.open(self.path).map_err(|error| self.failed(error))
    }

    /// Returns whether a file is there that is not empty, if what is there may be written.
    fn is_filled(&self) -> Result<bool, OutputError> {
        match self.metadata()? {
            Some(there) if !there.is_file() && !self.is_stream() => {
                self.refused(&not_a_file(&there))
            }
            Some(_) if system::is_standard_stream(self.path) => self.refused(STREAM),
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

    /// Returns whether it is a stream that loses nothing by being written: a terminal, a device
    /// that keeps nothing, a stream of this process.
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
            let what = ": records are compressed by gzip, not by zstd: end the name in .gz, and unpack an earlier record with \
                        `zstd -d`";
            return self.refused(what);
        }
        Ok(())
    }

    /// Checks that it has games of no contest, to which another one may be appended.
    fn check_games(&self) -> Result<(), OutputError> {
        let no_record = " exists and is not a record of games; name another file, or replace this one with --force";
        let of_contest = " is the record of a contest, which could not continue behind a game of its own; name another file";
        let Ok(mut reader) = RecordReader::open(self.path, &[]) else {
            return self.refused(no_record);
        };
        let kind = match reader.read_kind() {
            Ok(kind) => kind,
            Err(RecordError::Foreign { format, .. }) => {
                return Err(self.failed(io::Error::other(format)));
            }
            Err(_) => None,
        };
        let kind = kind
            .as_ref()
            .map(|(format, is_of_contest)| (&**format, *is_of_contest));
        match kind {
            Some((FORMAT, false)) => Ok(()),
            Some((FORMAT | CONTEST_FORMAT | SERIES_FORMAT, _)) => self.refused(of_contest),
            // A line of it was cut short, as by a full disk.
            Some(_) | None if reader.is_begun_game() => Ok(()),
            Some(_) | None => self.refused(no_record),
        }
    }

    fn refused<T>(&self, what: &str) -> Result<T, OutputError> {
        Err(OutputError::Refused(self.shown() + what))
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
            OutputError::Refused(_) => true,
            OutputError::Io { error, .. } => !matches!(
                error.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            ),
        }
    }
}

/// Checks the folder of `option`, in which files are made: it has to be new or empty, unless
/// `may_have` something.
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
        return output.refused(" is not a folder");
    }
    let mut entries = fs::read_dir(path).map_err(|error| output.failed(error))?;
    if !may_have && entries.next().is_some() {
        return output.refused(
            " is not empty; name a new folder, since nothing is overwritten without --force",
        );
    }
    Ok(())
}

/// Writes `page` to the file that `option` names. A page that the referee has made before is
/// replaced, another file only with `force`.
///
/// # Errors
/// If the file is another one, or cannot be written.
pub fn write_page(
    option: &'static str,
    path: &Path,
    force: bool,
    page: &str,
) -> Result<(), OutputError> {
    page_output(option, path, force).write(page.as_bytes())
}

/// Returns the file of a page: a page that the referee has made before may be replaced.
#[must_use]
pub fn page_output<'p>(option: &'static str, path: &'p Path, force: bool) -> Output<'p> {
    let mut beginning = Vec::new();
    // To open a pipe would wait for its writer.
    if fs::metadata(path).is_ok_and(|there| there.is_file())
        && let Ok(file) = File::open(path)
    {
        // What cannot be read is not known as a page.
        let _ = file.take(PAGE.len() as u64).read_to_end(&mut beginning);
    }
    Output {
        option,
        path,
        force: force || beginning == PAGE,
    }
}

/// Returns whether two paths lead to one file, which need not exist yet.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        if let Ok(found) = fs::canonicalize(path) {
            return found;
        }
        match fs::canonicalize(Path::new(".").join(path.with_file_name(""))) {
            Ok(folder) => folder.join(path.file_name().unwrap_or_default()),
            Err(_) => path.to_owned(),
        }
    };
    let one = place(one);
    let other = place(other);
    one == other || system::are_links_to_one(&one, &other)
}

/// Returns whether it is a file that is not empty.
fn has_bytes(there: &Metadata) -> bool {
    there.is_file() && there.len() > 0
}

/// Returns the objection to `there`, which is no file.
fn not_a_file(there: &Metadata) -> String {
    let kind = match system::special_kind(there) {
        Some(kind) => kind,
        None if there.is_dir() => "a folder",
        None => "something else",
    };
    format!(" is {kind}, not a file; name a file")
}

/// Returns a path as messages show it.
pub(super) fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}
