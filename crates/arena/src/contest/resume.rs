//! Opens the record of a contest, to begin it or to continue it.

use std::path::{Path, PathBuf};

use super::known::Known;
use crate::record::{ContestFile, ContestHeader, RecordError};
use wire::game::Readers;

/// The record that a contest is written to.
#[derive(Debug)]
pub struct OpenRecord {
    path: PathBuf,
    pub(super) file: ContestFile,
    recorded: Option<ContestHeader>,
    /// The end of its last whole line, if that is within a member of gzip.
    torn: Option<u64>,
}

impl OpenRecord {
    /// Opens the record at `path`, for a contest that is to `resume` if there is one, else for a
    /// new one, which replaces what is there if `force` says so.
    ///
    /// # Errors
    /// If it cannot be opened, if another referee is writing it, if it exists and should not, or if
    /// it is of an earlier version.
    pub fn open(
        path: &Path,
        resume: bool,
        force: bool,
        readers: Readers,
    ) -> Result<OpenRecord, RecordError> {
        let file = if resume {
            ContestFile::open(path, readers)?
        } else {
            ContestFile::create(path, force, readers)?
        };
        let mut reader = file.read()?;
        let recorded = reader.last_header()?;
        if let Some(recorded) = &recorded {
            recorded.check_is_current(path)?;
        }
        let torn = reader.ends_in_member().then(|| reader.offset());
        Ok(OpenRecord {
            path: path.to_owned(),
            file,
            recorded,
            torn,
        })
    }

    /// Returns whether other referees are kept from writing the record.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.file.is_locked()
    }

    /// Returns the last header of what it has already; `None` if it is empty.
    #[must_use]
    pub fn recorded(&self) -> Option<&ContestHeader> {
        self.recorded.as_ref()
    }

    /// Cuts off what a compressed record has behind its last whole line. A contest that is complete
    /// writes no more, and other tools refuse a member that was cut short.
    pub(super) fn repair(&mut self) -> Result<(), RecordError> {
        match self.torn.take() {
            Some(whole) => self.file.continue_at(whole),
            None => Ok(()),
        }
    }

    /// Returns the series that it has, which has to be of the contest that `header` describes;
    /// `None` if it is empty.
    pub(super) fn known(&self, header: &ContestHeader) -> Result<Option<Known>, RecordError> {
        if self.file.is_empty()? {
            return Ok(None);
        }
        let known = Known::new(&self.path, self.file.read()?)?;
        // The last header counts: it may have raised the number of games.
        if let (Some(_), Some(recorded)) = (&known, &self.recorded) {
            self.check_contest(header, recorded)?;
        }
        Ok(known)
    }

    fn check_contest(
        &self,
        header: &ContestHeader,
        recorded: &ContestHeader,
    ) -> Result<(), RecordError> {
        let config = header.config_of(recorded);
        let mut differences = config.differences(&recorded.config);
        if header.shard != recorded.shard {
            let [recorded, requested] =
                [recorded, header].map(|header| header.shard.as_deref().unwrap_or("none"));
            differences.push(format!("shard: {recorded} there, {requested} here"));
        }
        let changed = config.changed_programs(&recorded.config);
        // The identifier is a hash of what is played. The differences say in words what a hash
        // cannot.
        if differences.is_empty() && changed.is_empty() && header.id == recorded.id {
            return Ok(());
        }
        let advice = if !differences.is_empty() {
            "Choose another file, or ask for the same contest".to_owned()
        } else if recorded.referee != header.referee {
            // The shipped players are part of the referee, and other ones with each version.
            format!(
                "Continue it with what it began with, the same files and version {} of the referee, or begin again in \
                 another file",
                recorded.referee
            )
        } else {
            "Put back the files that it began with, or begin again in another file".to_owned()
        };
        let since = match self.file.read()?.count_games()? {
            0 => "the record was begun".to_owned(),
            games => format!("game {games}"),
        };
        differences.extend(
            changed
                .iter()
                .map(|change| format!("{change} since {since}")),
        );
        Err(RecordError::OtherContest {
            path: self.path.clone(),
            differences,
            advice,
        })
    }
}
