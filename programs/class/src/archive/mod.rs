//! Unpacks what was handed in: folders, zip and tar files from people who are not trusted.
//!
//! Only files and folders come out, all of them below the folder that is made, none of them links.
//! Files and bytes are counted as they are read and written, not as the archive says.

mod bounds;
mod target;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use self::target::Target;
use kits::{cut, quoted};

/// The limits of what may be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Files and folders.
    pub files: usize,
    /// Bytes of all files; in a tar file also of headers and of what is left out.
    pub bytes: u64,
}

impl Limits {
    /// The limits of a submission, and of the files that its build leaves.
    pub(crate) const SUBMISSION: Limits = Limits {
        files: 2000,
        bytes: 64 << 20,
    };

    pub(crate) fn mebibytes(self) -> u64 {
        self.bytes >> 20
    }
}

/// The reason why something was not unpacked. Names in it are as the archive says, and not to be
/// trusted; messages quote 200 characters of them.
#[derive(Debug, Error)]
pub(crate) enum UnpackError {
    /// A file cannot be read or written.
    #[error("{what}: {error}")]
    Io {
        /// The attempted operation.
        what: String,
        /// The reason of the failure.
        error: io::Error,
    },
    /// It is not an archive, or a damaged one.
    #[error("it cannot be unpacked: {0}")]
    Damaged(String),
    /// The file has a name of no kind that is known.
    #[error("{} {NO_KIND}", quoted(.0))]
    Unknown(String),
    /// Another program has to open it, and there is none.
    #[error("{0} cannot be opened on this machine; hand in a .zip")]
    Foreign(String),
    /// A name leads out of the folder, or is none.
    #[error("{} {why}", quoted(.name))]
    Name {
        /// The name.
        name: String,
        /// The fault.
        why: &'static str,
    },
    /// Neither a file nor a folder.
    #[error("{} is a link or a device; hand in files and folders only", quoted(.0))]
    NoFile(String),
    /// Two files would be one.
    #[error("{} is in it twice", quoted(.0))]
    Twice(String),
    /// More than may be.
    #[error("it has more than {0} files and folders")]
    Files(usize),
    /// More than may be.
    #[error("unpacked it has more than {} MiB", .0 >> 20)]
    Bytes(u64),
    /// One file has more than may be.
    #[error("{} has more than {} MiB", quoted(.name), .most >> 20)]
    Long {
        /// Its name.
        name: String,
        /// The bytes that it may have.
        most: u64,
    },
    /// A header or a list of files is larger than it may be.
    #[error("{what} has more than {} KiB", .most >> 10)]
    Header {
        /// The header or list.
        what: &'static str,
        /// The bytes that it may have.
        most: u64,
    },
    /// Nothing to build.
    #[error("it is empty")]
    Empty,
}

/// Returns whether a file of this name may be a submission.
pub(crate) fn is_archive(name: &str) -> bool {
    ending(name).is_some()
}

/// Returns whether another program has to open an archive of this name.
pub(crate) fn is_foreign(name: &str) -> bool {
    matches!(ending(name), Some((_, Kind::Foreign)))
}

/// Returns what a name ends in that says that it is an archive; nothing if it does not say so.
pub(crate) fn ending_of(name: &str) -> &str {
    &name[without_ending(name).len()..]
}

/// Returns a name without what says that it is an archive.
pub(crate) fn without_ending(name: &str) -> &str {
    ending(name).map_or(name, |(ending, _)| &name[..name.len() - ending.len()])
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Zip,
    Tar,
    TarGz,
    /// One that another program makes a tar file of.
    Foreign,
}

const ENDINGS: [(&str, Kind); 6] = [
    (".tar.gz", Kind::TarGz),
    (".tgz", Kind::TarGz),
    (".tar", Kind::Tar),
    (".zip", Kind::Zip),
    (".7z", Kind::Foreign),
    (".rar", Kind::Foreign),
];

/// The message about a file of another kind.
pub(crate) const NO_KIND: &str = "is not a folder or a .zip, .tar, .tar.gz, .tgz, .7z or .rar file";

/// Returns what a name ends in that says which kind of archive it is.
fn ending(name: &str) -> Option<(&'static str, Kind)> {
    let lower = name.to_ascii_lowercase();
    ENDINGS
        .into_iter()
        .find(|(ending, _)| lower.ends_with(ending))
}

/// Unpacks the folder or the archive `source` into the new folder `into`, which is gone again after
/// an error. A single folder around everything is left out, as are folders that tools make.
///
/// # Errors
/// If it is not an archive or folder, if something in it is neither a file nor a folder, has a name
/// that leads elsewhere, or if it is more than `limits` allow.
pub(crate) fn unpack(source: &Path, into: &Path, limits: Limits) -> Result<(), UnpackError> {
    unpack_as_is(source, into, limits)?;
    without_single_folder(into).map_err(|error| failed(into, error))
}

/// The same, with all folders in their places.
///
/// # Errors
/// As [`unpack`].
pub(crate) fn unpack_as_is(source: &Path, into: &Path, limits: Limits) -> Result<(), UnpackError> {
    let (name, kind) = kind_of(source)?;
    let mut target = Target::new(into, limits);
    fill(&mut target, source, kind, &name)
}

/// Unpacks what a platform made of all submissions of a class: the same, with the times of its
/// files. One student's file that may not be unpacked, or has more bytes than `of_file`, does not
/// keep those of the others back; returns what is wrong with each of these.
///
/// # Errors
/// As [`unpack`].
pub(crate) fn unpack_download(
    source: &Path,
    into: &Path,
    limits: Limits,
    of_file: u64,
) -> Result<Vec<UnpackError>, UnpackError> {
    let (name, kind) = kind_of(source)?;
    let mut target = Target::of_download(into, limits, of_file);
    fill(&mut target, source, kind, &name)?;
    Ok(target.into_left_out())
}

/// Returns the name of `source`, and which kind of archive it is; none if it is a folder.
fn kind_of(source: &Path) -> Result<(String, Option<Kind>), UnpackError> {
    let metadata = fs::symlink_metadata(source).map_err(|error| failed(source, error))?;
    let name = source
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    match ending(&name) {
        _ if metadata.is_dir() => Ok((name, None)),
        Some((_, kind)) if metadata.is_file() => Ok((name, Some(kind))),
        _ => Err(UnpackError::Unknown(name)),
    }
}

/// Fills the new folder of `target` from `source`; it is gone again after an error.
fn fill(
    target: &mut Target<'_>,
    source: &Path,
    kind: Option<Kind>,
    name: &str,
) -> Result<(), UnpackError> {
    let into = target.folder();
    fs::create_dir(into).map_err(|error| failed(into, error))?;
    let open = || File::open(source).map_err(|error| failed(source, error));
    let unpacked = match kind {
        None => target.copy_folder(source, ""),
        Some(Kind::Zip) => open().and_then(|file| target.unzip(file)),
        Some(Kind::Tar) => open().and_then(|file| target.untar(file)),
        // Of what the name says only what is known.
        Some(Kind::Foreign) => Err(UnpackError::Foreign(format!(
            "a {} file",
            ending(name).map_or("", |(ending, _)| ending)
        ))),
        Some(Kind::TarGz) => open().and_then(|file| target.untar(MultiGzDecoder::new(file))),
    };
    let done = unpacked.and_then(|()| {
        if target.has_files() {
            Ok(())
        } else {
            Err(UnpackError::Empty)
        }
    });
    if done.is_err() {
        let _ = fs::remove_dir_all(into);
    }
    done
}

fn failed(path: &Path, error: io::Error) -> UnpackError {
    UnpackError::Io {
        what: cut(&path.display().to_string()),
        error,
    }
}

/// Returns the error of an archive that cannot be read: it is damaged, unless the system says that
/// it cannot be read.
fn damaged(error: impl Error + 'static) -> UnpackError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(error) = cause {
        let of_system = error.downcast_ref::<io::Error>();
        let code = of_system.and_then(io::Error::raw_os_error);
        // A damaged archive may name a place that no file has.
        let is_place = |error: &io::Error| error.kind() == io::ErrorKind::InvalidInput;
        if let Some(error) = code
            .map(io::Error::from_raw_os_error)
            .filter(|it| !is_place(it))
        {
            return failed(Path::new("the archive"), error);
        }
        cause = error.source();
    }
    UnpackError::Damaged(cut(&error.to_string()))
}

/// If all that is in `folder` is one folder, puts what is in that one in its place.
fn without_single_folder(folder: &Path) -> io::Result<()> {
    loop {
        let entries: Vec<PathBuf> = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        let [single] = &entries[..] else {
            return Ok(());
        };
        // In some languages sources have to be in a folder of this name.
        if !single.is_dir() || single.file_name() == Some(OsStr::new("src")) {
            return Ok(());
        }
        let beside = folder.with_extension("unpacked");
        fs::rename(single, &beside)?;
        fs::remove_dir(folder)?;
        fs::rename(&beside, folder)?;
    }
}
