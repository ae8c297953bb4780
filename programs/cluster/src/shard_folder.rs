//! The folder of a contest whose shards are played by the tasks of a cluster: what all of them have
//! to agree on.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use bothost::text;

/// The name of the file with it.
const FILE: &str = "contest.json";

/// The settings that all tasks of a contest share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShardedContest {
    /// The seed. In a file and not in the command of a task, which every user of a node may read.
    pub(crate) seed: u64,
    /// The number of shards.
    pub(crate) shards: usize,
}

/// The reason why there is no such agreement.
#[derive(Debug, Error)]
pub(crate) enum ShardFolderError {
    /// The file cannot be read or written.
    #[error("{}: {error}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{} does not say how a contest is divided: {error}", shown(.path))]
    Other {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: serde_json::Error,
    },
    /// Something else is asked for than the folder has.
    #[error(
        "{} has a contest with {what} {there}, and {here} is asked for: ask for {there}, or begin again with --force",
        shown(.folder)
    )]
    Differs {
        /// The folder.
        folder: PathBuf,
        /// The name of the value that differs.
        what: &'static str,
        /// Its value there.
        there: u64,
        /// Its value here.
        here: u64,
    },
}

impl ShardedContest {
    /// Returns what the contest in `folder` has agreed on; `None` if there is none yet.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Option<ShardedContest>, ShardFolderError> {
        let path = folder.join(FILE);
        match std::fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ShardFolderError::Io { path, error }),
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|error| ShardFolderError::Other { path, error }),
        }
    }

    /// Writes it into `folder`, which is made if need be.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(self, folder: &Path) -> Result<(), ShardFolderError> {
        let path = folder.join(FILE);
        let part = folder.join("contest.part");
        let write = || {
            std::fs::create_dir_all(folder)?;
            std::fs::write(&part, serde_json::to_string(&self)? + "\n")?;
            // Whole or not at all: without its seed a contest cannot continue.
            std::fs::rename(&part, &path)
        };
        write().map_err(|error| ShardFolderError::Io {
            path: path.clone(),
            error,
        })
    }

    /// Checks that what is asked for, if anything, is what `folder` has.
    ///
    /// # Errors
    /// If it is not.
    pub(crate) fn check(
        self,
        folder: &Path,
        seed: Option<u64>,
        shards: Option<usize>,
    ) -> Result<(), ShardFolderError> {
        let shards = shards.map(|shards| shards as u64);
        for (what, there, here) in [
            ("--seed", self.seed, seed),
            ("--shards", self.shards as u64, shards),
        ] {
            if let Some(here) = here.filter(|here| *here != there) {
                let folder = folder.to_owned();
                return Err(ShardFolderError::Differs {
                    folder,
                    what,
                    there,
                    here,
                });
            }
        }
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_keeps_what_a_contest_has_agreed_on() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("cup.jsonl.shards");
        assert_eq!(ShardedContest::read(&folder).unwrap(), None);
        let contest = ShardedContest {
            seed: u64::MAX,
            shards: 8,
        };
        contest.write(&folder).unwrap();
        let found = ShardedContest::read(&folder).unwrap().unwrap();
        assert_eq!(found, contest);
        assert!(found.check(&folder, None, Some(8)).is_ok());
        let error = found.check(&folder, Some(3), None).unwrap_err().to_string();
        assert!(error.contains("has a contest with --seed"), "{error}");
        assert!(found.check(&folder, None, Some(9)).is_err());
    }
}
