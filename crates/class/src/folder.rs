//! Where everything of a class is.

use std::path::{Path, PathBuf};

/// The folder of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassFolder(PathBuf);

impl ClassFolder {
    /// The class in `folder`, whether or not it has been set up.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> ClassFolder {
        ClassFolder(folder.into())
    }

    /// Returns the folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns everything in the folder except the programs of students: what their bots must not read.
    #[must_use]
    pub fn all_but_bots(&self) -> [PathBuf; 8] {
        [
            self.config(),
            self.secret(),
            self.roster(),
            self.submissions(),
            self.database(),
            self.games(),
            self.site(),
            self.private(),
        ]
    }

    /// The rules of the class: what is played, by when, and what is a pass.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.0.join("class.toml")
    }

    /// Random digits from which all seeds follow. No bot, page or other user reads them.
    #[must_use]
    pub fn secret(&self) -> PathBuf {
        self.0.join("class.secret")
    }

    /// The students.
    #[must_use]
    pub fn roster(&self) -> PathBuf {
        self.0.join("roster.csv")
    }

    /// What the students have handed in, a folder each.
    #[must_use]
    pub fn submissions(&self) -> PathBuf {
        self.0.join("submissions")
    }

    /// The index of versions, builds, checks and series.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.0.join("class.db")
    }

    /// The built bots, a folder for each version.
    #[must_use]
    pub fn bots(&self) -> PathBuf {
        self.0.join("bots")
    }

    /// The records of all series.
    #[must_use]
    pub fn games(&self) -> PathBuf {
        self.0.join("games")
    }

    /// The pages for everyone.
    #[must_use]
    pub fn site(&self) -> PathBuf {
        self.0.join("site")
    }

    /// The pages for one student each.
    #[must_use]
    pub fn private(&self) -> PathBuf {
        self.0.join("private")
    }
}
