//! The part of a folder that belongs to the programs in it.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::mentions::Mentions;
use crate::record::Text;
use crate::system;

/// The files of one folder that are read at most. A bot's folder has fewer; a person's has more.
const MOST_FILES: usize = 2000;

/// Their bytes at most.
const MOST_BYTES: u64 = 256 << 20;

/// The entries of a folder that are looked at, to find those that a program mentions.
const MOST_ENTRIES: usize = 20_000;

/// The first bytes of the referee's own files: records, summaries, events.
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

impl Entry {
    /// Returns the name up to its first dot.
    fn stem(&self) -> &str {
        self.name
            .trim_start_matches('.')
            .split('.')
            .next()
            .unwrap_or_default()
    }

    /// Returns what tells programs of one language: the ending, and whether it can be executed if there is none.
    fn language(&self) -> (Option<&str>, bool) {
        let ending = Path::new(&self.name)
            .extension()
            .and_then(|ending| ending.to_str());
        (
            ending,
            ending.is_none() && system::is_executable(&self.metadata),
        )
    }
}

impl Contents<'_> {
    /// Returns all files in `folder` and below.
    pub(super) fn all(&self, folder: &Path) -> Result<Vec<PathBuf>, TooMuch> {
        let mut sum = Sum::default();
        self.add_all(folder, &mut sum)?;
        Ok(sum.files)
    }

    /// Returns the files in `folder` and in the folders below that the program in it mentions, without other programs:
    /// files of the same language that it does not mention, and what is called as those are.
    pub(super) fn beside(&self, folder: &Path) -> Result<Vec<PathBuf>, TooMuch> {
        let entries = self.entries(folder)?;
        let reached = self.reached(&entries);
        let languages: Vec<_> = self
            .programs(&entries)
            .map(|at| entries[at].language())
            .collect();
        let others: Vec<usize> = (0..entries.len())
            .filter(|at| !reached.contains(at) && entries[*at].metadata.is_file())
            .filter(|at| {
                let language = entries[*at].language();
                language != (None, false) && languages.contains(&language)
            })
            .collect();
        let mut sum = Sum::default();
        for (at, entry) in entries.iter().enumerate() {
            let is_others = others
                .iter()
                .any(|other| entries[*other].stem() == entry.stem());
            if reached.contains(&at) {
                self.add(entry, &mut sum)?;
            } else if entry.metadata.is_file() && !is_others {
                sum.add(entry)?;
            }
        }
        Ok(sum.files)
    }

    /// Returns the files in `folder` that the program in it mentions, and those in folders that it mentions.
    pub(super) fn mentioned(&self, folder: &Path) -> Result<Vec<PathBuf>, TooMuch> {
        let entries = self.entries(folder)?;
        let mut sum = Sum::default();
        for at in self.reached(&entries) {
            self.add(&entries[at], &mut sum)?;
        }
        Ok(sum.files)
    }

    fn add(&self, entry: &Entry, sum: &mut Sum) -> Result<(), TooMuch> {
        if entry.metadata.is_dir() {
            self.add_all(&entry.path, sum)
        } else {
            sum.add(entry)
        }
    }

    fn add_all(&self, folder: &Path, sum: &mut Sum) -> Result<(), TooMuch> {
        for entry in self.entries(folder)? {
            self.add(&entry, sum)?;
        }
        Ok(())
    }

    /// Returns the places of the files that the command names.
    fn programs(&self, entries: &[Entry]) -> impl Iterator<Item = usize> {
        (0..entries.len()).filter(|at| self.named.contains(&entries[*at].path))
    }

    /// Returns the places of the files that the command names, of what these mention, and so on.
    fn reached(&self, entries: &[Entry]) -> Vec<usize> {
        let mut reached: Vec<usize> = self.programs(entries).collect();
        let others = (0..entries.len()).filter(|at| !reached.contains(at));
        let mut mentions = Mentions::of(others.map(|at| &*entries[at].name));
        let mut looked = 0;
        while let Some(at) = reached.get(looked) {
            mentions.add_file(&entries[*at].path);
            looked += 1;
            // Once for all that have been read by now: the sets only grow.
            if looked == reached.len() {
                let is_new = |at: &usize| {
                    let Entry { name, .. } = &entries[*at];
                    !reached.contains(at) && mentions.has(name, entries[*at].stem())
                };
                let new: Vec<usize> = (0..entries.len()).filter(is_new).collect();
                reached.extend(new);
            }
        }
        reached.sort_unstable();
        reached
    }

    /// Returns what is in `folder`, by name, without what is not part of a program: caches, by-products, what the
    /// referee writes, and what is neither a file nor a folder. Links lead to files only, so that no way is endless.
    fn entries(&self, folder: &Path) -> Result<Vec<Entry>, TooMuch> {
        // A folder that cannot be read has nothing for bots either.
        let listed = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut entries = Vec::new();
        for (number, listed) in listed.enumerate() {
            if number == MOST_ENTRIES {
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
