//! The view that each program has, in a sandbox, of the folders that several of them lie in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bothost::BotProgram;

use super::files::{Origin, ProgramParts, is_referee};
use super::folder::{Kind, kind_of};

/// The time that the names of hidden files are together at most. Linux takes 128 KiB for one argument.
const MOST_BYTES: usize = 48 << 10;

/// Hides from each of `programs` what belongs to others only, and scripts beside its own that others' commands name. In
/// folders that hold whatever a person has, as a home does, each sees its own files and nothing else. `own` are the files of
/// the command itself.
pub fn separate(programs: &mut [&mut BotProgram], own: &[PathBuf]) {
    let own: Vec<PathBuf> = own
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let files: Vec<BTreeMap<PathBuf, Origin>> = programs
        .iter()
        .map(|program| origins(program, &own))
        .collect();
    // Each file of a bot, and whether a command names it. The shipped players are this program itself, which has no secrets.
    let mut all: BTreeMap<&PathBuf, bool> = BTreeMap::new();
    for (program, files) in programs.iter().zip(&files) {
        if !is_referee(program) {
            for (file, origin) in files {
                *all.entry(file).or_default() |= *origin == Origin::Named;
            }
        }
    }
    for (program, files) in programs.iter_mut().zip(&files) {
        let folders: BTreeSet<&Path> = files.keys().filter_map(|file| file.parent()).collect();
        let others: Vec<&PathBuf> = all
            .iter()
            .filter(|(file, is_named)| match files.get(**file) {
                None => true,
                Some(Origin::Beside) => **is_named,
                Some(Origin::Named | Origin::Folder) => false,
            })
            .map(|(file, _)| *file)
            .collect();
        let bytes: usize = others.iter().map(|file| file.as_os_str().len()).sum();
        let own = files.keys().filter(|file| {
            others.binary_search(file).is_err()
                && file
                    .parent()
                    .is_some_and(|folder| kind_of(folder) == Kind::Shared)
        });
        let own = own.cloned().collect();
        // Some folders of the system are shown to all, so others count wherever they lie; in a large contest only those
        // that are near, as all of them do not fit into the arguments of a supervisor.
        let is_near = |file: &PathBuf| folders.iter().any(|folder| file.starts_with(folder));
        let hidden = others
            .into_iter()
            .filter(|file| bytes <= MOST_BYTES || is_near(file))
            .cloned();
        program.view.hide(hidden);
        program.view.show_instead(own);
    }
}

/// Returns the files that `program` consists of, as far as they are known.
#[must_use]
pub fn files_of(program: &BotProgram) -> Vec<PathBuf> {
    let origins = origins(program, &[]).into_iter();
    // Of a folder, what a bot is made of: it may write there, and be told to.
    let is_source = |(path, origin): &(PathBuf, Origin)| {
        *origin != Origin::Folder || kits::kind_of_file(path).is_some()
    };
    origins.filter(is_source).map(|(path, _)| path).collect()
}

fn origins(program: &BotProgram, own: &[PathBuf]) -> BTreeMap<PathBuf, Origin> {
    // The folder of a submission is all that it has.
    if program.view.is_closed() {
        let folder = program.folder.clone();
        return folder
            .map(|folder| (folder, Origin::Folder))
            .into_iter()
            .collect();
    }
    let parts = ProgramParts::of(program, own);
    parts
        .files
        .into_iter()
        .map(|file| (file.path, file.origin))
        .collect()
}
