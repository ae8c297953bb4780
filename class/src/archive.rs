//! Unpacks what was handed in: folders, zip and tar files from people who are not trusted.
//!
//! Only files and folders come out, all of them below the folder that is made, none of them links. Files and bytes are
//! counted as they are written, not as the archive says.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

/// How much may be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Files and folders.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Why something was not unpacked. Names in it are as the archive says, and not to be trusted.
#[derive(Debug, Error)]
pub enum UnpackError {
    /// A file cannot be read or written.
    #[error("{what}: {error}")]
    Io {
        /// What was done.
        what: String,
        /// Why it failed.
        error: io::Error,
    },
    /// It is no archive, or a damaged one.
    #[error("it cannot be unpacked: {0}")]
    Damaged(String),
    /// The file has a name of no kind that is known.
    #[error("{0:?} is no folder and no .zip, .tar, .tar.gz or .tgz file")]
    Unknown(String),
    /// A name leads out of the folder, or is none.
    #[error("{name:?} {why}")]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Neither a file nor a folder.
    #[error("{0:?} is a link or a device; hand in files and folders only")]
    NoFile(String),
    /// Two files would be one.
    #[error("{0:?} is in it twice")]
    Twice(String),
    /// More than may be.
    #[error("it has more than {0} files and folders")]
    Files(usize),
    /// More than may be.
    #[error("unpacked it has more than {} MiB", .0 >> 20)]
    Bytes(u64),
    /// Nothing to build.
    #[error("it is empty")]
    Empty,
}

/// Returns whether a file of this name may be a submission.
#[must_use]
pub fn is_archive(name: &str) -> bool {
    Kind::of(name).is_some()
}

/// Returns a name without what says that it is an archive.
#[must_use]
pub fn without_ending(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending));
    ending.map_or(name, |(ending, _)| &name[..name.len() - ending.len()])
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Zip,
    Tar,
    TarGz,
}

const ENDINGS: [(&str, Kind); 4] =
    [(".tar.gz", Kind::TarGz), (".tgz", Kind::TarGz), (".tar", Kind::Tar), (".zip", Kind::Zip)];

impl Kind {
    fn of(name: &str) -> Option<Kind> {
        let lower = name.to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending)).map(|(_, kind)| *kind)
    }
}

/// Unpacks the folder or the archive `source` into the new folder `into`, which is gone again after an error. A single folder
/// around everything is left out, as are folders that tools make.
///
/// # Errors
/// If it is no archive or folder, if something in it is neither a file nor a folder, has a name that leads elsewhere, or if it
/// is more than `limits` allow.
pub fn unpack(source: &Path, into: &Path, limits: Limits) -> Result<(), UnpackError> {
    let metadata = fs::symlink_metadata(source).map_err(|error| failed(source, error))?;
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let kind = match Kind::of(&name) {
        _ if metadata.is_dir() => None,
        Some(kind) if metadata.is_file() => Some(kind),
        _ => return Err(UnpackError::Unknown(name)),
    };
    fs::create_dir(into).map_err(|error| failed(into, error))?;
    let mut target = Target { folder: into, left: limits, limits, known: BTreeMap::new() };
    let open = || File::open(source).map_err(|error| failed(source, error));
    let unpacked = match kind {
        None => target.copy_folder(source, ""),
        Some(Kind::Zip) => open().and_then(|file| target.unzip(file)),
        Some(Kind::Tar) => open().and_then(|file| target.untar(file)),
        Some(Kind::TarGz) => open().and_then(|file| target.untar(MultiGzDecoder::new(file))),
    };
    let done = unpacked.and_then(|()| {
        if target.known.values().any(|is| *is == Is::File) {
            Ok(())
        } else {
            Err(UnpackError::Empty)
        }
    });
    if done.is_err() {
        let _ = fs::remove_dir_all(into);
        return done;
    }
    without_single_folder(into).map_err(|error| failed(into, error))
}

fn failed(path: &Path, error: io::Error) -> UnpackError {
    UnpackError::Io { what: path.display().to_string(), error }
}

fn damaged(error: impl std::fmt::Display) -> UnpackError {
    UnpackError::Damaged(error.to_string())
}

/// Folders and files that tools leave, and that no bot needs.
const LEFT_OUT: [&str; 9] = [
    "__MACOSX",
    ".DS_Store",
    "Thumbs.db",
    "__pycache__",
    "node_modules",
    ".git",
    ".venv",
    ".vs",
    "target",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    File,
    Folder,
}

/// Where things are unpacked, and how much more may be.
struct Target<'t> {
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

impl Target<'_> {
    fn unzip(&mut self, file: File) -> Result<(), UnpackError> {
        let mut archive = zip::ZipArchive::new(file).map_err(damaged)?;
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

    fn untar(&mut self, bytes: impl Read) -> Result<(), UnpackError> {
        let mut archive = tar::Archive::new(bytes);
        for entry in archive.entries().map_err(damaged)? {
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
        }
        Ok(())
    }

    /// Copies what is in the folder `from` to `to`, a path in the new folder.
    fn copy_folder(&mut self, from: &Path, to: &str) -> Result<(), UnpackError> {
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
                Err(error) => return Err(damaged(format!("{name:?}: {error}"))),
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
    name.rsplit('/').next().is_some_and(|last| LEFT_OUT.contains(&last))
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

/// If all that is in `folder` is one folder, puts what is in that one in its place.
fn without_single_folder(folder: &Path) -> io::Result<()> {
    loop {
        let entries: Vec<PathBuf> = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        let [single] = &entries[..] else { return Ok(()) };
        // Sources of some languages belong into a folder of this name.
        if !single.is_dir() || single.file_name() == Some(OsStr::new("src")) {
            return Ok(());
        }
        let beside = folder.with_extension("unpacked");
        fs::rename(single, &beside)?;
        fs::remove_dir(folder)?;
        fs::rename(&beside, folder)?;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zip::write::SimpleFileOptions;

    use super::*;

    const LIMITS: Limits = Limits { files: 20, bytes: 1 << 20 };

    /// Makes a zip file of these names and contents; a name that ends in `/` is a folder.
    fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    /// Makes a tar file with entries of any kind, without a check of their names.
    fn tarred(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, kind, bytes) in entries {
            let mut header = tar::Header::new_gnu();
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            if *kind == tar::EntryType::Symlink {
                header.set_link_name("/etc/passwd").unwrap();
            }
            header.set_cksum();
            tar.append(&header, *bytes).unwrap();
        }
        tar.into_inner().unwrap()
    }

    /// Unpacks `bytes` from a file of this name. Returns the files that come out, in order.
    fn unpacked(name: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let (source, into) = (folder.path().join(name), folder.path().join("out"));
        fs::write(&source, bytes).unwrap();
        let done = unpack(&source, &into, LIMITS).map_err(|error| error.to_string());
        assert_eq!(into.exists(), done.is_ok());
        // Nothing beside the folder.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1 + usize::from(done.is_ok()));
        done.map(|()| files(&into, ""))
    }

    fn files(folder: &Path, above: &str) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{above}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                found.extend(files(&path, &format!("{name}/")));
            } else {
                found.push(name);
            }
        }
        found.sort();
        found
    }

    #[test]
    fn files_of_every_kind_of_archive_come_out() {
        let zip = zipped(&[("my bot/bot.py", b"1"), ("my bot/it's/strategy.py", b"2")]);
        assert_eq!(unpacked("a.zip", &zip).unwrap(), ["bot.py", "it's/strategy.py"]);
        let tar = tarred(&[
            ("./", tar::EntryType::Directory, b""),
            ("./bot.py", tar::EntryType::Regular, b"1"),
        ]);
        assert_eq!(unpacked("a.tar", &tar).unwrap(), ["bot.py"]);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&tar).unwrap();
        assert_eq!(unpacked("a.TGZ", &gzip.finish().unwrap()).unwrap(), ["bot.py"]);
    }

    #[test]
    fn what_tools_leave_stays_out() {
        let zip = zipped(&[
            ("bot.py", b"1"),
            ("__MACOSX/._bot.py", b"2"),
            ("__pycache__/bot.pyc", b"3"),
            ("a/.DS_Store", b"4"),
        ]);
        assert_eq!(unpacked("a.zip", &zip).unwrap(), ["bot.py"]);
    }

    #[test]
    fn separators_of_windows_make_folders() {
        let zip = zipped(&[("a\\bot.py", b"1"), ("b.py", b"1")]);
        assert_eq!(unpacked("a.zip", &zip).unwrap(), ["a/bot.py", "b.py"]);
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        let regular = tar::EntryType::Regular;
        for (bytes, name, what) in [
            (zipped(&[("../bot.py", b"1")]), "a.zip", "leads out of its folder"),
            (zipped(&[("a/../../bot.py", b"1")]), "a.zip", "leads out of its folder"),
            (zipped(&[("a\\..\\..\\bot.py", b"1")]), "a.zip", "leads out of its folder"),
            (tarred(&[("../bot.py", regular, b"1")]), "a.tar", "leads out of its folder"),
            (tarred(&[("/tmp/bot.py", regular, b"1")]), "a.tar", "is an absolute path"),
            (tarred(&[("C:\\bot.py", regular, b"1")]), "a.tar", "is an absolute path"),
            (tarred(&[("a\nb", regular, b"1")]), "a.tar", "has characters that are no text"),
            (tarred(&[("bot", tar::EntryType::Symlink, b"")]), "a.tar", "is a link or a device"),
            (tarred(&[("bot", tar::EntryType::Link, b"")]), "a.tar", "is a link or a device"),
            (tarred(&[("bot", tar::EntryType::Char, b"")]), "a.tar", "is a link or a device"),
            (tarred(&[("bot", regular, b"1"), ("bot", regular, b"2")]), "a.tar", "in it twice"),
            (tarred(&[("bot", regular, b"1"), ("BOT/a", regular, b"2")]), "a.tar", "in it twice"),
        ] {
            let error = unpacked(name, &bytes).unwrap_err();
            assert!(error.contains(what), "{what}: {error}");
        }
    }

    #[test]
    fn more_than_the_limits_is_refused() {
        let bomb = zipped(&[("bot.py", &vec![0; 2 << 20])]);
        assert!(bomb.len() < 10_000);
        assert_eq!(unpacked("a.zip", &bomb).unwrap_err(), "unpacked it has more than 1 MiB");
        let names: Vec<String> = (0..30).map(|i| format!("{i}.py")).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert_eq!(
            unpacked("a.zip", &zipped(&many)).unwrap_err(),
            "it has more than 20 files and folders"
        );
        let deep = vec!["a"; 40].join("/");
        assert!(unpacked("a.zip", &zipped(&[(&deep, b"")])).unwrap_err().contains("is too long"));
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        for (name, what) in [
            ("a.zip", "cannot be unpacked"),
            ("a.tgz", "cannot be unpacked"),
            ("a.rar", "is no folder"),
        ] {
            let error = unpacked(name, b"no archive").unwrap_err();
            assert!(error.contains(what), "{error}");
        }
        assert_eq!(unpacked("a.zip", &zipped(&[])).unwrap_err(), "it is empty");
        let mut cut = zipped(&[("bot.py", b"0123456789")]);
        cut.truncate(cut.len() / 2);
        assert!(unpacked("a.zip", &cut).is_err());
    }

    #[test]
    fn a_folder_is_copied_without_links() {
        let folder = tempfile::tempdir().unwrap();
        let (source, into) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir_all(source.join("sub/__pycache__")).unwrap();
        fs::write(source.join("sub/bot.py"), "1").unwrap();
        fs::write(source.join("Makefile"), "2").unwrap();
        unpack(&source, &into, LIMITS).unwrap();
        assert_eq!(files(&into, ""), ["Makefile", "sub/bot.py"]);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/passwd", source.join("link")).unwrap();
            let error = unpack(&source, &folder.path().join("again"), LIMITS).unwrap_err();
            assert!(matches!(error, UnpackError::NoFile(name) if name == "link"));
        }
    }
}
