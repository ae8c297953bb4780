//! The index of a class: versions of bots, and what is known of each.
//!
//! It is an `SQLite` database with a write-ahead log, so several programs can use it at once, and
//! one that is killed leaves it whole. Whatever is in it can be made again from the submissions and
//! the records of the games.

mod bots;
mod faults;
mod nights;
mod series;
mod versions;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row};
use thiserror::Error;

pub use self::bots::Verdict;
pub(crate) use self::bots::{Bot, BotKey};
pub(crate) use self::faults::{FailedStep, MachineFault};
pub(crate) use self::nights::Standing;
pub(crate) use self::series::{Forfeit, Odd, Pairing, PlayedSeries, Results, Sum, Sums};
pub use self::versions::{State, Version};

/// The form of the tables. A later one may know how to read an earlier one, not the other way
/// round.
const FORM: i64 = 1;

/// Time that another program may hold the database.
const PATIENCE: Duration = Duration::from_secs(30);

/// Time between two tries to open it.
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
    -- What tells whether that has changed.
    stamp TEXT NOT NULL,
    state TEXT NOT NULL,
    -- How it is built and started.
    kind TEXT NOT NULL,
    command TEXT NOT NULL,
    -- What the build printed, or why there is none.
    log TEXT NOT NULL,
    -- What tells built bots apart: of all files and the command.
    digest TEXT NOT NULL,
    UNIQUE (student, submitted)
) STRICT;
-- What plays: each built version, once if several of a student are the same, and the bots of the staff.
CREATE TABLE bot (
    id INTEGER PRIMARY KEY,
    -- Empty for the staff.
    student TEXT NOT NULL,
    -- Of a bot of the staff; else empty.
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    command TEXT NOT NULL,
    -- The result of the check under the terms `checked`; none before that.
    verdict TEXT,
    checked TEXT NOT NULL DEFAULT '',
    -- What the check printed.
    report TEXT NOT NULL DEFAULT '',
    UNIQUE (student, name, digest)
) STRICT;
CREATE TABLE series (
    one INTEGER NOT NULL REFERENCES bot,
    two INTEGER NOT NULL REFERENCES bot,
    -- The digest of what its games depend on.
    terms TEXT NOT NULL,
    -- Among the series of these two, from 0.
    number INTEGER NOT NULL,
    -- When it ended, in seconds since 1970, UTC, and how long it took, in milliseconds.
    played INTEGER NOT NULL,
    took INTEGER NOT NULL,
    -- Where its record is: below the folder of the class, and up to which byte of the file.
    file TEXT NOT NULL,
    behind INTEGER NOT NULL,
    games INTEGER NOT NULL,
    -- Pairs of games by the half points of `one`, and games in no pair by what they brought it.
    pairs0 INTEGER NOT NULL, pairs1 INTEGER NOT NULL, pairs2 INTEGER NOT NULL, pairs3 INTEGER NOT NULL,
    pairs4 INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    -- What was odd about `one` and `two`, as JSON.
    odd1 TEXT NOT NULL, odd2 TEXT NOT NULL,
    PRIMARY KEY (one, two, terms, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX series_file ON series (file, behind);
-- Games that a bot lost by its own fault.
CREATE TABLE forfeit (
    one INTEGER NOT NULL, two INTEGER NOT NULL, terms TEXT NOT NULL, number INTEGER NOT NULL,
    -- Among the games of these two, from 1.
    game INTEGER NOT NULL,
    bot INTEGER NOT NULL REFERENCES bot,
    reason TEXT NOT NULL,
    -- The last lines that were said to the bot and by it, as a transcript has them.
    said TEXT NOT NULL,
    PRIMARY KEY (one, two, terms, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX forfeit_bot ON forfeit (bot, terms);
-- How the standings were after each night.
CREATE TABLE night (
    day TEXT NOT NULL,
    bot INTEGER NOT NULL REFERENCES bot,
    place INTEGER NOT NULL,
    rating REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (day, bot)
) STRICT, WITHOUT ROWID;
-- Names of pages that cannot be guessed.
CREATE TABLE secret (
    student TEXT PRIMARY KEY,
    page TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Tables that an index of an earlier version of this form lacks. That version does not read them.
const ADDED_TABLES: &str = "
-- What each check of a bot found, the first one first: the first decides the verdict.
CREATE TABLE IF NOT EXISTS check_result (
    bot INTEGER NOT NULL REFERENCES bot,
    terms TEXT NOT NULL,
    -- Among the checks of the bot under these terms, from 0.
    number INTEGER NOT NULL,
    -- In seconds since 1970, UTC.
    played INTEGER NOT NULL,
    -- As JSON.
    result TEXT NOT NULL,
    PRIMARY KEY (bot, terms, number)
) STRICT, WITHOUT ROWID;
-- Work of students that waits for the machine.
CREATE TABLE IF NOT EXISTS machine_fault (
    -- Of the roster.
    student TEXT NOT NULL,
    step TEXT NOT NULL,
    -- The time of a version, or the digest of a bot.
    subject TEXT NOT NULL,
    tool TEXT NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (student, step)
) STRICT, WITHOUT ROWID;
";

/// The reason why the index cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It says so itself.
    #[error("{file}: {error}")]
    Database {
        /// The file.
        file: String,
        /// The fault.
        error: rusqlite::Error,
    },
    /// A later version of this program has written it.
    #[error("{0} was written by a later version of referee; use that one")]
    Later(String),
}

/// Makes the file at `path`, if there is none, for its owner alone: the names of private pages are
/// in it. What else the database writes gets the same permissions. Where that fails, opening it
/// says why.
#[cfg(unix)]
fn keep_to_owner(path: &Path) {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

    let mut options = std::fs::OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path);
    let _ = file.and_then(|file| file.set_permissions(std::fs::Permissions::from_mode(0o600)));
}

/// A user's own folders are private there.
#[cfg(not(unix))]
fn keep_to_owner(_path: &Path) {}

/// The index of a class.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Connection,
    file: String,
}

impl Store {
    /// Opens the index, or makes an empty one.
    ///
    /// # Errors
    /// If the file is none, if a later version of this program wrote it, or if it cannot be
    /// written.
    pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
        let file = path.display().to_string();
        let failed = |error| StoreError::Database {
            file: file.clone(),
            error,
        };
        keep_to_owner(path);
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

    /// Does `work` as a whole or not at all.
    fn change(
        &mut self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let failed = |error| StoreError::Database {
            file: self.file.clone(),
            error,
        };
        let immediate = rusqlite::TransactionBehavior::Immediate;
        let transaction = self
            .connection
            .transaction_with_behavior(immediate)
            .map_err(failed)?;
        work(&transaction)
            .and_then(|()| transaction.commit())
            .map_err(|error| StoreError::Database {
                file: self.file.clone(),
                error,
            })
    }

    fn run<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| StoreError::Database {
            file: self.file.clone(),
            error,
        })
    }

    /// Executes a statement that returns no rows.
    fn execute(&self, statement: &str, values: impl Params) -> Result<(), StoreError> {
        self.run(|connection| {
            connection.prepare_cached(statement)?.execute(values)?;
            Ok(())
        })
    }

    /// Returns the rows of a query, each read by `read`.
    fn rows<T>(
        &self,
        query: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.run(|connection| {
            connection
                .prepare_cached(query)?
                .query_map(values, read)?
                .collect()
        })
    }

    /// Returns the only row of a query, read by `read`; `None` if there is none.
    fn row<T>(
        &self,
        query: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.run(|connection| {
            connection
                .prepare_cached(query)?
                .query_row(values, read)
                .optional()
        })
    }

    /// Returns the value in the only row of a query, which there is.
    fn value<T: FromSql>(&self, query: &str, values: impl Params) -> Result<T, StoreError> {
        self.run(|connection| {
            connection
                .prepare_cached(query)?
                .query_row(values, |row| row.get(0))
        })
    }
}

/// Stores an enum as the word of each variant, which is what it prints, too. It has all variants in
/// `ALL`, and a method `word`.
macro_rules! stored_as_word {
    ($of:ty) => {
        impl std::fmt::Display for $of {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl rusqlite::types::ToSql for $of {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.word().into())
            }
        }

        impl rusqlite::types::FromSql for $of {
            fn column_result(
                value: rusqlite::types::ValueRef<'_>,
            ) -> rusqlite::types::FromSqlResult<$of> {
                let word = value.as_str()?;
                let named = <$of>::ALL.into_iter().find(|one| one.word() == word);
                named.ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    };
}
use stored_as_word;

/// Makes the tables, if there are none. Returns their form.
fn begin(connection: &mut Connection) -> rusqlite::Result<i64> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // Data that has been written survives a power cut, too.
    connection.pragma_update(None, "synchronous", "full")?;
    // Two programs may begin at once.
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let form: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if form == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "user_version", FORM)?;
    }
    if form <= FORM {
        transaction.execute_batch(ADDED_TABLES)?;
    }
    transaction.commit()?;
    Ok(form.max(FORM))
}

/// Returns the time that a table has as seconds since 1970.
fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or_default()
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(student: &str, second: i64) -> Version {
        Version {
            student: student.to_owned(),
            submitted: Timestamp::from_second(second).unwrap(),
            source: format!("submissions/{student}/1"),
            stamp: String::new(),
            state: State::Built,
            kind: "Python".to_owned(),
            command: "python3 bot.py".to_owned(),
            digest: "d1".to_owned(),
        }
    }

    #[test]
    fn what_is_put_in_is_there_when_it_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("class.db");
        let store = Store::open(&path).unwrap();
        let one = version("ada", 1);
        let two = version("ada", 2);
        store.put_version(&two, "").unwrap();
        store.put_version(&version("bob", 1), "").unwrap();
        store.put_version(&one, "").unwrap();
        drop(store);
        let store = Store::open(&path).unwrap();
        assert_eq!(
            store.versions().unwrap(),
            [one.clone(), two, version("bob", 1)]
        );
        assert_eq!(
            store.version("ada", one.submitted).unwrap(),
            Some(one.clone())
        );
        assert_eq!(store.version("eve", one.submitted).unwrap(), None);
        let failed = Version {
            state: State::Unbuilt,
            ..one
        };
        store.put_version(&failed, "error").unwrap();
        assert_eq!(store.versions().unwrap().len(), 3);
        assert_eq!(store.log(&failed).unwrap(), "error");
        assert_eq!(
            store.version("ada", failed.submitted).unwrap(),
            Some(failed)
        );
    }

    #[test]
    fn several_programs_write_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("class.db");
        std::thread::scope(|scope| {
            for student in ["ada", "bob", "eve", "dan"] {
                scope.spawn(move || {
                    let store = Store::open(path).unwrap();
                    (0..50).for_each(|second| {
                        store.put_version(&version(student, second), "").unwrap();
                    });
                });
            }
        });
        assert_eq!(Store::open(path).unwrap().versions().unwrap().len(), 200);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("class.db");
        std::fs::write(
            &path,
            "no database, but a text that is long enough to be looked at",
        )
        .unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(
            error.contains("class.db: file is not a database"),
            "{error}"
        );
        let later = folder.path().join("later.db");
        let store = Store::open(&later).unwrap();
        store
            .connection
            .pragma_update(None, "user_version", FORM + 1)
            .unwrap();
        drop(store);
        let error = Store::open(&later).unwrap_err().to_string();
        assert!(
            error.contains("later.db was written by a later version"),
            "{error}"
        );
    }
}
