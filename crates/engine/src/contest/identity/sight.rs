//! The view that each program has, in a sandbox, of the folders that several of them lie in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bothost::Program;

use super::files::{ProgramParts, is_referee};
use super::folder::{Kind, kind_of};

/// The time that the names of hidden files are together at most. Linux takes 128 KiB for one argument.
const MOST_BYTES: usize = 48 << 10;

/// Hides from each of `programs` what belongs to others only. In folders that hold whatever a person has, as a home does,
/// each sees its own files and nothing else. `own` are the files of the command itself.
pub fn separate(programs: &mut [&mut Program], own: &[PathBuf]) {
    let own: Vec<PathBuf> = own
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let files = |program: &Program| -> BTreeSet<PathBuf> {
        // The files that a submission's sources mention are data as well: its folder is all that it has.
        if program.sight.is_closed() {
            return program.folder.iter().cloned().collect();
        }
        let parts = ProgramParts::of(program, &own);
        parts.files.into_iter().map(|file| file.path).collect()
    };
    let files: Vec<_> = programs.iter().map(|program| files(program)).collect();
    // The shipped players are this program itself, which has no secrets.
    let bots = programs
        .iter()
        .zip(&files)
        .filter(|(program, _)| !is_referee(program));
    let all: BTreeSet<&PathBuf> = bots.flat_map(|(_, files)| files).collect();
    for (program, files) in programs.iter_mut().zip(&files) {
        let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        // Some folders of the system are shown to all, so others count wherever they lie; in a large contest only those
        // that are near, as all of them do not fit into the arguments of a supervisor.
        let is_near = |file: &PathBuf| folders.iter().any(|folder| file.starts_with(folder));
        let others: Vec<&PathBuf> = all
            .iter()
            .copied()
            .filter(|file| !files.contains(*file))
            .collect();
        let bytes: usize = others.iter().map(|file| file.as_os_str().len()).sum();
        let others = others
            .into_iter()
            .filter(|file| bytes <= MOST_BYTES || is_near(file));
        let is_shared = |file: &&PathBuf| {
            file.parent()
                .is_some_and(|folder| kind_of(folder) == Kind::Shared)
        };
        program.sight.hide(others.cloned());
        program
            .sight
            .show_instead(files.iter().filter(is_shared).cloned().collect());
    }
}
