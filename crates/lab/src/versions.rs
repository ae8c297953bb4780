//! The versions of a bot that were kept: in a folder beside its files, with the records of their
//! games.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use arena::record::files_of_bot;
use arena::record::lock_patiently;
use arena::system;

use crate::LabError;
use crate::watch::Watch;

/// The versions of one bot, to which no other process adds as long as this lives.
#[derive(Debug)]
pub struct Versions {
    bot: PathBuf,
    folder: PathBuf,
    _lock: File,
}

/// The file that names the version which is compared with.
const BASE: &str = "base";

impl Versions {
    /// Opens the versions of the bot in the folder `bot`. What an earlier process left half done
    /// goes.
    ///
    /// # Errors
    /// If another process has them open, or the folder cannot be written.
    pub fn open(bot: &Path) -> Result<Versions, LabError> {
        let folder = bot.join(kits::VERSIONS_FOLDER);
        let io = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
        };
        fs::create_dir_all(&folder).map_err(io)?;
        let path = folder.join("lock");
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(io)?;
        match lock_patiently(|| system::try_lock(&lock)) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LabError::Misuse(format!(
                    "another referee dev runs on {}; end it first, or work on there",
                    bot.display()
                )));
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error).into()),
        }
        // It is nothing to commit.
        fs::write(folder.join(".gitignore"), "*\n").map_err(io)?;
        let versions = Versions {
            bot: bot.to_owned(),
            folder: folder.clone(),
            _lock: lock,
        };
        // Without a base it is not known what was accepted.
        if let Some(base) = versions.base() {
            for number in numbers(&folder) {
                if number > base && versions.version(number).is_dir() {
                    versions.remove(number).map_err(io)?;
                }
            }
        }
        Ok(versions)
    }

    /// Returns the number of the last version that was accepted; `None` if there is none.
    #[must_use]
    pub fn base(&self) -> Option<u32> {
        let base = fs::read_to_string(self.folder.join(BASE)).ok()?;
        let number = base.trim().parse().ok()?;
        self.version(number).is_dir().then_some(number)
    }

    /// Returns the folder of a version.
    #[must_use]
    pub fn version(&self, number: u32) -> PathBuf {
        self.folder.join(format!("v{number}"))
    }

    /// Returns the path of the record of the games of a version.
    #[must_use]
    pub fn record(&self, number: u32) -> PathBuf {
        self.folder.join(format!("v{number}.jsonl"))
    }

    /// Copies what the bot's folder has now as the next version, and returns its number; `None` if
    /// the last accepted version has the same files.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub fn copy(&self) -> io::Result<Option<u32>> {
        let last = numbers(&self.folder).into_iter().max().unwrap_or(0);
        let number = last.saturating_add(1);
        let version = self.version(number);
        for path in files_of_bot(&self.bot).map_err(io::Error::other)? {
            let Ok(below) = path.strip_prefix(&self.bot) else {
                continue;
            };
            let to = version.join(below);
            fs::create_dir_all(to.parent().unwrap_or(&version))?;
            match fs::copy(&path, &to) {
                // An editor has renamed it; what is there now is looked at next.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                copied => drop(copied?),
            }
        }
        let base = self.base().map(|base| self.version(base));
        if let Some(base) = base
            && Watch::new(&base).look()? == Watch::new(&version).look()?
        {
            self.remove(number)?;
            return Ok(None);
        }
        Ok(Some(number))
    }

    /// Accepts a version: later ones are compared with it.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn accept(&self, number: u32) -> io::Result<()> {
        // At once, so that a process that is killed here leaves the old one or the new one.
        let new = self.folder.join("base.tmp");
        fs::write(&new, number.to_string())?;
        fs::rename(new, self.folder.join(BASE))
    }

    /// Removes the files of a version that is not accepted; its record stays.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn remove(&self, number: u32) -> io::Result<()> {
        fs::remove_dir_all(self.version(number))
    }
}

/// Returns the numbers of the versions and the records in `folder`.
fn numbers(folder: &Path) -> Vec<u32> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if let Some(number) = name.trim_end_matches(".jsonl").strip_prefix('v')
            && let Ok(number) = number.parse()
        {
            numbers.push(number);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_kept_when_it_is_accepted() {
        let bot = tempfile::tempdir().unwrap();
        fs::write(bot.path().join("bot.py"), "1").unwrap();
        let versions = Versions::open(bot.path()).unwrap();
        assert_eq!((versions.base(), versions.copy().unwrap()), (None, Some(1)));
        versions.accept(1).unwrap();
        assert_eq!((versions.base(), versions.copy().unwrap()), (Some(1), None));
        fs::write(bot.path().join("bot.py"), "2").unwrap();
        assert_eq!(versions.copy().unwrap(), Some(2));
        fs::write(versions.record(2), "").unwrap();
        drop(versions);
        // The second was not heard of before the end.
        let versions = Versions::open(bot.path()).unwrap();
        assert!(versions.version(1).is_dir() && !versions.version(2).exists());
        assert_eq!(
            (versions.base(), versions.copy().unwrap()),
            (Some(1), Some(3))
        );
        // The accepted version stays, even if the note of the last version is lost.
        fs::write(bot.path().join(kits::VERSIONS_FOLDER).join(BASE), "").unwrap();
        drop(versions);
        assert!(Versions::open(bot.path()).unwrap().version(1).is_dir());
    }

    #[test]
    fn one_process_keeps_versions_of_a_bot() {
        let bot = tempfile::tempdir().unwrap();
        let _one = Versions::open(bot.path()).unwrap();
        let error = Versions::open(bot.path()).unwrap_err().to_string();
        assert!(error.starts_with("another referee dev runs on "), "{error}");
    }
}
