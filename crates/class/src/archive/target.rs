//! The folder that is filled: what may come into it, and how much.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use super::bounds::Bounds;
use super::{Limits, UnpackError, damaged, failed};
use crate::text::quoted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    File,
    Folder,
}

/// Where things are unpacked, and how much more may be.
pub(super) struct Target<'t> {
    folder: &'t Path,
    limits: Limits,
    left: Limits,
    /// What is there already, in lower case: some file systems do not tell cases apart.
    known: BTreeMap<String, Is>,
}

/// The bytes that are read at once.
const PIECE: usize = 1 << 16;

/// The folders that may be inside each other.
const DEEPEST: usize = 32;

/// The bytes of the longest name on most file systems.
const LONGEST_NAME: usize = 255;

/// The bytes of the longest path. Systems allow 4096, which has to be enough for the folder of the class before it.
const LONGEST_PATH: usize = 1024;

impl<'t> Target<'t> {
    /// Fills `folder`, which is empty.
    pub(super) fn new(folder: &'t Path, limits: Limits) -> Target<'t> {
        Target { folder, limits, left: limits, known: BTreeMap::new() }
    }

    pub(super) fn has_files(&self) -> bool {
        self.known.values().any(|is| *is == Is::File)
    }

    pub(super) fn unzip(&mut self, file: File) -> Result<(), UnpackError> {
        let bounds = Bounds::of_zip();
        let opened = bounds.header(|| zip::ZipArchive::new(bounds.around(file)));
        let mut archive = opened.map_err(|error| {
            bounds.exceeded(self.limits.bytes).unwrap_or_else(|| damaged(error))
        })?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(damaged)?;
            let name = entry.name().map_err(damaged)?.into_owned();
            if entry.is_symlink() {
                return Err(UnpackError::NoFile(name));
            }
            let is_program = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
            if entry.is_dir() {
                self.folder(&name)?;
            } else {
                self.file(&name, is_program, &mut entry)?;
            }
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
            let mode = entry.header().mode().unwrap_or(0);
            let kind = entry.header().entry_type();
            if kind.is_dir() {
                self.folder(&name)?;
            } else if kind.is_file() || kind.is_contiguous() {
                self.file(&name, mode & 0o100 != 0, &mut entry)?;
            } else if !kind.is_pax_global_extensions() {
                // What says something of the whole archive is no entry of it.
                return Err(UnpackError::NoFile(name));
            }
            // What was left out is no part of the next header.
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
            let name = name.to_str().ok_or_else(|| UnpackError::Name {
                name: name.to_string_lossy().into_owned(),
                why: "is no UTF-8 text",
            })?;
            let name = if to.is_empty() { name.to_owned() } else { format!("{to}/{name}") };
            if is_left_out(&name) {
                continue;
            }
            let metadata = fs::symlink_metadata(&path).map_err(|error| failed(&path, error))?;
            if metadata.is_dir() {
                self.folder(&name)?;
                self.copy_folder(&path, &name)?;
            } else if metadata.is_file() {
                let mut file = File::open(&path).map_err(|error| failed(&path, error))?;
                self.file(&name, is_program(&metadata), &mut file)?;
            } else {
                return Err(UnpackError::NoFile(name));
            }
        }
        Ok(())
    }

    fn folder(&mut self, name: &str) -> Result<(), UnpackError> {
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

    fn file(
        &mut self,
        name: &str,
        is_program: bool,
        bytes: &mut dyn Read,
    ) -> Result<(), UnpackError> {
        let parts = parts(name)?;
        if parts.iter().any(|part| is_left_out(part)) {
            return Ok(());
        }
        let (_, above) = parts.split_last().ok_or_else(|| UnpackError::Name {
            name: name.to_owned(),
            why: "is no name of a file",
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
        #[cfg(not(unix))]
        let _ = is_program;
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(
            &mut options,
            if is_program { 0o755 } else { 0o644 },
        );
        let mut file = options.open(&path).map_err(|error| failed(&path, error))?;
        let mut piece = vec![0; PIECE];
        loop {
            let count = match bytes.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(damaged(format!("{}: {error}", quoted(&name)))),
            };
            let left = self.left.bytes.checked_sub(count as u64);
            self.left.bytes = left.ok_or(UnpackError::Bytes(self.limits.bytes))?;
            file.write_all(&piece[..count]).map_err(|error| failed(&path, error))?;
        }
    }

    fn count(&mut self, name: &str, is: Is) -> Result<(), UnpackError> {
        let left = self.left.files.checked_sub(1);
        self.left.files = left.ok_or(UnpackError::Files(self.limits.files))?;
        self.known.insert(name.to_lowercase(), is);
        Ok(())
    }
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

/// Splits the name of an entry into the parts of its path. Some programs of Windows write `\` between them.
fn parts(name: &str) -> Result<Vec<&str>, UnpackError> {
    let wrong = |why| UnpackError::Name { name: name.to_owned(), why };
    if name.len() > LONGEST_PATH {
        return Err(wrong("is longer than 1024 bytes"));
    }
    if name.starts_with(['/', '\\']) || name.as_bytes().get(1) == Some(&b':') {
        return Err(wrong("is an absolute path"));
    }
    let parts: Vec<&str> =
        name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err(wrong("leads out of its folder"));
    }
    if parts.iter().any(|part| part.len() > LONGEST_NAME) || parts.len() > DEEPEST {
        return Err(wrong("is too long"));
    }
    if name.chars().any(|char| char.is_control() || char == char::REPLACEMENT_CHARACTER) {
        return Err(wrong("has characters that are no text"));
    }
    Ok(parts)
}
