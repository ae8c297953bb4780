//! The part of a folder that belongs to the programs in it.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::record::Text;

/// The files that are read at most. A bot has fewer; a person's folder has more.
const MOST_FILES: usize = 1000;

/// Their bytes at most.
const MOST_BYTES: u64 = 256 << 20;

/// The entries of a folder and those below that are looked at, to find the files of an ending.
const MOST_ENTRIES: usize = 20_000;

/// The first bytes of the referee's own files: records and summaries.
const OF_REFEREE: &[u8] = b"{\"format\":\"battleship-";

/// More than is read of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum TooMuch {
    #[error("more than {MOST_FILES} files")]
    Files,
    #[error("more than {} MiB", MOST_BYTES >> 20)]
    Bytes,
}

/// The purpose of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It may be one bot's, or a few bots'.
    Own,
    /// It holds whatever a person has: the home, a folder above it, or one for temporary files.
    Shared,
    /// It belongs to the system, or is where programs are installed.
    System,
    /// A tool has built what is in it.
    Built,
}

/// Returns what `folder`, an absolute path, is for.
pub(super) fn kind_of(folder: &Path) -> Kind {
    let canonical = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let temporary = std::env::temp_dir().canonicalize().ok();
    let is_above_home = home.is_some_and(|home| home.starts_with(&canonical));
    let tops = [
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/srv",
        "/opt",
        "/usr/local",
        "/usr/src",
    ];
    let system = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/proc", "/sys", "/dev",
    ];
    let is_above_temporary = temporary.is_some_and(|temporary| temporary.starts_with(&canonical));
    let is_top = tops.iter().any(|top| canonical == Path::new(top));
    if is_above_home || is_above_temporary || is_top {
        Kind::Shared
    } else if canonical.ends_with("bin") || canonical.ends_with("shims") {
        Kind::System
    } else if tops.iter().any(|top| canonical.starts_with(top)) {
        // A folder below a system's folder, except for those of users.
        built_or_own(&canonical)
    } else if system.iter().any(|system| canonical.starts_with(system)) {
        Kind::System
    } else {
        built_or_own(&canonical)
    }
}

fn built_or_own(folder: &Path) -> Kind {
    let is_built = folder.ancestors().any(is_marked_as_built)
        || folder
            .components()
            .any(|part| part.as_os_str() == "node_modules");
    if is_built { Kind::Built } else { Kind::Own }
}

/// Returns whether a tool has marked `folder` as its own: Cargo and others by `CACHEDIR.TAG`, Python's virtual
/// environments by their settings.
fn is_marked_as_built(folder: &Path) -> bool {
    ["CACHEDIR.TAG", "pyvenv.cfg"]
        .iter()
        .any(|mark| folder.join(mark).is_file())
}

/// Looks for the files of a program in folders.
pub(super) struct Contents<'c> {
    /// The files that its command names, as absolute paths.
    pub(super) named: &'c [PathBuf],
    /// The files of the referee's command, as canonical paths.
    pub(super) own: &'c [PathBuf],
}

/// Returns the files in `folder` and below that belong to the bot in it: not caches, by-products and what the referee writes.
///
/// # Errors
/// If there are more than a bot has; the message says so.
pub fn files_of_bot(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let files = Contents {
        named: &[],
        own: &[],
    }
    .all(folder);
    files.map_err(|much| {
        format!(
            "{} has {much}; give the bot a folder of its own",
            folder.display()
        )
    })
}

/// Something in a folder.
struct Entry {
    name: String,
    path: PathBuf,
    metadata: Metadata,
}

impl Contents<'_> {
    /// Returns all files in `folder` and below.
    pub(super) fn all(&self, folder: &Path) -> Result<Vec<PathBuf>, TooMuch> {
        let mut sum = Sum::default();
        self.add_all(folder, &mut sum)?;
        Ok(sum.files)
    }

    fn add_all(&self, folder: &Path, sum: &mut Sum) -> Result<(), TooMuch> {
        for entry in self.entries(folder, sum)? {
            if entry.metadata.is_dir() {
                self.add_all(&entry.path, sum)?;
            } else {
                sum.add(&entry)?;
            }
        }
        Ok(())
    }

    /// Returns the files with this ending in `folder` and, if `below` says so, in the folders below, without hidden ones.
    pub(super) fn beside(
        &self,
        folder: &Path,
        ending: &OsStr,
        below: bool,
    ) -> Result<Vec<PathBuf>, TooMuch> {
        let mut sum = Sum::default();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in self.entries(&folder, &mut sum)? {
                if entry.name.starts_with('.') {
                    continue;
                }
                if entry.metadata.is_dir() {
                    if below {
                        folders.push(entry.path);
                    }
                } else if entry.path.extension() == Some(ending) {
                    sum.add(&entry)?;
                }
            }
        }
        Ok(sum.files)
    }

    /// Returns what is in `folder`, by name, without what is not part of a program: caches, by-products, what the
    /// referee writes, and what is neither a file nor a folder. Links lead to files only, so that no way is endless.
    fn entries(&self, folder: &Path, sum: &mut Sum) -> Result<Vec<Entry>, TooMuch> {
        // A folder that cannot be read has nothing for bots either.
        let listed = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut entries = Vec::new();
        for listed in listed {
            sum.entries += 1;
            if sum.entries > MOST_ENTRIES {
                return Err(TooMuch::Files);
            }
            let name = listed.file_name().to_string_lossy().into_owned();
            let path = listed.path();
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            let is_link = listed.file_type().is_ok_and(|kind| kind.is_symlink());
            let counts = if metadata.is_dir() {
                !is_link && !kits::is_cache(&name) && !is_marked_as_built(&path)
            } else {
                metadata.is_file() && (self.named.contains(&path) || !kits::is_byproduct(&name))
            };
            if counts && !self.is_of_referee(&path, &metadata) {
                entries.push(Entry {
                    name,
                    path,
                    metadata,
                });
            }
        }
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    fn is_of_referee(&self, path: &Path, metadata: &Metadata) -> bool {
        if self.named.iter().any(|named| named == path) {
            return false;
        }
        let is_own = |path: PathBuf| self.own.contains(&path);
        if !self.own.is_empty() && path.canonicalize().is_ok_and(is_own) {
            return true;
        }
        let mut first = [0; OF_REFEREE.len()];
        metadata.is_file()
            && File::open(path)
                .and_then(|file| Text::new(file).read_exact(&mut first))
                .is_ok()
            && first == OF_REFEREE
    }
}

/// Files so far, within the limits.
#[derive(Default)]
struct Sum {
    files: Vec<PathBuf>,
    bytes: u64,
    /// The number of files and folders that have been looked at.
    entries: usize,
}

impl Sum {
    fn add(&mut self, entry: &Entry) -> Result<(), TooMuch> {
        self.bytes = self.bytes.saturating_add(entry.metadata.len());
        if self.bytes > MOST_BYTES {
            return Err(TooMuch::Bytes);
        }
        if self.files.len() == MOST_FILES {
            return Err(TooMuch::Files);
        }
        self.files.push(entry.path.clone());
        Ok(())
    }
}
