//! The files that a command writes.

use std::path::{Path, PathBuf};

use arena::game::Entrant;
use arena::record::{files_of, is_same_file};

use super::exit::Failure;

/// The files that a command writes, by the options that name them, and what it reads.
pub(super) struct Outputs<'p> {
    /// The options and their files.
    pub(super) files: Vec<(&'static str, Option<&'p Path>)>,
    /// Whether files that are there may be replaced.
    pub(super) force: bool,
    /// The records and settings that are read.
    pub(super) inputs: Vec<&'p PathBuf>,
    /// The players, whose programs are read.
    pub(super) players: Vec<&'p Entrant>,
}

impl Outputs<'_> {
    /// Checks that each file is named once, and is none that is read.
    ///
    /// # Errors
    /// If it is not so.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let files: Vec<_> = self
            .files
            .iter()
            .filter_map(|(option, path)| path.map(|path| (*option, path)))
            .collect();
        // Without --force, nothing but a record is written that is there.
        let replaced = || {
            files
                .iter()
                .filter(|(_, path)| self.force && path.is_file())
        };
        let programs = self.players.iter().filter(|_| replaced().next().is_some());
        let programs = programs.flat_map(|player| files_of(&player.program));
        let read: Vec<PathBuf> = self
            .inputs
            .iter()
            .copied()
            .cloned()
            .chain(programs)
            .collect();
        for (index, (option, path)) in files.iter().enumerate() {
            let shown = path.display();
            if let Some((other, _)) = files[..index]
                .iter()
                .find(|(_, other)| is_same_file(other, path))
            {
                return Err(Failure::misuse(format!(
                    "{other} and {option} both name {shown}; name a file for each"
                )));
            }
            if read.iter().any(|read| is_same_file(read, path)) {
                return Err(Failure::misuse(format!(
                    "{option} {shown} is a file that this command reads; name another one"
                )));
            }
        }
        Ok(())
    }
}
