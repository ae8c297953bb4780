//! Programs that play, in the index: for people who want to know what runs.

use jiff::Timestamp;
use rusqlite::params;

use super::{Store, StoreError, time};

/// A program that plays series of the pool, or did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Its number in the index.
    pub id: i64,
    /// The machine.
    pub host: String,
    /// Its process there.
    pub process: u32,
    /// The time when it began.
    pub begun: Timestamp,
    /// The time of its last sign of life.
    pub seen: Timestamp,
    /// The series that it has played.
    pub series: u64,
    /// The number of games that it plays at once.
    pub jobs: u64,
    /// The time when it ended; `None` for one that runs, or was killed.
    pub ended: Option<Timestamp>,
}

impl Store {
    /// Writes down that a program begins to play. Returns its number.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn begin_run(&self, host: &str, jobs: usize) -> Result<i64, StoreError> {
        let now = Timestamp::now().as_second();
        self.value(
            "INSERT INTO run (host, process, begun, seen, series, jobs) VALUES (?, ?, ?, ?, 0, ?) RETURNING id",
            params![host, std::process::id(), now, now, jobs as u64],
        )
    }

    /// Writes down that a program lives and has played one more series.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn continue_run(&self, run: i64) -> Result<(), StoreError> {
        let now = Timestamp::now().as_second();
        self.execute(
            "UPDATE run SET seen = ?, series = series + 1 WHERE id = ?",
            params![now, run],
        )
    }

    /// Writes down that a program has ended.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn end_run(&self, run: i64) -> Result<(), StoreError> {
        let now = Timestamp::now().as_second();
        self.execute(
            "UPDATE run SET seen = ?, ended = ? WHERE id = ?",
            params![now, now, run],
        )
    }

    /// Returns all programs that have played, the first one first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.rows("SELECT * FROM run ORDER BY id", [], |row| {
            Ok(Run {
                id: row.get("id")?,
                host: row.get("host")?,
                process: row.get("process")?,
                begun: time(row.get("begun")?),
                seen: time(row.get("seen")?),
                series: row.get("series")?,
                jobs: row.get("jobs")?,
                ended: row.get::<_, Option<i64>>("ended")?.map(time),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_known_until_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("class.db")).unwrap();
        let (one, two) = (
            store.begin_run("a", 2).unwrap(),
            store.begin_run("b", 1).unwrap(),
        );
        store.continue_run(one).unwrap();
        store.end_run(two).unwrap();
        let runs = store.runs().unwrap();
        assert_eq!((runs[0].series, runs[0].jobs, runs[0].ended), (1, 2, None));
        assert!(runs[1].ended.is_some() && runs[1].process == std::process::id());
    }
}
