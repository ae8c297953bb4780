//! The index of a class: versions of bots, and what is known of each.
//!
//! It is an `SQLite` database with a write-ahead log, so several programs can use it at once, and one that is killed leaves it
//! whole. Whatever is in it can be made anew from the submissions and the records of the games.

use std::fmt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};
use thiserror::Error;

/// The form of the tables. A later one may know how to read an earlier one, not the other way round.
const FORM: i64 = 1;

/// How long another program may hold the database.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long it is waited before the next try to open it.
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

const TABLES: &str = "
CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    -- Of the roster.
    student TEXT NOT NULL,
    -- When it was handed in, in seconds since 1970, UTC.
    submitted INTEGER NOT NULL,
    -- The folder or the archive, below that of the class.
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    -- How it is built and started.
    kind TEXT NOT NULL DEFAULT '',
    command TEXT NOT NULL DEFAULT '',
    -- What the build printed, or why there is none.
    log TEXT NOT NULL DEFAULT '',
    -- What tells built bots apart: of all files.
    digest TEXT NOT NULL DEFAULT '',
    UNIQUE (student, submitted)
) STRICT;
";

/// Why the index cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It says so itself.
    #[error("{file}: {error}")]
    Database {
        /// The file.
        file: String,
        /// What is wrong.
        error: rusqlite::Error,
    },
    /// A later version of this program has written it.
    #[error("{0} was written by a later version of referee; use that one")]
    Later(String),
}

/// How far a version has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It cannot be unpacked, or nothing tells how it is started.
    Refused,
    /// Its build failed.
    Unbuilt,
    /// It can be started.
    Built,
}

impl State {
    const ALL: [State; 3] = [State::Refused, State::Unbuilt, State::Built];

    const fn word(self) -> &'static str {
        match self {
            State::Refused => "refused",
            State::Unbuilt => "unbuilt",
            State::Built => "built",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl ToSql for State {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.word().into())
    }
}

impl FromSql for State {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<State> {
        let word = value.as_str()?;
        State::ALL.into_iter().find(|state| state.word() == word).ok_or(FromSqlError::InvalidType)
    }
}

/// One version of a student's bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Of the roster.
    pub student: String,
    /// When it was handed in.
    pub submitted: Timestamp,
    /// The folder or the archive, below that of the class.
    pub source: String,
    /// How far it has come.
    pub state: State,
    /// What it is made with, for people.
    pub kind: String,
    /// The command that starts it in its folder.
    pub command: String,
    /// What the build printed, or why there is none.
    pub log: String,
    /// What tells built bots apart.
    pub digest: String,
}

/// The index of a class.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: String,
}

impl Store {
    /// Opens the index, or makes an empty one.
    ///
    /// # Errors
    /// If the file is none, if a later version of this program wrote it, or if it cannot be written.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let file = path.display().to_string();
        let failed = |error| StoreError::Database { file: file.clone(), error };
        let mut connection = Connection::open(path).map_err(failed)?;
        let began = Instant::now();
        let form = loop {
            match begin(&mut connection) {
                // The database itself does not wait while another program switches the log on.
                Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => {
                    thread::sleep(BETWEEN_TRIES);
                }
                begun => break begun.map_err(failed)?,
            }
        };
        if form > FORM {
            return Err(StoreError::Later(file));
        }
        Ok(Store { connection, file })
    }

    fn run<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.connection)
            .map_err(|error| StoreError::Database { file: self.file.clone(), error })
    }

    /// Adds a version, or replaces what is known of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&self, version: &Version) -> Result<(), StoreError> {
        self.run(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO version (student, submitted, source, state, kind, command, log, digest)
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                     ON CONFLICT (student, submitted) DO UPDATE SET
                         source = excluded.source, state = excluded.state, kind = excluded.kind,
                         command = excluded.command, log = excluded.log, digest = excluded.digest",
                )?
                .execute(params![
                    version.student,
                    version.submitted.as_second(),
                    version.source,
                    version.state,
                    version.kind,
                    version.command,
                    version.log,
                    version.digest,
                ])
                .map(drop)
        })
    }

    /// Returns what is known of the version that a student handed in at that time.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn version(&self, student: &str, at: Timestamp) -> Result<Option<Version>, StoreError> {
        self.run(|connection| {
            connection
                .prepare_cached("SELECT * FROM version WHERE student = ? AND submitted = ?")?
                .query_row(params![student, at.as_second()], version_of)
                .optional()
        })
    }

    /// Returns all versions, by student, the oldest first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn versions(&self) -> Result<Vec<Version>, StoreError> {
        self.run(|connection| {
            connection
                .prepare_cached("SELECT * FROM version ORDER BY student, submitted")?
                .query_map([], version_of)?
                .collect()
        })
    }
}

/// Makes the tables, if there are none. Returns their form.
fn begin(connection: &mut Connection) -> rusqlite::Result<i64> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    // Two programs may begin at once.
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let form: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if form == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "user_version", FORM)?;
    }
    transaction.commit()?;
    Ok(form.max(FORM))
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

fn version_of(row: &Row<'_>) -> rusqlite::Result<Version> {
    let seconds: i64 = row.get("submitted")?;
    Ok(Version {
        student: row.get("student")?,
        submitted: Timestamp::from_second(seconds).unwrap_or_default(),
        source: row.get("source")?,
        state: row.get("state")?,
        kind: row.get("kind")?,
        command: row.get("command")?,
        log: row.get("log")?,
        digest: row.get("digest")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(student: &str, second: i64) -> Version {
        Version {
            student: student.to_owned(),
            submitted: Timestamp::from_second(second).unwrap(),
            source: format!("submissions/{student}/1"),
            state: State::Built,
            kind: "Python".to_owned(),
            command: "python3 bot.py".to_owned(),
            log: String::new(),
            digest: "d1".to_owned(),
        }
    }

    #[test]
    fn what_is_put_in_is_there_when_it_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("class.db");
        let store = Store::open(&path).unwrap();
        let (one, two) = (version("ada", 1), version("ada", 2));
        store.put(&two).unwrap();
        store.put(&version("bob", 1)).unwrap();
        store.put(&one).unwrap();
        drop(store);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.versions().unwrap(), [one.clone(), two, version("bob", 1)]);
        assert_eq!(store.version("ada", one.submitted).unwrap(), Some(one.clone()));
        assert_eq!(store.version("eve", one.submitted).unwrap(), None);
        let failed = Version { state: State::Unbuilt, log: "error".to_owned(), ..one };
        store.put(&failed).unwrap();
        assert_eq!(store.versions().unwrap().len(), 3);
        assert_eq!(store.version("ada", failed.submitted).unwrap(), Some(failed));
    }

    #[test]
    fn several_programs_write_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("class.db");
        std::thread::scope(|scope| {
            for student in ["ada", "bob", "eve", "dan"] {
                scope.spawn(move || {
                    let store = Store::open(path).unwrap();
                    (0..50).for_each(|second| store.put(&version(student, second)).unwrap());
                });
            }
        });
        assert_eq!(Store::open(path).unwrap().versions().unwrap().len(), 200);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("class.db");
        std::fs::write(&path, "no database, but a text that is long enough to be looked at")
            .unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(error.contains("class.db: file is not a database"), "{error}");
        let later = folder.path().join("later.db");
        let store = Store::open(&later).unwrap();
        store.connection.pragma_update(None, "user_version", FORM + 1).unwrap();
        drop(store);
        let error = Store::open(&later).unwrap_err().to_string();
        assert!(error.contains("later.db was written by a later version"), "{error}");
    }
}
