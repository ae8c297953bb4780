//! The folder that is filled: what may come into it, and how much.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::bounds::Bounds;
use super::{Limits, UnpackError, damaged, failed};
use kits::quoted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    File,
    Folder,
}

/// The folder into which things are unpacked, and its limits.
pub(super) struct Target<'t> {
    folder: &'t Path,
    limits: Limits,
    left: Limits,
    /// The paths that exist already, in lower case: some file systems do not tell cases apart.
    known: BTreeMap<String, Is>,
    /// For what a platform made of all submissions: what is wrong with the files that were left
    /// out.
    left_out: Option<Vec<UnpackError>>,
    /// The most bytes of a file.
    of_file: u64,
}

/// The attributes of a file in an archive.
#[derive(Clone, Copy)]
struct About {
    is_program: bool,
    written: Option<SystemTime>,
}

/// The bytes that are read at once.
const PIECE: usize = 1 << 16;

/// The folders that may be inside each other.
const DEEPEST: usize = 32;

/// The bytes of the longest name on most file systems.
const LONGEST_NAME: usize = 255;

/// The bytes of the longest path. Systems allow 4096, which has to be enough for the folder of the
/// class before it.
const LONGEST_PATH: usize = 1024;

impl<'t> Target<'t> {
    /// Fills `folder`, which is empty.
    pub(super) fn new(folder: &'t Path, limits: Limits) -> Target<'t> {
        Target {
            folder,
            limits,
            left: limits,
            known: BTreeMap::new(),
            left_out: None,
            of_file: limits.bytes,
        }
    }

    /// Fills `folder` with what many people have handed in. Its files keep their times, and one
    /// that may not be there is left out.
    pub(super) fn of_download(folder: &'t Path, limits: Limits, of_file: u64) -> Target<'t> {
        Target {
            left_out: Some(Vec::new()),
            of_file,
            ..Target::new(folder, limits)
        }
    }

    pub(super) fn folder(&self) -> &'t Path {
        self.folder
    }

    pub(super) fn into_left_out(self) -> Vec<UnpackError> {
        self.left_out.unwrap_or_default()
    }

    /// Decides whether what was `done` with one entry ends everything.
    fn settle(&mut self, done: Result<(), UnpackError>) -> Result<(), UnpackError> {
        match (done, &mut self.left_out) {
            (
                Err(
                    error @ (UnpackError::NoFile(_)
                    | UnpackError::Name { .. }
                    | UnpackError::Twice(_)
                    | UnpackError::Long { .. }),
                ),
                Some(left_out),
            ) => {
                left_out.push(error);
                Ok(())
            }
            (done, _) => done,
        }
    }

    pub(super) fn has_files(&self) -> bool {
        self.known.values().any(|is| *is == Is::File)
    }

    pub(super) fn unzip(&mut self, file: File) -> Result<(), UnpackError> {
        let bounds = Bounds::of_zip(self.left_out.is_some());
        let opened = bounds.header(|| zip::ZipArchive::new(bounds.around(file)));
        let mut archive = opened.map_err(|error| {
            bounds
                .exceeded(self.limits.bytes)
                .unwrap_or_else(|| damaged(error))
        })?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(damaged)?;
            let name = entry.name().map_err(damaged)?.into_owned();
            let about = About {
                is_program: entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0),
                written: time_in_utc(&entry)
                    .or_else(|| entry.last_modified().and_then(time_of_zip)),
            };
            let done = if entry.is_symlink() {
                Err(UnpackError::NoFile(name))
            } else if entry.is_dir() {
                self.make_folder(&name)
            } else {
                self.file(&name, about, &mut entry)
            };
            self.settle(done)?;
        }
        Ok(())
    }

    pub(super) fn untar(&mut self, bytes: impl Read) -> Result<(), UnpackError> {
        let bounds = Bounds::of_tar(self.limits.bytes);
        let done = self.put_entries(tar::Archive::new(bounds.around(bytes)), &bounds);
        done.map_err(|error| bounds.exceeded(self.limits.bytes).unwrap_or(error))
    }

    fn put_entries(
        &mut self,
        mut archive: tar::Archive<impl Read>,
        bounds: &Bounds,
    ) -> Result<(), UnpackError> {
        let mut entries = archive.entries().map_err(damaged)?;
        while let Some(entry) = bounds.header(|| entries.next()) {
            let mut entry = entry.map_err(damaged)?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let header = entry.header();
            let written = header.mtime().ok().map(Duration::from_secs);
            let about = About {
                is_program: header.mode().unwrap_or(0) & 0o100 != 0,
                written: written.and_then(|since| UNIX_EPOCH.checked_add(since)),
            };
            let kind = header.entry_type();
            let done = if kind.is_dir() {
                self.make_folder(&name)
            } else if kind.is_file() || kind.is_contiguous() {
                self.file(&name, about, &mut entry)
            } else if kind.is_pax_global_extensions() {
                // A header about the whole archive is not an entry of it.
                Ok(())
            } else {
                Err(UnpackError::NoFile(name))
            };
            self.settle(done)?;
            // An entry that was left out is not part of the next header.
            io::copy(&mut entry, &mut io::sink()).map_err(damaged)?;
        }
        Ok(())
    }

    /// Copies what is in the folder `from` to `to`, a path in the new folder.
    pub(super) fn copy_folder(&mut self, from: &Path, to: &str) -> Result<(), UnpackError> {
        let entries = fs::read_dir(from).map_err(|error| failed(from, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failed(from, error))?;
            let path = entry.path();
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                let name = name.to_string_lossy().into_owned();
                let why = "is not UTF-8 text";
                self.settle(Err(UnpackError::Name { name, why }))?;
                continue;
            };
            let name = if to.is_empty() {
                name.to_owned()
            } else {
                format!("{to}/{name}")
            };
            if is_left_out(&name) {
                continue;
            }
            let metadata = fs::symlink_metadata(&path).map_err(|error| failed(&path, error))?;
            let done = if metadata.is_dir() {
                self.make_folder(&name)
                    .and_then(|()| self.copy_folder(&path, &name))
            } else if metadata.is_file() {
                let mut file = File::open(&path).map_err(|error| failed(&path, error))?;
                let written = metadata.modified().ok();
                let about = About {
                    is_program: is_program(&metadata),
                    written,
                };
                self.file(&name, about, &mut file)
            } else {
                Err(UnpackError::NoFile(name))
            };
            self.settle(done)?;
        }
        Ok(())
    }

    fn make_folder(&mut self, name: &str) -> Result<(), UnpackError> {
        let parts = parts(name)?;
        if parts.iter().any(|part| is_left_out(part)) {
            return Ok(());
        }
        self.make_folders(&parts)
    }

    /// Makes the folder with these parts, and those above it.
    fn make_folders(&mut self, parts: &[&str]) -> Result<(), UnpackError> {
        for depth in 1..=parts.len() {
            let name = parts[..depth].join("/");
            match self.known.get(&name.to_lowercase()) {
                Some(Is::Folder) => {}
                Some(Is::File) => return Err(UnpackError::Twice(name)),
                None => {
                    self.count(&name, Is::Folder)?;
                    let path = self.folder.join(&name);
                    // Another spelling of a folder that is there.
                    if !path.is_dir() {
                        fs::create_dir(&path).map_err(|error| failed(&path, error))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, name: &str, about: About, bytes: &mut dyn Read) -> Result<(), UnpackError> {
        let parts = parts(name)?;
        if parts.iter().any(|part| is_left_out(part)) {
            return Ok(());
        }
        let (_, above) = parts.split_last().ok_or_else(|| UnpackError::Name {
            name: name.to_owned(),
            why: "is not a valid file name",
        })?;
        self.make_folders(above)?;
        let name = parts.join("/");
        if self.known.contains_key(&name.to_lowercase()) {
            return Err(UnpackError::Twice(name));
        }
        self.count(&name, Is::File)?;
        let path = self.folder.join(&name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(
            &mut options,
            if about.is_program { 0o755 } else { 0o644 },
        );
        #[cfg(not(unix))]
        let _ = about.is_program;
        let mut file = options.open(&path).map_err(|error| failed(&path, error))?;
        let mut piece = vec![0; PIECE];
        let mut length = 0;
        loop {
            let count = match bytes.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let error = damaged(error);
                    let UnpackError::Damaged(what) = error else {
                        return Err(error);
                    };
                    return Err(UnpackError::Damaged(format!("{}: {what}", quoted(&name))));
                }
            };
            length += count as u64;
            if self.left_out.is_some() && length > self.of_file {
                fs::remove_file(&path).map_err(|error| failed(&path, error))?;
                return Err(UnpackError::Long {
                    name,
                    most: self.of_file,
                });
            }
            let left = self.left.bytes.checked_sub(count as u64);
            self.left.bytes = left.ok_or(UnpackError::Bytes(self.limits.bytes))?;
            file.write_all(&piece[..count])
                .map_err(|error| failed(&path, error))?;
        }
        // A build decides by times what to make again; the times of a submission say nothing there.
        if let (Some(written), Some(_)) = (about.written, &self.left_out) {
            // A time that the file system does not have is not a time.
            let _ = file.set_modified(written);
        }
        Ok(())
    }

    fn count(&mut self, name: &str, is: Is) -> Result<(), UnpackError> {
        let left = self.left.files.checked_sub(1);
        self.left.files = left.ok_or(UnpackError::Files(self.limits.files))?;
        self.known.insert(name.to_lowercase(), is);
        Ok(())
    }
}

/// Returns the time of an entry that some programs write beside the other one, in UTC.
fn time_in_utc<R: Read>(entry: &zip::read::ZipFile<'_, R>) -> Option<SystemTime> {
    let times = entry.extra_data_fields().find_map(|field| {
        if let zip::ExtraField::ExtendedTimestamp(times) = field {
            Some(times)
        } else {
            None
        }
    });
    let seconds = times?.mod_time()?;
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds.into()))
}

/// Returns a time of a zip file: that of the local clock of its maker.
fn time_of_zip(time: zip::DateTime) -> Option<SystemTime> {
    let number = |value: u8| i8::try_from(value).ok();
    let wall = DateTime::new(
        i16::try_from(time.year()).ok()?,
        number(time.month())?,
        number(time.day())?,
        number(time.hour())?,
        number(time.minute())?,
        number(time.second())?,
        0,
    );
    let time = wall.ok()?.to_zoned_datetime(TimeZone::system()).ok()?;
    time.timestamp().try_into().ok()
}

fn is_left_out(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(kits::is_cache)
}

#[cfg(unix)]
fn is_program(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_program(_metadata: &fs::Metadata) -> bool {
    true
}

/// Splits the name of an entry into the parts of its path. Some programs of Windows write `\`
/// between them.
fn parts(name: &str) -> Result<Vec<&str>, UnpackError> {
    let wrong = |why| UnpackError::Name {
        name: name.to_owned(),
        why,
    };
    if name.len() > LONGEST_PATH {
        return Err(wrong("is longer than 1024 bytes"));
    }
    if name.starts_with(['/', '\\']) || name.as_bytes().get(1) == Some(&b':') {
        return Err(wrong("is an absolute path"));
    }
    let parts: Vec<&str> = name
        .split(['/', '\\'])
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if parts.contains(&"..") {
        return Err(wrong("leads out of its folder"));
    }
    if parts.iter().any(|part| part.len() > LONGEST_NAME) || parts.len() > DEEPEST {
        return Err(wrong("is too long"));
    }
    if name
        .chars()
        .any(|char| char.is_control() || char == char::REPLACEMENT_CHARACTER)
    {
        return Err(wrong("has characters that are not text"));
    }
    Ok(parts)
}
