//! The paths of everything of a class.

use std::fs::canonicalize;
use std::path::{self, Path, PathBuf};

use arena::record::is_same_file;

/// The folder of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClassFolder(PathBuf);

impl ClassFolder {
    /// The class in `folder`, whether or not it has been set up.
    pub(crate) fn new(folder: impl Into<PathBuf>) -> ClassFolder {
        ClassFolder(folder.into())
    }

    /// Returns the folder itself.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns everything in the folder except the programs of students: what their bots must not
    /// read.
    pub(crate) fn all_but_bots(&self) -> [PathBuf; 8] {
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

    /// Returns everything in the folder that is no part of a program of the teacher's: what students
    /// hand in and what the steps write changes no bot of the staff.
    pub(crate) fn not_of_teacher(&self) -> Vec<PathBuf> {
        let mut all = self.all_but_bots().to_vec();
        all.push(self.bots());
        // SQLite's own, and what the documentation calls the downloads and the grades.
        let others = [
            "class.db-journal",
            "class.db-shm",
            "class.db-wal",
            "imports",
            "grades.csv",
            "results",
        ];
        all.extend(others.map(|name| self.0.join(name)));
        all
    }

    /// See [`crate::Class::keeps`].
    pub(crate) fn keeps(&self, path: &Path) -> bool {
        let place = canonicalize(path).or_else(|_| {
            let path = path::absolute(path)?;
            canonicalize(path.parent().unwrap_or(&path))
        });
        let files = [self.config(), self.secret(), self.roster(), self.database()];
        files.iter().any(|file| is_same_file(file, path))
            || [self.submissions(), self.bots(), self.games()]
                .into_iter()
                .any(|folder| {
                    canonicalize(folder).is_ok_and(
                        |folder| matches!(&place, Ok(place) if place.starts_with(folder)),
                    )
                })
    }

    /// The rules of the class: what is played, by when, and what is a pass.
    pub(crate) fn config(&self) -> PathBuf {
        self.0.join("class.toml")
    }

    /// Random digits from which all seeds follow. No bot, page or other user reads them.
    pub(crate) fn secret(&self) -> PathBuf {
        self.0.join("class.secret")
    }

    /// The students.
    pub(crate) fn roster(&self) -> PathBuf {
        self.0.join("roster.csv")
    }

    /// Returns the folder of the students' submissions, with a folder each.
    pub(crate) fn submissions(&self) -> PathBuf {
        self.0.join("submissions")
    }

    /// The index of versions, builds, checks and series.
    pub(crate) fn database(&self) -> PathBuf {
        self.0.join("class.db")
    }

    /// The built bots, a folder for each version.
    pub(crate) fn bots(&self) -> PathBuf {
        self.0.join("bots")
    }

    /// The records of all series.
    pub(crate) fn games(&self) -> PathBuf {
        self.0.join("games")
    }

    /// The pages for everyone.
    pub(crate) fn site(&self) -> PathBuf {
        self.0.join("site")
    }

    /// The pages for one student each.
    pub(crate) fn private(&self) -> PathBuf {
        self.0.join("private")
    }
}
