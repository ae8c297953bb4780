//! Versions of students' bots in the index.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, StoreError, stored_as_word, time};

/// The state of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is looked at again once the class has the course's files.
    Waiting,
    /// It cannot be unpacked, or nothing tells how it is started.
    Refused,
    /// Its build failed.
    Unbuilt,
    /// It can be started.
    Built,
}

impl State {
    const ALL: [State; 4] = [State::Waiting, State::Refused, State::Unbuilt, State::Built];

    const fn word(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Refused => "refused",
            State::Unbuilt => "unbuilt",
            State::Built => "built",
        }
    }
}

stored_as_word!(State);

/// One version of a student's bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Of the roster.
    pub student: String,
    /// The time when it was handed in.
    pub submitted: Timestamp,
    /// The folder or the archive, below that of the class.
    pub source: String,
    /// A stamp that tells whether that has changed.
    pub stamp: String,
    /// Its state.
    pub state: State,
    /// Its language or tool, for people.
    pub kind: String,
    /// The command that starts it in its folder.
    pub command: String,
    /// The key that tells built bots apart.
    pub digest: String,
}

/// Everything but the log, which is long and rarely shown.
const COLUMNS: &str = "student, submitted, source, stamp, state, kind, command, digest";

impl Store {
    /// Adds a version, or replaces what is known of it. `log` is what its build printed, or why
    /// there is none.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn put_version(&self, version: &Version, log: &str) -> Result<(), StoreError> {
        self.execute(
                    "INSERT INTO version (student, submitted, source, stamp, state, kind, command, log, digest)
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                     ON CONFLICT (student, submitted) DO UPDATE SET
                         source = excluded.source, stamp = excluded.stamp, state = excluded.state, kind = excluded.kind,
                         command = excluded.command, log = excluded.log, digest = excluded.digest",
            params![
                    version.student,
                    version.submitted.as_second(),
                    version.source,
                    version.stamp,
                    version.state,
                    version.kind,
                    version.command,
                    log,
                    version.digest,
            ],
        )
    }

    /// Returns what is known of the version that a student handed in at that time.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn version(
        &self,
        student: &str,
        at: Timestamp,
    ) -> Result<Option<Version>, StoreError> {
        self.row(
            &format!("SELECT {COLUMNS} FROM version WHERE student = ? AND submitted = ?"),
            params![student, at.as_second()],
            version_of,
        )
    }

    /// Returns what the build of a version printed, or why there was none.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such version.
    pub(crate) fn log(&self, version: &Version) -> Result<String, StoreError> {
        self.value(
            "SELECT log FROM version WHERE student = ? AND submitted = ?",
            params![version.student, version.submitted.as_second()],
        )
    }

    /// Returns all versions, by student, the oldest first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn versions(&self) -> Result<Vec<Version>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM version ORDER BY student, submitted");
        self.rows(&query, [], version_of)
    }
}

fn version_of(row: &Row<'_>) -> rusqlite::Result<Version> {
    Ok(Version {
        student: row.get("student")?,
        submitted: time(row.get("submitted")?),
        source: row.get("source")?,
        stamp: row.get("stamp")?,
        state: row.get("state")?,
        kind: row.get("kind")?,
        command: row.get("command")?,
        digest: row.get("digest")?,
    })
}
