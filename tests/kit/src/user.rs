//! The users who run the referee in tests: the one who runs the tests, and, where that is root, one without any
//! privilege.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::programs::referee_in;
use crate::tools;

/// The number of the user, and of the group, without any privilege.
const ORDINARY: u32 = 1500;

/// A user who runs the referee.
#[derive(Debug)]
pub enum User {
    /// The one who runs the tests.
    Own,
    /// One without any privilege, with a folder of its own for the referee.
    Ordinary(TempDir),
}

impl User {
    /// Root tries it as another user too.
    pub fn all() -> Vec<User> {
        let ordinary = tools::is_root().then(User::ordinary);
        [User::Own].into_iter().chain(ordinary).collect()
    }

    /// Returns the one without any privilege. Only root can become that one.
    pub fn ordinary() -> User {
        let folder = tempfile::tempdir().unwrap();
        referee_in(folder.path());
        open_to_all(folder.path());
        User::Ordinary(folder)
    }

    /// Returns the referee as this user runs it.
    pub fn referee(&self) -> Command {
        let words = self.words();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// Returns the words that run the referee as this user, which its arguments follow.
    pub fn words(&self) -> Vec<String> {
        let referee = match self {
            User::Own => crate::programs::built("referee"),
            User::Ordinary(folder) => folder.path().join("referee").display().to_string(),
        };
        self.words_before().into_iter().chain([referee]).collect()
    }

    /// Returns a program as this user runs it.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut all = self.words_before();
        all.extend(words.iter().map(|word| (*word).to_owned()));
        let mut command = Command::new(&all[0]);
        command.args(&all[1..]);
        command
    }

    /// Returns the words with which this user runs a program.
    fn words_before(&self) -> Vec<String> {
        let User::Ordinary(folder) = self else {
            return Vec::new();
        };
        let (number, home) = (
            ORDINARY.to_string(),
            format!("HOME={}", folder.path().display()),
        );
        let words = [
            "setpriv",
            "--reuid",
            &number,
            "--regid",
            &number,
            "--clear-groups",
        ];
        words
            .into_iter()
            .chain(["--inh-caps=-all", "env", &home])
            .map(str::to_owned)
            .collect()
    }

    /// Gives this user a file or folder.
    pub fn give(&self, path: &Path) {
        if let User::Ordinary(_) = self {
            std::os::unix::fs::chown(path, Some(ORDINARY), Some(ORDINARY)).unwrap();
        }
    }
}

/// Has every user read in `folder`, as far as the folders above it are for temporary files.
pub fn open_to_all(folder: &Path) {
    for folder in folder
        .ancestors()
        .take_while(|folder| folder.starts_with(std::env::temp_dir()))
    {
        if folder != std::env::temp_dir() {
            std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
        }
    }
}
