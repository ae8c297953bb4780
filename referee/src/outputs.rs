//! The files that a command writes.

use std::path::{Path, PathBuf};

use arena::game::Entrant;
use arena::record::{files_of, is_same_file};

use super::exit::Failure;
use super::secrets::own_files;

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
    /// Checks that each file is named once, and is none that is read. Returns the command's own
    /// files, which bots must not see.
    ///
    /// # Errors
    /// If it is not so.
    pub(super) fn check(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut read: Vec<PathBuf> = self.inputs.iter().copied().cloned().collect();
        let named = self
            .files
            .iter()
            .filter_map(|(option, path)| Some((*option, (*path)?)));
        // Without --force, nothing but a record is written that is there.
        if self.force && named.clone().any(|(_, path)| path.is_file()) {
            for player in &self.players {
                read.extend(files_of(&player.program));
            }
        }
        let mut files: Vec<(&str, &Path)> = Vec::new();
        for (option, path) in named {
            let shown = path.display();
            if let Some((other, _)) = files.iter().find(|(_, other)| is_same_file(other, path)) {
                return Err(Failure::misuse(format!(
                    "{other} and {option} both name {shown}; name a file for each"
                )));
            }
            if read.iter().any(|read| is_same_file(read, path)) {
                return Err(Failure::misuse(format!(
                    "{option} {shown} is a file that this command reads; name another one"
                )));
            }
            files.push((option, path));
        }
        let written = files.into_iter().map(|(_, path)| path);
        let inputs = self.inputs.iter().map(|path| path.as_path());
        Ok(own_files(written.chain(inputs)))
    }
}
